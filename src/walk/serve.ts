import type { App } from '../app.ts'
import type { Arrival } from '../http/arrival.ts'
import type { Exchange, Outcome } from './exchange.ts'
import type { RequestLog } from '../journal/request-log.ts'
import type { Door } from './door.ts'
import type { Recorder } from './recorder.ts'
import { toFaultReply } from './respond.ts'
import type { FaultParts } from './respond.ts'

interface ServeParts extends FaultParts {
  readonly app: App
  readonly door: Door
  readonly recorder: Recorder
  readonly log?: ((entry: RequestLog) => void) | undefined
}

/** Answers a request, at once where there is nothing to wait for. */
export type Serve = (arrival: Arrival) => Outcome | Promise<Outcome>

/** Creates what takes requests in by the door, has them answered, and notes them when they leave. */
export function createServe({ app, door, recorder, log, ...parts }: ServeParts): Serve {
  function note(exchange: Exchange, status: number): void {
    recorder.record(exchange)
    log?.(door.toLog(exchange, exchange.brokenBy === undefined ? status : 0))
  }

  function leave(outcome: Outcome, exchange: Exchange): Outcome | Promise<Outcome> {
    const reading = recorder.readRest(exchange)
    return reading === undefined ? end(outcome, exchange) : reading.then(() => end(outcome, exchange))
  }

  function end(outcome: Outcome, exchange: Exchange): Outcome {
    note(exchange, outcome.status)
    return outcome
  }

  return function serve(arrival) {
    const exchange = door.open(arrival)
    if (exchange.fault !== undefined) return leave(toFaultReply(exchange, exchange.fault, parts), exchange)
    const answering = app(exchange)
    if (!(answering instanceof Promise)) return leave(answering, exchange)
    return answering.then(
      (outcome) => leave(outcome, exchange),
      (fault: unknown) => {
        note(exchange, 0)
        throw fault
      },
    )
  }
}
