import { Hono } from 'hono'
import type { Context, Handler } from 'hono'
import type { AdminEnv } from './admin/request.ts'
import type { Authenticator } from './auth/authenticate.ts'
import { createDecoder } from './contract/decode.ts'
import type { DecodeOptions } from './contract/decode.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { endpoints } from './contract/endpoints.ts'
import type { OperationId } from './contract/endpoints.ts'
import { paths, toPathParameters } from './contract/paths.ts'
import type { Path } from './contract/paths.ts'
import type { Problem } from './errors.ts'
import { ADMIN_PATH } from './http/address.ts'
import { isPreflight } from './http/cors.ts'
import { TerminalRouter } from './http/terminal-router.ts'
import type { AdvanceVersion } from './pipeline/advance-version.ts'
import type { ChooseScenarios, DelayRequest } from './pipeline/apply-scenarios.ts'
import { authorize } from './auth/scopes.ts'
import type { EnterSession, Env, RequestContext } from './pipeline/request-context.ts'
import type { CreateOperationContext, Perform } from './pipeline/perform.ts'
import { respondToOtherMethod, respondToPreflight, respondToUnknownPath } from './pipeline/other-requests.ts'
import type { Recorder } from './pipeline/record.ts'
import { createWarn } from './pipeline/request-context.ts'
import { addCommonHeaders, noteSent, respond, respondWithFault, respondWithOutcome } from './pipeline/respond.ts'
import { NO_EFFECTS } from './scenarios/effects.ts'
import type { Effects, ScenarioOutcome } from './scenarios/effects.ts'

/** What the app is built from. */
export interface AppParts extends DecodeOptions {
  readonly enterSession: EnterSession
  readonly chooseScenarios: ChooseScenarios
  readonly delay: DelayRequest
  readonly authenticate: Authenticator
  readonly createOperationContext: CreateOperationContext
  readonly advanceVersion: AdvanceVersion
  readonly perform: Perform
  readonly recorder: Recorder
  readonly onFault: (fault: unknown, correlationId: string) => void
  /** The dashboard and the admin API. */
  readonly admin: Hono<AdminEnv>
  /** Whether the dashboard is served; `--no-admin` hides it. */
  readonly hasDashboard: boolean
  /** The token endpoints. */
  readonly oauth: Hono<Env>
  /** Where Pact's verifier sets up provider states. */
  readonly pactSetup: Hono<Env>
  /** Checks every answer of an operation against the contract; absent: none is checked. */
  readonly checkAnswer?: ((context: RequestContext) => Problem | undefined) | undefined
}

/** The dashboard is at `/__admin`, with a slash at the end or without. */
const toRoutePath = (path = '/'): string => (path === `${ADMIN_PATH}/` ? ADMIN_PATH : path)

/**
 * Creates the app with every route of the mock. Those of the API come from the endpoint table, the most specific path
 * first, so that a literal segment is never taken for a parameter (D24).
 */
export function createApp(parts: AppParts): Hono<Env> {
  const { enterSession, recorder } = parts
  const app = new Hono<Env>({
    router: new TerminalRouter(),
    getPath: (_request, options) => toRoutePath(options?.env?.context.address.path),
  })

  /** What happens to a request of an operation, from top to bottom. */
  function serve(id: OperationId, path: Path): (c: Context<Env>) => Promise<Response> {
    const endpoint: Endpoint = endpoints[id]
    const decode = createDecoder(endpoint, parts)

    return async function serveOperation({ env: { context }, req }) {
      const parameters = toPathParameters(path, req.param())
      const { projectKey = '' } = parameters
      context.operation = id
      context.projectKey = projectKey
      const session = enterSession(context)
      const warn = createWarn(context, parts.strict)
      const applyScenarios = parts.chooseScenarios(context, session, id, endpoint)

      /** Responds as a scenario says, after the writers that it let come first. */
      async function respondAsFaked(outcome: ScenarioOutcome, { otherWriters }: Effects): Promise<Response> {
        context.isFaked = true
        if (otherWriters.length > 0) {
          const operationContext = await parts.createOperationContext(context, warn, NO_EFFECTS)
          await parts.advanceVersion(otherWriters, parameters, operationContext)
        }
        return respondWithOutcome(context, outcome, recorder)
      }

      // Before anything is checked: outages, delays, rate limits.
      const atGateway = await applyScenarios('gateway')
      if (atGateway !== NO_EFFECTS) context.additions = atGateway
      await parts.delay(context, atGateway.delay)
      if (atGateway.outcome !== undefined) return respondAsFaked(atGateway.outcome, atGateway)

      const grant = await parts.authenticate(context.header('authorization'), projectKey)
      authorize(grant, endpoint, projectKey, atGateway)
      const decoded = await decode(context.address.search, warn, context)

      // Before the operation runs: other writers, hidden resources, answers that a scenario makes up.
      const effects = await applyScenarios('operation', decoded.body)
      const { outcome, otherWriters } = effects
      if (outcome?.kind === 'answer') return respondAsFaked(outcome, effects)

      const answer = await parts.perform({
        id,
        decoded,
        path: parameters,
        context: await parts.createOperationContext(context, warn, effects),
        preferences: context.preferences,
        otherWriters,
      })
      if (outcome !== undefined) return respondWithOutcome(context, { ...outcome, answer }, recorder)
      return check(context, respond(context, answer))
    }
  }

  /** The response, unless it violates the contract (`--check-responses`). */
  function check(context: RequestContext, response: Response): Response {
    const violation = parts.checkAnswer?.(context)
    if (violation === undefined) return response
    parts.onFault(violation, context.correlationId)
    return respondWithFault(context, violation, parts.onFault)
  }

  /** Responds to the methods that a path of the table does not have. */
  const serveOtherMethod =
    ({ allowed }: Path): Handler<Env> =>
    ({ env: { context } }) => {
      if (isPreflight(context.request)) return respondToPreflight(context, allowed)
      enterSession(context)
      return respondToOtherMethod(context, allowed)
    }

  // No project has the key `__admin`: whatever follows belongs to the dashboard or the admin API.
  app.route(ADMIN_PATH, parts.admin)

  for (const path of paths) {
    const handlers = new Map([...path.operations].map(([method, id]) => [method, serve(id, path)]))
    const [handleGet, handleHead] = [handlers.get('GET'), handlers.get('HEAD')]
    // Hono dispatches HEAD to the routes of GET.
    if (handleGet && handleHead) app.get(path.pattern, (c) => (c.req.method === 'HEAD' ? handleHead : handleGet)(c))
    for (const [method, handle] of handlers) app.on(method, path.pattern, handle)
    app.all(path.pattern, serveOtherMethod(path))
  }

  app.use('/oauth/*', async (c, next) => {
    const { context } = c.env
    enterSession(context)
    await recorder.readCopy(context)
    await next()
    addCommonHeaders(context, c.res)
    await noteSent(context, c.res)
  })
  app.route('/', parts.oauth)
  app.route('/', parts.pactSetup)

  app.notFound(({ env: { context } }) => {
    if (context.fault !== undefined) throw context.fault
    if (isPreflight(context.request)) return respondToPreflight(context)
    enterSession(context)
    return respondToUnknownPath(context, parts.hasDashboard)
  })
  app.onError((fault, { env: { context } }) => check(context, respondWithFault(context, fault, parts.onFault)))
  return app
}
