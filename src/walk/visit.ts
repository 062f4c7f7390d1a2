import type { OperationId } from '../contract/endpoints.ts'
import type { Address } from '../http/address.ts'
import type { Arrival } from '../http/arrival.ts'
import type { Connection } from '../http/connection.ts'
import type { FaultName } from '../http/fault.ts'
import { parsePrefer } from '../http/prefer.ts'
import type { Preferences } from '../http/prefer.ts'
import type { ReadHeader } from '../http/read-header.ts'
import type { Additions } from '../scenarios/effects.ts'
import type { Session } from '../sessions/session.ts'
import { toSessionName } from '../sessions/sessions.ts'
import type { Exchange, Sent } from './exchange.ts'

/** What is known of an exchange when it begins. */
interface Beginning extends Pick<Exchange, 'address' | 'fault' | 'correlationId' | 'receivedAt' | 'startedAt'> {
  readonly arrival: Arrival
}

/** An exchange that has just begun. */
export class Visit implements Exchange {
  readonly #arrival: Arrival
  readonly method: string
  readonly origin: string
  readonly target: string
  readonly header: ReadHeader
  readonly connection: Connection | undefined
  readonly address: Address
  readonly receivedAt: number
  readonly startedAt: number
  readonly correlationId: string
  readonly session: string
  readonly preferences: Preferences
  readonly fault: unknown
  entered: Session | undefined = undefined
  operation: OperationId | undefined = undefined
  projectKey: string | undefined = undefined
  requestBody: string | Uint8Array | undefined = undefined
  sent: Sent | undefined = undefined
  isRecorded = false
  readonly warnings: string[] = []
  unkeptWarnings = 0
  readonly scenarios: string[] = []
  additions: Additions | undefined = undefined
  isFaked = false
  brokenBy: FaultName | undefined = undefined

  constructor({ arrival, address, fault, correlationId, receivedAt, startedAt }: Beginning) {
    this.#arrival = arrival
    this.method = arrival.method
    this.origin = arrival.origin
    this.target = arrival.target
    this.header = arrival.header
    this.connection = arrival.connection
    this.address = address
    this.fault = fault
    this.correlationId = correlationId
    this.receivedAt = receivedAt
    this.startedAt = startedAt
    this.session = fault === undefined ? toSessionName(address.session, arrival.header) : ''
    this.preferences = parsePrefer(arrival.header('prefer'))
  }

  get request(): Request {
    return this.#arrival.request
  }
}
