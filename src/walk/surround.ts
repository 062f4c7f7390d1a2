import type { App } from '../app.ts'
import type { CorsPolicy } from '../http/cors.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** What stands inside: the mock's own app, and what whoever answers in its place needs to answer alike. */
export interface Inside {
  readonly app: App
  readonly sessions: Sessions
  readonly cors: CorsPolicy
  readonly onFault: (fault: unknown, correlationId: string) => void
}

/** Makes an app around the mock's own, which it may ask, or answer in place of. */
export type Surround = (inside: Inside) => App
