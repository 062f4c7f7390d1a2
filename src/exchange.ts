import type { OperationId } from './contract/endpoints.ts'
import type { Warn } from './contract/warning.ts'
import { problem } from './errors.ts'
import type { Address } from './http/address.ts'
import type { Connection } from './http/connection.ts'
import type { FaultName } from './http/fault.ts'
import { parsePrefer } from './http/prefer.ts'
import type { Preferences } from './http/prefer.ts'
import type { Session } from './session.ts'

/** What was answered, by reference: nothing of it changes once it is sent. */
export interface Sent {
  readonly status: number
  readonly headers: Headers | Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** One request on its way through the mock, with what the steps of the walk have found out so far. */
export interface Exchange {
  readonly request: Request
  readonly connection: Connection | undefined
  readonly address: Address
  /** Epoch milliseconds by the mock's clock. */
  readonly receivedAt: number
  /** Milliseconds of a clock that never stands still, for durations. */
  readonly startedAt: number
  readonly correlationId: string
  session: string
  /** The session of that name, once it was entered. */
  entered: Session | undefined
  readonly preferences: Preferences
  operation: OperationId | undefined
  projectKey: string | undefined
  /** As it was read, decompressed. */
  requestBody: string | Uint8Array | undefined
  sent: Sent | undefined
  /** Whether it was recorded, or is not to be. */
  isRecorded: boolean
  readonly warnings: string[]
  readonly scenarios: string[]
  /** The fault that broke the connection. */
  brokenBy?: FaultName
  /** Why the request cannot even begin its walk. */
  readonly fault?: unknown
}

const CORRELATION_ID = /^[A-Za-z0-9_-]{8,256}$/

/** Whether a client's `X-Correlation-ID` is one that can be echoed. */
export const isCorrelationId = (text: string): boolean => CORRELATION_ID.test(text)

type Opened = Pick<Exchange, 'request' | 'connection' | 'address' | 'receivedAt' | 'startedAt' | 'session'>

/** Opens the exchange of a request; a correlation id that cannot be echoed is replaced, and refused by the walk. */
export function createExchange(opened: Opened, newCorrelationId: () => string): Exchange {
  const asked = opened.request.headers.get('X-Correlation-ID')
  return {
    ...opened,
    correlationId: asked !== null && isCorrelationId(asked) ? asked : newCorrelationId(),
    preferences: parsePrefer(opened.request.headers.get('Prefer')),
    entered: undefined,
    operation: undefined,
    projectKey: undefined,
    requestBody: undefined,
    sent: undefined,
    isRecorded: false,
    warnings: [],
    scenarios: [],
  }
}

/**
 * @throws {Problem} 400 for a correlation id that is none.
 */
export function expectCorrelationId({ headers }: Request): void {
  const asked = headers.get('X-Correlation-ID')
  if (asked === null || isCorrelationId(asked)) return
  throw problem.invalidField({
    field: 'X-Correlation-ID',
    invalidValue: asked.slice(0, 200),
    message: 'The header X-Correlation-ID must be 8 to 256 of A-Z, a-z, 0-9, "_" and "-".',
  })
}

/** Collects an exchange's warnings; under `--strict` the first one refuses it. */
export function createWarn({ warnings }: Exchange, strict: boolean): Warn {
  return function warn(id, sentence, severity) {
    if (strict && severity !== 'tolerated') {
      throw problem.invalidInput(`--strict refuses what is only warned of otherwise: ${id} ${sentence}`, { decision: id })
    }
    warnings.push(`${id} ${sentence}`)
  }
}
