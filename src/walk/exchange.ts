import type { OperationId } from '../contract/endpoints.ts'
import { keepWarning } from '../contract/warning.ts'
import type { Warn, Warnings } from '../contract/warning.ts'
import { problem } from '../errors.ts'
import type { Address } from '../http/address.ts'
import type { Connection } from '../http/connection.ts'
import type { FaultName } from '../http/fault.ts'
import type { Preferences } from '../http/prefer.ts'
import type { ReadHeader } from '../http/read-header.ts'
import type { Additions } from '../scenarios/effects.ts'
import type { Session } from '../sessions/session.ts'
import { Relayed, fromRelayed } from './relayed.ts'

/** What was answered, by reference: nothing of it changes once it is sent. */
export interface Sent {
  readonly status: number
  readonly headers: Headers | Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** An answer that is all there, which a server can send without a Response around it. */
export class Reply {
  readonly status: number
  /** Whoever sends it adds what its protocol wants. */
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array | undefined

  constructor(status: number, headers: Record<string, string>, body: string | Uint8Array | undefined) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** What an exchange ends in. */
export type Outcome = Reply | Relayed | Response

/**
 * The outcome as `fetch` gives it. What is no Reply is a Response, of whichever class: a server may have put a lighter one in
 * the place of the global one since.
 */
export function toResponse(outcome: Outcome): Response {
  if (outcome instanceof Relayed) return fromRelayed(outcome)
  // The platform's own types take a view of any buffer, TypeScript's only of one that is not shared.
  return outcome instanceof Reply ? new Response((outcome.body ?? null) as BodyInit | null, outcome) : outcome
}

/** One request on its way through the mock, with what the steps of the walk have found out so far. */
export interface Exchange extends Warnings {
  readonly method: string
  /** Scheme and authority of the URL. */
  readonly origin: string
  /** The URL from the path on, as it came. */
  readonly target: string
  readonly header: ReadHeader
  /** Made when it is first asked for. */
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
  readonly scenarios: string[]
  /** What scenarios add to the answer, whatever it is; undefined for nothing. */
  additions: Additions | undefined
  /** Whether a scenario made the answer up, in place of the mock. */
  isFaked: boolean
  /** The fault that broke the connection. */
  brokenBy: FaultName | undefined
  /** Why the request cannot even begin its walk. */
  readonly fault: unknown
}

const CORRELATION_ID = /^[A-Za-z0-9_-]{8,256}$/

/** Whether a client's `X-Correlation-ID` is one that can be echoed. */
export const isCorrelationId = (text: string): boolean => CORRELATION_ID.test(text)

/**
 * @throws {Problem} 400 for a correlation id that is none.
 */
export function expectCorrelationId({ header, correlationId }: Exchange): void {
  const asked = header('x-correlation-id')
  if (asked === undefined || asked === correlationId) return
  throw problem.invalidField({
    field: 'X-Correlation-ID',
    invalidValue: asked.slice(0, 200),
    message: 'The header X-Correlation-ID must be 8 to 256 of A-Z, a-z, 0-9, "_" and "-".',
  })
}

/** Collects an exchange's warnings; under `--strict` the first one refuses it. */
export function createWarn(exchange: Exchange, strict: boolean): Warn {
  return function warn(id, sentence, severity) {
    if (strict && severity !== 'tolerated') {
      throw problem.invalidInput(`--strict refuses what is only warned of otherwise: ${id} ${sentence}`, {
        decision: id,
      })
    }
    keepWarning(exchange, `${id} ${sentence}`)
  }
}
