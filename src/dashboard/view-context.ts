import type { AdminRequest } from '../admin/request.ts'
import type { Session } from '../sessions/session.ts'
import type { Notice } from './notice.ts'
import type { DashboardParts } from './parts.ts'
import type { Place } from './place.ts'

/** What a view is shown from. */
export interface ViewContext {
  readonly parts: DashboardParts
  readonly place: Place
  readonly session: Session
  /** Where the mock is reached, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  readonly notice: Notice | undefined
  /** A parameter of the address; empty for none. */
  param(name: string): string
}

/** Gathers what a view of a place is shown from. */
export const createViewContext = (
  parts: DashboardParts,
  place: Place,
  { session, query, origin }: AdminRequest,
  notice?: Notice,
): ViewContext => ({
  parts,
  place,
  session,
  origin,
  notice,
  param: (name) => query.get(name) ?? '',
})

/** The names of the scenarios that are active in a session, in their order. */
export const activeOf = ({ parts, session }: Pick<ViewContext, 'parts' | 'session'>): readonly string[] =>
  session.scenarios.active ?? parts.defaults
