import type { Routes } from '../admin/route.ts'
import type { Dashboard } from './open.tsx'
import type { DashboardParts } from './parts.ts'

/** The dashboard before anyone asked for it: pages and files are loaded with the first request for one. */
export interface DashboardDoor extends Pick<Dashboard, 'show' | 'act'> {
  /** What its pages load, and what tells whoever may not see them. */
  readonly files: Routes
}

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0f766e" stroke-width="2" stroke-linejoin="round"><path d="M4 7.5L12 3l8 4.5v9L12 21l-8-4.5z"/><path d="M4 7.5l8 4.5 8-4.5M12 12v9"/></svg>'

const toFile = (type: string, text: string): Response => new Response(text, { headers: { 'Content-Type': type } })

const loadClient = () => import('./built-client.ts')

/** Creates the dashboard. It costs nothing until someone looks at it. */
export function createDashboard(parts: DashboardParts): DashboardDoor {
  let opened: Promise<Dashboard> | undefined
  const open = (): Promise<Dashboard> =>
    (opened ??= import('./open.tsx').then(({ openDashboard }) => openDashboard(parts)))

  return {
    show: async (request) => (await open()).show(request),
    act: async (request) => (await open()).act(request),
    files: {
      '/dashboard.js': {
        GET: async () => toFile('text/javascript; charset=utf-8', (await loadClient()).clientScript),
      },
      '/dashboard.css': { GET: async () => toFile('text/css; charset=utf-8', (await loadClient()).viewStyle) },
      '/dashboard.svg': { GET: () => toFile('image/svg+xml', MARK) },
      '/dashboard.json': { GET: async (request) => (await open()).listRows(request) },
      '/dashboard.har': { GET: async (request) => (await open()).toHar(request) },
    },
  }
}
