import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { problem } from '../errors.ts'
import { toBaseUrlName } from '../http/address.ts'
import { toJson } from '../http/envelope.ts'
import { readJsonBody } from '../http/json-body.ts'
import { addRoutes } from '../http/routes.ts'
import { REQUEST_LIMITS } from '../http/json-limits.ts'
import type { EnterSession, Env } from '../pipeline/exchange.ts'
import type { ChangeStateParts } from './change-state.ts'

/** The path to which Pact's verifier posts provider states. */
export const SETUP_PATH = '/_pactSetup'

/**
 * Sets a session to a provider state, by Pact's own protocol: scenarios by their names, as the header
 * `X-Mock-Scenario` has them, and the data that the state's parameters bring. Every state starts from the beginning, so that
 * interactions can be verified in any order.
 *
 * @param parts.gate runs before everything that controls the mock
 * @param parts.maxBody the largest JSON body in bytes
 */
export function createPactSetup({
  gate,
  enterSession,
  maxBody,
  ...parts
}: ChangeStateParts & {
  readonly gate: MiddlewareHandler
  readonly enterSession: EnterSession
  readonly maxBody: number
}): Hono<Env> {
  const app = new Hono<Env>()
  app.use(SETUP_PATH, gate)
  const handle = async ({ req, env: { exchange } }: Context<Env>): Promise<Response> => {
    const session = await enterSession(exchange)
    const body = await readJsonBody(req.raw, { limit: maxBody, limits: REQUEST_LIMITS }, ({ value }) => value)
    const { changeState } = await import('./change-state.ts')
    return toJson(await changeState(session, toBaseUrlName(exchange.address.baseUrl), body, parts))
  }
  addRoutes(
    app,
    { [`POST ${SETUP_PATH}` as const]: handle },
    (run, c) => run(c),
    ({ req }, allowed) => {
      throw problem.methodNotAllowed(req.method, SETUP_PATH, allowed)
    },
  )
  return app
}
