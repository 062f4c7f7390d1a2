import type { Hono } from 'hono'
import type { AdminParts, AdminEnv, AdminRequest } from '../admin/request.ts'
import type { Session } from '../sessions/sessions.ts'
import type { Notice } from './notice.ts'
import type { PageAddress } from './place.ts'

/** Everything that a view needs. */
export interface ViewContext {
  readonly parts: DashboardParts
  readonly place: PageAddress
  readonly session: Session
  /** The origin of the mock, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  readonly notice: Notice | undefined
  /** A query parameter of the page; empty if absent. */
  param(name: string): string
}

export const createViewContext = (
  parts: DashboardParts,
  place: PageAddress,
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

/** The parts of the mock that the dashboard shows, and the API that changes them. */
export interface DashboardParts extends Pick<
  AdminParts,
  | 'sessions'
  | 'journals'
  | 'store'
  | 'catalog'
  | 'defaults'
  | 'fixtures'
  | 'problems'
  | 'clock'
  | 'elapsed'
  | 'isJournaling'
  | 'coverage'
  | 'send'
  | 'refresh'
> {
  /** The admin API. */
  readonly api: Hono<AdminEnv>
}
