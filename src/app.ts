import { Hono } from 'hono'
import type { Context, Handler } from 'hono'
import type { AdminEnv } from './admin/request.ts'
import type { Authenticator } from './auth/authenticate.ts'
import { createDecoder } from './contract/decode.ts'
import type { DecodeOptions } from './contract/decode.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { endpoints } from './contract/endpoints.ts'
import type { OperationId } from './contract/endpoints.ts'
import type { Answer } from './contract/handler.ts'
import { paths, toPathParameters } from './contract/paths.ts'
import type { Path, PathParameters } from './contract/paths.ts'
import type { Warn } from './contract/warning.ts'
import type { Problem } from './errors.ts'
import { ADMIN_PATH } from './http/address.ts'
import { isPreflight } from './http/cors.ts'
import { TerminalRouter } from './http/terminal-router.ts'
import type { AdvanceVersion } from './pipeline/advance-version.ts'
import type { ApplyScenarios, ChooseScenarios, DelayRequest } from './pipeline/apply-scenarios.ts'
import { authorize } from './auth/scopes.ts'
import type { Grant } from './auth/scopes.ts'
import type { EnterSession } from './pipeline/enter-session.ts'
import type { Env, RequestContext } from './pipeline/request-context.ts'
import type { OperationContexts, Perform } from './pipeline/perform.ts'
import { respondToOtherMethod, respondToPreflight, respondToUnknownPath } from './pipeline/other-requests.ts'
import type { Recorder } from './pipeline/record.ts'
import { createWarn } from './pipeline/request-context.ts'
import { addCommonHeaders, noteSent, respond, respondWithFault, respondWithOutcome } from './pipeline/respond.ts'
import { NO_EFFECTS } from './scenarios/effects.ts'
import type { Effects, ScenarioOutcome } from './scenarios/effects.ts'
import type { Session } from './sessions/session.ts'

/** What the app is built from. */
export interface AppParts extends DecodeOptions {
  readonly enterSession: EnterSession
  readonly chooseScenarios: ChooseScenarios
  readonly delay: DelayRequest
  readonly authenticate: Authenticator
  readonly operationContexts: OperationContexts
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

/** A request of an operation, in its session. */
interface EnteredRequest {
  readonly context: RequestContext
  readonly parameters: PathParameters
  readonly warn: Warn
}

const applyNone: ApplyScenarios = async () => NO_EFFECTS

/** The dashboard is at `/__admin`, with a slash at the end or without. */
const toRoutePath = (path = '/'): string => (path === `${ADMIN_PATH}/` ? ADMIN_PATH : path)

/**
 * Creates the app with every route of the mock. Those of the API come from the endpoint table, the most specific path
 * first, so that a literal segment is never taken for a parameter (D24).
 */
export function createApp(parts: AppParts): Hono<Env> {
  const { enterSession, operationContexts, recorder } = parts
  const app = new Hono<Env>({
    router: new TerminalRouter(),
    getPath: (_request, options) => toRoutePath(options?.env?.context.address.path),
  })

  /** What happens to a request of an operation, from top to bottom. */
  function serve(id: OperationId, path: Path): (c: Context<Env>) => Response | Promise<Response> {
    const endpoint: Endpoint = endpoints[id]
    const { decodeHead, decodeBody } = createDecoder(endpoint, parts)

    const authenticate = ({ context }: EnteredRequest): Grant | Promise<Grant> =>
      parts.authenticate(context.header('authorization'), context.projectKey ?? '', context.entered?.clock.now())

    /** Most requests without a body wait for nothing, and need no promise. */
    function serveWithoutBody(request: EnteredRequest): Response | Promise<Response> {
      const { context, parameters, warn } = request
      const toResponse = (answer: Answer): Response => check(context, respond(context, answer))

      function serveGranted(grant: Grant): Response | Promise<Response> {
        authorize(grant, endpoint, context.projectKey ?? '', NO_EFFECTS)
        const answer = parts.perform({
          id,
          decoded: decodeHead(context.address.search, warn, context.header),
          path: parameters,
          context: operationContexts.create(context, warn),
          preferences: context.preferences,
          otherWriters: NO_EFFECTS.otherWriters,
        })
        return answer instanceof Promise ? answer.then(toResponse) : toResponse(answer)
      }

      const delay = parts.delay(context, 0)
      const grant = delay === undefined ? authenticate(request) : delay.then(() => authenticate(request))
      return grant instanceof Promise ? grant.then(serveGranted) : serveGranted(grant)
    }

    /** A request with a body, or one that scenarios may change. */
    async function serveInSteps(
      request: EnteredRequest,
      applyScenarios: ApplyScenarios = applyNone,
    ): Promise<Response> {
      const { context, parameters, warn } = request

      /** Responds as a scenario says, after the writers that it let come first. */
      async function respondAsFaked(outcome: ScenarioOutcome, { otherWriters }: Effects): Promise<Response> {
        if (otherWriters.length > 0) {
          await parts.advanceVersion(otherWriters, parameters, operationContexts.create(context, warn))
        }
        return respondWithOutcome(context, outcome, recorder)
      }

      // Before anything is checked: outages, delays, rate limits.
      const atGateway = await applyScenarios('gateway')
      if (atGateway !== NO_EFFECTS) context.additions = atGateway
      await parts.delay(context, atGateway.delay)
      if (atGateway.outcome !== undefined) return respondAsFaked(atGateway.outcome, atGateway)

      authorize(await authenticate(request), endpoint, context.projectKey ?? '', atGateway)
      const head = decodeHead(context.address.search, warn, context.header)
      const decoded = decodeBody === undefined ? head : await decodeBody(head, warn, context)

      // Before the operation runs: other writers, hidden resources, answers that a scenario makes up.
      const effects = await applyScenarios('operation', decoded.body)
      const { outcome, otherWriters } = effects
      if (outcome?.kind === 'answer') return respondAsFaked(outcome, effects)

      const answer = await parts.perform({
        id,
        decoded,
        path: parameters,
        context: await operationContexts.apply(effects, operationContexts.create(context, warn), context),
        preferences: context.preferences,
        otherWriters,
      })
      if (outcome !== undefined) return respondWithOutcome(context, { ...outcome, answer }, recorder)
      return check(context, respond(context, answer))
    }

    /** Serves a request that has entered its session. */
    function serveEntered(
      context: RequestContext,
      session: Session,
      parameters: PathParameters,
    ): Response | Promise<Response> {
      const request = { context, parameters, warn: createWarn(context, parts.strict) }
      const applyScenarios = parts.chooseScenarios(context, session, id, endpoint)
      if (applyScenarios === undefined && decodeBody === undefined) return serveWithoutBody(request)
      return serveInSteps(request, applyScenarios)
    }

    return function serveOperation({ env: { context }, req }) {
      const parameters = toPathParameters(path, (name) => req.param(name))
      context.operation = id
      context.projectKey = parameters.projectKey ?? ''
      const session = enterSession(context)
      if (!(session instanceof Promise)) return serveEntered(context, session, parameters)
      return session.then((entered) => serveEntered(context, entered, parameters))
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
    async ({ env: { context } }) => {
      if (isPreflight(context.request)) return respondToPreflight(context, allowed)
      await enterSession(context)
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
    await enterSession(context)
    await recorder.readCopy(context)
    await next()
    addCommonHeaders(context, c.res)
    await noteSent(context, c.res)
  })
  app.route('/', parts.oauth)
  app.route('/', parts.pactSetup)

  app.notFound(async ({ env: { context } }) => {
    if (context.fault !== undefined) throw context.fault
    if (isPreflight(context.request)) return respondToPreflight(context)
    await enterSession(context)
    return respondToUnknownPath(context, parts.hasDashboard)
  })
  app.onError((fault, { env: { context } }) => check(context, respondWithFault(context, fault, parts.onFault)))
  return app
}
