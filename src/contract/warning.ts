import type { Checked } from './check.ts'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'

/**
 * Warns of a request that was served although it is not quite valid (decisions, "warn"). Under `--strict` it throws a 400
 * with the same sentence instead, unless the request is `tolerated`.
 */
export type Warn = (decision: DecisionId, sentence: string, severity?: 'tolerated') => void

/** Warns of each unknown member (D4): the first ones by name, so that their number is right in the header and the journal. */
export function warnOfUnknown(warn: Warn, { unknown, moreUnknown }: Checked, where: string): void {
  for (const member of unknown) warn(decision('D4'), `Unknown member "${member}" of ${where} is ignored.`)
  for (let left = moreUnknown; left > 0; left -= 1) warn(decision('D4'), `An unknown member of ${where} is ignored.`)
}

const MOST_SHOWN = 5
const MOST_BYTES = 1024

/** A header value of ASCII only: everything else is escaped as `\uXXXX`. */
const toAscii = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- the regex finds the characters that a header must not have
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The value of `X-Mock-Warning`: at most five warnings and 1 KiB in all, then how many more there are, `unkept` ones included. */
export function toWarningHeader(warnings: readonly string[], unkept = 0): string {
  const shown: string[] = []
  let bytes = 0
  for (const warning of warnings.slice(0, MOST_SHOWN)) {
    const text = toAscii(warning)
    bytes += text.length + 2
    if (bytes > MOST_BYTES - 20) break
    shown.push(text)
  }
  const [first = ''] = warnings
  if (shown.length === 0) shown.push(`${toAscii(first).slice(0, MOST_BYTES - 40)}...`)
  const more = warnings.length - shown.length + unkept
  return shown.join(', ') + (more > 0 ? `, and ${more} more` : '')
}

/** The warnings of one request, as the journal and the log keep them. */
export interface Warnings {
  warnings: readonly string[]
  /** How many came after the last one that was kept. */
  unkeptWarnings: number
}

const MOST_KEPT = 1000
const LONGEST_KEPT = 1000

/** Keeps a warning, up to 1,000 of 1,000 characters each: a body may have any number of unknown members of any length. */
export function keepWarning(kept: Warnings, warning: string): void {
  if (kept.warnings.length === MOST_KEPT) kept.unkeptWarnings += 1
  else {
    const cut = warning.length > LONGEST_KEPT ? `${warning.slice(0, LONGEST_KEPT)}…` : warning
    kept.warnings = [...kept.warnings, cut]
  }
}

/** The warnings that were kept, and how many more there were. */
export const toWarningList = ({ warnings, unkeptWarnings }: Warnings): readonly string[] =>
  unkeptWarnings === 0 ? warnings : [...warnings, `and ${unkeptWarnings} more`]
