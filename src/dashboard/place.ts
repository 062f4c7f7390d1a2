import { toSharedPath } from '../admin/request.ts'
import type { AdminRequest } from '../admin/request.ts'
import { ADMIN_PATH } from '../http/address.ts'

/** The views of the dashboard, in the order of its navigation. */
export const views = ['requests', 'scenarios', 'data', 'sessions', 'contract'] as const
/** The name of a view, as its address has it. */
export type View = (typeof views)[number]

/** The name that the navigation shows. */
export const viewTitles: Readonly<Record<View, string>> = {
  requests: 'Requests',
  scenarios: 'Scenarios',
  data: 'Data',
  sessions: 'Sessions',
  contract: 'Contract',
}

/** A place in the dashboard, all of it in the address, so that every view can be linked to. */
export interface Place {
  /** Where the dashboard is, such as `/__admin`. */
  readonly home: string
  readonly session: string
  readonly view: View
  readonly query: URLSearchParams
  /** The address of another place in the same session; empty parameters are left out. */
  to(view: View, parameters?: Readonly<Record<string, string>>): string
  /** Where the dashboard is with no session in the path. */
  readonly door: string
  /** The address of a view of another session, whatever names the one that the place is in. */
  toSession(name: string, view?: View): string
  /** The address of a path of the admin API, for the place's session. */
  toApi(path: string): string
}

const isView = (text: string | null): text is View => views.some((view) => view === text)

/** The place that a request asks for; an unknown view is the first one. */
export function readPlace({ prefix, query, session: { name: session } }: AdminRequest): Place {
  const home = `${prefix}${ADMIN_PATH}`
  const door = toSharedPath(prefix)
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
    door,
    session,
    view: isView(asked) ? asked : 'requests',
    query,
    to: (view, parameters = {}) => toAddress({ view, session: own, ...parameters }),
    toSession: (name, view = 'requests') => `${door}?${new URLSearchParams({ view, session: name })}`,
    toApi: (path) => `${home}${path}${own === '' ? '' : `?${new URLSearchParams({ session: own })}`}`,
  }
}

/** Where a form of the place is sent to, which is where it leads back to. */
export const toHere = ({ home, query }: Place): string => (query.size === 0 ? home : `${home}?${query}`)
