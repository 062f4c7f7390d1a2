import * as z from 'zod'
import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import { endpoints } from '../contract/endpoints.ts'
import { isUnmatched } from '../journal/entry.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { findNearMisses } from '../journal/near-misses.ts'
import type { NearOperation } from '../journal/near-misses.ts'
import { findRecovery } from './recovery.ts'
import { isFailure, toRow } from './row.ts'
import { isOperation } from './verdict.ts'

const envelope = z.looseObject({
  message: z.string(),
  errors: z.array(z.looseObject({ code: z.string(), detailedErrorMessage: z.string().optional() })).min(1),
})

/** Why a request was answered as it was. */
export interface Explanation {
  /** The sentence of its error. */
  readonly failure?: { readonly code: string; readonly message: string; readonly detail: string | undefined }
  /** The fault that broke the connection. */
  readonly fault?: string
  readonly warnings: readonly { readonly decision: string; readonly sentence: string }[]
  /** Of a request that met no operation. */
  readonly nearMisses: readonly NearOperation[]
  /** Of a failure: its retry that succeeded. */
  readonly recovery?: JournalEntry
}

function findFailure({ response: { body } }: JournalEntry): Explanation['failure'] {
  if (body?.encoding !== 'utf-8') return undefined
  let value: unknown
  try {
    value = JSON.parse(body.text)
  } catch {
    return undefined
  }
  const { data } = envelope.safeParse(value)
  const first = data?.errors[0]
  return data === undefined || first === undefined
    ? undefined
    : { code: first.code, message: data.message, detail: first.detailedErrorMessage }
}

/**
 * Tells why a request was answered as it was.
 *
 * @param newest the entries of its session, newest first
 */
export function explain(entry: JournalEntry, newest: Iterable<JournalEntry>): Explanation {
  const { response, warnings } = entry
  const isFailed = isFailure(toRow(entry))
  const failure = isFailed ? findFailure(entry) : undefined
  const recovery = isFailed ? findRecovery(entry, newest) : undefined
  return {
    ...(failure === undefined ? {} : { failure }),
    ...(response.fault === undefined ? {} : { fault: response.fault }),
    warnings: warnings.map((warning) => {
      const [decision = ''] = warning.split(' ', 1)
      return { decision, sentence: warning.slice(decision.length + 1) }
    }),
    nearMisses: isUnmatched(entry) ? findNearMisses(entry) : [],
    ...(recovery === undefined ? {} : { recovery }),
  }
}

/** The decisions that an exchange rests on: those of its operation, and those that it was warned of. */
export function decisionsOf({ operation, warnings }: JournalEntry): readonly DecisionId[] {
  const own: readonly DecisionId[] = isOperation(operation) ? endpoints[operation].decisions : ['D24']
  const warned = warnings.map((warning) => warning.split(' ', 1)[0] ?? '')
  return [...new Set([...own, ...warned])].filter((id): id is DecisionId => Object.hasOwn(decisions, id))
}
