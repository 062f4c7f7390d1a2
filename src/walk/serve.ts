import { after } from '../after.ts'
import type { App } from '../app.ts'
import type { Arrival } from '../http/arrival.ts'
import type { Outcome } from './exchange.ts'
import type { RequestLog } from '../options.ts'
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
  return function serve(arrival) {
    const exchange = door.open(arrival)
    const note = (status: number): void => {
      recorder.record(exchange)
      log?.(door.toLog(exchange, exchange.brokenBy === undefined ? status : 0))
    }
    const leave = (outcome: Outcome): Outcome | Promise<Outcome> =>
      after(recorder.readRest(exchange), () => {
        note(outcome.status)
        return outcome
      })
    if (exchange.fault !== undefined) return leave(toFaultReply(exchange, exchange.fault, parts))
    const answering = app(exchange)
    if (!(answering instanceof Promise)) return leave(answering)
    return answering.then(leave, (fault: unknown) => {
      note(0)
      throw fault
    })
  }
}
