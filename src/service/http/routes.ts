import type { Context, Env, Hono, MiddlewareHandler, Next } from 'hono'

/** Handlers by method and path, such as `GET /state/:projectKey`. */
export type Routes<Handle> = Readonly<Record<`${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`, Handle>>

/**
 * Adds routes to an app and, for each path, a handler that rejects all other methods and lists the allowed ones. It is
 * registered before later routes, so that `PUT /scenarios/reset` does not fall through to `PUT /scenarios/:name`. Hono's
 * own method-not-allowed middleware would run too late for that.
 */
export function addRoutes<E extends Env, Handle>(
  app: Hono<E>,
  routes: Routes<Handle>,
  run: (handler: Handle, c: Context<E>) => Response | Promise<Response>,
  replyToOtherMethod: (
    c: Context<E>,
    allowed: readonly string[],
    next: Next,
  ) => ReturnType<MiddlewareHandler> | Response,
): void {
  const methods = new Map<string, string[]>()
  const all = Object.entries(routes).map(([route, handler]: [string, Handle]) => {
    const [method = '', path = ''] = route.split(' ')
    methods.set(path, [...(methods.get(path) ?? []), method])
    return { method, path, handler }
  })
  for (const [path, allowed] of methods) {
    for (const { method, handler } of all.filter((route) => route.path === path)) {
      app.on(method, path, (c) => run(handler, c))
    }
    const refuse: MiddlewareHandler<E> = async (c, next) => replyToOtherMethod(c, allowed, next)
    app.all(path, refuse)
  }
}
