import { after } from '../after.ts'
import type { App } from '../app.ts'
import type { Connection } from '../http/connection.ts'
import type { RequestLog } from '../options.ts'
import type { Door } from './door.ts'
import type { Recorder } from './recorder.ts'
import { toFaultResponse } from './respond.ts'
import type { FaultParts } from './respond.ts'

interface ServeParts extends FaultParts {
  readonly app: App
  readonly door: Door
  readonly recorder: Recorder
  readonly log?: ((entry: RequestLog) => void) | undefined
}

/** Answers a request, at once where there is nothing to wait for. */
export type Serve = (request: Request, connection?: Connection) => Response | Promise<Response>

/** Creates what takes requests in by the door, has them answered, and notes them when they leave. */
export function createServe({ app, door, recorder, log, ...parts }: ServeParts): Serve {
  return function serve(request, connection) {
    const exchange = door.open(request, connection)
    const note = (status: number): void => {
      recorder.record(exchange)
      log?.(door.toLog(exchange, exchange.brokenBy === undefined ? status : 0))
    }
    const leave = (response: Response) =>
      after(recorder.readRest(exchange), () => {
        note(response.status)
        return response
      })
    if (exchange.fault !== undefined) return leave(toFaultResponse(exchange, exchange.fault, parts))
    const answering = app(exchange)
    if (!(answering instanceof Promise)) return leave(answering)
    return answering.then(leave, (fault: unknown) => {
      note(0)
      throw fault
    })
  }
}
