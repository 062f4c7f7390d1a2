import type { ChooseScenarios, DelayRequest } from './apply-scenarios.ts'
import type { EnterSession } from './enter-session.ts'
import type { Recorder, Serve } from './record.ts'

/** What a wrapped mock can use. */
export interface Wrapped {
  /** Serves a request by the mock's own app. */
  readonly serve: Serve
  readonly enterSession: EnterSession
  readonly chooseScenarios: ChooseScenarios
  readonly delay: DelayRequest
  readonly recorder: Recorder
  readonly onFault: (fault: unknown, correlationId: string) => void
}

/** Puts a function around a mock's app, which may respond in its place. */
export type Wrap = (wrapped: Wrapped) => Serve
