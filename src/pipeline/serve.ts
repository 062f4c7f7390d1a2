import type { Hono } from 'hono'
import type { LogRequest } from './log-request.ts'
import type { Recorder } from './record.ts'
import type { Env, RequestContext } from './request-context.ts'

/** Responds to a request. It rejects where a scenario breaks the connection of a request that has no socket. */
export type Serve = (context: RequestContext) => Response | Promise<Response>

/** Serves requests by an app. */
export const serveBy =
  (app: Hono<Env>): Serve =>
  (context) =>
    app.fetch(context.request, { context })

interface ServeParts {
  readonly serve: Serve
  readonly recorder: Recorder
  readonly log?: LogRequest | undefined
}

/** Serves requests, and records and logs each once it is answered. */
export function serveAndRecord({ serve, recorder, log }: ServeParts): (context: RequestContext) => Promise<Response> {
  function record(context: RequestContext, status: number): void {
    recorder.record(context)
    if (!context.isInternal) log?.(context, context.brokenBy === undefined ? status : 0)
  }

  return async function serveRecorded(context) {
    try {
      const response = await serve(context)
      const reading = recorder.readRest(context)
      if (reading !== undefined) await reading
      record(context, context.sent?.status ?? response.status)
      return response
    } catch (fault) {
      record(context, 0)
      throw fault
    }
  }
}
