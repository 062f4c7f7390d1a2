import { controlHeaders } from '../../service/http/control-headers.ts'
import { isRead } from '../../service/http/request-head.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { Sharing } from '../../sessions/sharing.ts'
import type { Exchange } from './exchange.ts'
import type { Recorder } from './recorder.ts'
import { replyWithError } from './reply.ts'
import type { ReportError, Serve } from './reply.ts'

/** The headers that may make a request wait or count. */
const controlNames = Object.values(controlHeaders)
  .filter((header) => header !== controlHeaders.session)
  .map(({ name }) => name.toLowerCase())

/** Whether a request can run twice without a trace: it reads, without scenarios. */
const isRepeatable = ({ method, operation, header }: Exchange, scenarios: readonly string[]): boolean =>
  operation !== undefined &&
  isRead(method) &&
  scenarios.length === 0 &&
  controlNames.every((name) => header(name) === undefined)

/**
 * Creates the steps with which requests to a shared store see the writes of other mocks. Most requests load them first. A
 * plain read runs on what this mock knows, and is recorded if the store has nothing else; otherwise it runs again. So it
 * waits for the store only once.
 *
 * @param parts.mayRepeat whether reads are recorded, and not delayed
 */
export function createReadFirst(parts: {
  readonly sharing: Sharing
  readonly sessions: Sessions
  /** The scenarios given on the command line. */
  readonly defaults: readonly string[]
  readonly recorder: Recorder
  readonly reportError: ReportError
  readonly mayRepeat: boolean
}) {
  const { sharing, sessions, defaults, recorder, reportError, mayRepeat } = parts
  return {
    /** Loads the writes of other mocks to a request's session; returns undefined if there is nothing to wait for. */
    catchUp(exchange: Exchange): Promise<void> | undefined {
      const { sessionName: name } = exchange
      if (exchange.runsAgain) return sharing.start(name)
      const session = mayRepeat ? sessions.find(name) : undefined
      if (session === undefined || !isRepeatable(exchange, session.scenarios.active ?? defaults))
        return sharing.catchUp(name)
      exchange.readAt = sharing.position(name)
      return undefined
    },
    /** Wraps the way of a request: a read that missed something runs again. */
    wrap:
      (answer: Serve): Serve =>
      async (exchange) => {
        const response = await answer(exchange)
        const { session, readAt } = exchange
        if (session === undefined || readAt === undefined) return response
        try {
          if (await recorder.recordRead(exchange, session, sharing.recordRead)) return response
          exchange.restart()
        } catch (fault) {
          exchange.restart()
          return replyWithError(exchange, fault, reportError)
        }
        return answer(exchange)
      },
  }
}
