import type { Hono } from 'hono'
import { replyToOtherMethod } from '../pipeline/other-requests.ts'
import type { AdminEnv } from './request.ts'

const toAllowed = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']

/**
 * Adds routes to an app, and a 405 for every other method of their paths, so that `PUT /scenarios/reset` does not fall
 * through to `PUT /scenarios/:name`. Hono's own method-not-allowed middleware comes too late for that.
 */
export function addRoutes(app: Hono<AdminEnv>, { routes }: Hono<AdminEnv>): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path)
    for (const { method, handler } of own) app.on(method, path, handler)
    const allowed = toAllowed(own.map(({ method }) => method))
    app.all(path, (c) => replyToOtherMethod(c.env.exchange, allowed))
  }
}
