import { ADMIN_PATH, toJson } from './route.ts'
import type { Routes } from './route.ts'
import { toTokenCookie } from './token.ts'

interface RootParts {
  readonly token?: string | undefined
  /** Every path of the admin API below its own. */
  readonly paths: () => readonly string[]
}

/** The admin API's first path: tells of the others, and takes a token from a link into a cookie. */
export function createRootRoutes({ token, paths }: RootParts): Routes {
  return {
    '': {
      GET({ query, prefix, isSecure }) {
        const own = `${prefix}${ADMIN_PATH}`
        if (!query.has('token')) return toJson({ paths: paths().map((path) => `${own}${path}`) })
        query.delete('token')
        const left = query.size === 0 ? '' : `?${query}`
        return new Response(null, {
          status: 303,
          headers: {
            Location: `${own}${left}`,
            // The link, and the token in it, is told to nobody.
            'Referrer-Policy': 'no-referrer',
            ...(token === undefined ? {} : { 'Set-Cookie': toTokenCookie(token, own, isSecure) }),
          },
        })
      },
    },
  }
}
