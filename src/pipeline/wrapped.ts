import type { Sessions } from '../sessions/sessions.ts'
import type { ChooseScenarios, DelayRequest } from './apply-scenarios.ts'
import type { Recorder, Serve } from './record.ts'
import type { RequestContext } from './request-context.ts'

/** What a wrapped mock can use. */
export interface Wrapped {
  /** Serves a request by the mock's own app. */
  readonly serve: Serve
  readonly sessions: Sessions
  /** Catches up with what other mocks wrote to the session; undefined if there is nothing to wait for. */
  readonly catchUp: (context: RequestContext) => Promise<void> | undefined
  readonly chooseScenarios: ChooseScenarios
  readonly delay: DelayRequest
  readonly recorder: Recorder
  readonly onFault: (fault: unknown, correlationId: string) => void
}

/** Puts a function around a mock's app, which may respond in its place. */
export type Wrap = (wrapped: Wrapped) => Serve
