import type { DashboardDoor } from '../dashboard/dashboard.ts'
import { wantsPage } from '../dashboard/wants-page.ts'
import { ADMIN_PATH, toCookiePaths, toJson } from './route.ts'
import type { Methods, Routes } from './route.ts'
import { toTokenCookie } from './token.ts'

interface RootParts {
  readonly token?: string | undefined
  /** Every path of the admin API below its own. */
  readonly paths: readonly string[]
  readonly dashboard: DashboardDoor
}

/** The admin API's first path: the dashboard, or the list of the others; it takes a token from a link into a cookie. */
export function createRootRoutes({ token, paths, dashboard }: RootParts): Routes {
  const root: Methods = {
    GET(request) {
      const { query, prefix, isSecure } = request
      const own = `${prefix}${ADMIN_PATH}`
      if (!query.has('token')) {
        return wantsPage(request.headers)
          ? dashboard.show(request)
          : toJson({ paths: paths.map((path) => `${own}${path}`) })
      }
      query.delete('token')
      const left = query.size === 0 ? '' : `?${query}`
      // The link, and the token in it, is told to nobody.
      const headers = new Headers({ Location: `${own}${left}`, 'Referrer-Policy': 'no-referrer' })
      if (token !== undefined) {
        for (const path of toCookiePaths(prefix)) {
          headers.append('Set-Cookie', toTokenCookie(token, path, isSecure))
        }
      }
      return new Response(null, { status: 303, headers })
    },
    POST: (request) => dashboard.act(request),
  }
  return { '': root, '/': root }
}
