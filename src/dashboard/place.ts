import { toSharedPath } from '../admin/request.ts'
import type { AdminRequest } from '../admin/request.ts'
import { ADMIN_PATH } from '../http/request-head.ts'

/** The views of the dashboard, in the order of its navigation. */
export const views = ['requests', 'scenarios', 'data', 'sessions', 'contract', 'coverage'] as const
/** The name of a view, as its address has it. */
export type View = (typeof views)[number]

/** The name that the navigation shows. */
export const viewTitles: Readonly<Record<View, string>> = {
  requests: 'Requests',
  scenarios: 'Scenarios',
  data: 'Data',
  sessions: 'Sessions',
  contract: 'Contract',
  coverage: 'Coverage',
}

/** The address of a page of the dashboard. All of its state is in the URL, so every view can be linked to. */
export interface PageAddress {
  /** The path of the dashboard, such as `/__admin`. */
  readonly home: string
  readonly session: string
  readonly view: View
  readonly query: URLSearchParams
  /** The URL of another view of the same session; empty parameters are left out. */
  to(view: View, parameters?: Readonly<Record<string, string>>): string
  /** The path of the dashboard without a session. */
  readonly sharedHome: string
  /** The URL of a view of another session. */
  toSession(name: string, view?: View): string
  /** The URL of a path of the admin API, for the same session. */
  toApi(path: string): string
}

const isView = (text: string | null): text is View => views.some((view) => view === text)

/** Reads the address of a request; an unknown view becomes the first one. */
export function readPlace({ prefix, query, session: { name: session } }: AdminRequest): PageAddress {
  const home = `${prefix}${ADMIN_PATH}`
  const sharedHome = toSharedPath(prefix)
  // The path names the session already, unless the query chose another.
  const own =
    `${prefix}/`.startsWith(`/@${session}/`) || (!query.has('session') && !prefix.startsWith('/@')) ? '' : session
  const asked = query.get('view')

  function toAddress(parameters: Readonly<Record<string, string>>): string {
    const given = Object.entries(parameters).filter(([, value]) => value !== '')
    return given.length === 0 ? home : `${home}?${new URLSearchParams(given)}`
  }

  return {
    home,
    sharedHome,
    session,
    view: isView(asked) ? asked : 'requests',
    query,
    to: (view, parameters = {}) => toAddress({ view, session: own, ...parameters }),
    toSession: (name, view = 'requests') => `${sharedHome}?${new URLSearchParams({ view, session: name })}`,
    toApi: (path) => `${home}${path}${own === '' ? '' : `?${new URLSearchParams({ session: own })}`}`,
  }
}

/** The URL of the page, where its forms are sent and lead back to. */
export const toHere = ({ home, query }: PageAddress): string => (query.size === 0 ? home : `${home}?${query}`)
