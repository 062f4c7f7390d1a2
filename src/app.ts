import { after, onward } from './after.ts'
import type { Authenticator } from './auth/authenticate.ts'
import type { Grant } from './auth/scopes.ts'
import { NOTHING } from './contract/decode.ts'
import type { Decoded, DecodeOptions } from './contract/decode.ts'
import type { Answer } from './contract/handler.ts'
import type { Path } from './contract/paths.ts'
import type { Warn } from './contract/warning.ts'
import { problem } from './errors.ts'
import type { CorsPolicy } from './http/cors.ts'
import type { Context } from './operations/operation.ts'
import { NO_EFFECTS } from './scenarios/effects.ts'
import type { Effects, ScenarioOutcome } from './scenarios/effects.ts'
import type { Stage } from './scenarios/rule-runner.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AdvanceVersion } from './walk/advance-version.ts'
import { createAdmit } from './walk/admit.ts'
import { createAuthorize } from './walk/authorize.ts'
import { createBeside } from './walk/beside.ts'
import type { Mounted } from './walk/beside.ts'
import type { OpenContext } from './walk/context.ts'
import type { Direct } from './walk/direct.ts'
import { createWarn } from './walk/exchange.ts'
import type { Exchange, Outcome } from './walk/exchange.ts'
import type { Inspect } from './walk/inspect.ts'
import type { Perform } from './walk/perform.ts'
import type { Recorder } from './walk/recorder.ts'
import { endExchange, toFaultReply } from './walk/respond.ts'
import { createTableRouter } from './walk/router.ts'
import type { Found, PathParameters } from './walk/router.ts'
import { createServedMethods } from './walk/served.ts'
import type { Served } from './walk/served.ts'

/** What the app is built from. */
export interface AppParts extends DecodeOptions {
  readonly sessions: Sessions
  readonly direct: Direct
  /** Waits as long as the request, the scenarios and the command line want. */
  readonly delay: (exchange: Exchange, milliseconds: number) => Promise<void> | undefined
  readonly authenticate: Authenticator
  readonly openContext: OpenContext
  readonly perform: Perform
  readonly advanceVersion: AdvanceVersion
  /** Beside the endpoint table: the token endpoints, the admin API. */
  readonly mounted: readonly Mounted[]
  readonly cors: CorsPolicy
  readonly recorder: Recorder
  readonly onFault: (fault: unknown, correlationId: string) => void
  /** Holds every answer of the table's operations to the contract; absent where none is to be. */
  readonly inspect?: Inspect | undefined
}

/** One request on its walk, with what each step leaves to those after it. */
interface Step {
  readonly served: Served
  readonly exchange: Exchange
  readonly path: PathParameters
  readonly projectKey: string
  /** What the scenarios do at a stage. */
  readonly play: (stage: Stage, body?: unknown) => Effects | Promise<Effects>
  readonly warn: Warn
  /** What the scenarios do before the request is looked at. */
  before: Effects
  decoded: Decoded
  /** What they do to its processing. */
  effects: Effects
}

const noEffects = (): Effects => NO_EFFECTS

/** The methods that paths of the table answer themselves. */
const WALKING = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** A path of the table, and what it serves by method. */
interface Place {
  readonly path: Path
  readonly methods: ReadonlyMap<string, Served>
}

/** Answers an exchange. */
export type App = (exchange: Exchange) => Outcome | Promise<Outcome>

/**
 * The app of the mock: the walk of a request through the endpoint table, top to bottom, and what is mounted beside it. Each
 * step hands what it found to the next, at once where nothing has to be awaited; they share one record, since a closure for
 * each would cost a request more than what the steps do.
 */
export function createApp(parts: AppParts): App {
  const { cors, recorder, inspect } = parts
  const findRoute = createTableRouter<Place>((path) => ({ path, methods: createServedMethods(path, parts) }))
  const admit = createAdmit(parts.sessions)
  const authorize = createAuthorize()
  const fail = (exchange: Exchange, fault: unknown) =>
    toFaultReply(exchange, fault, { ...parts, cors: beside.corsOf(exchange) })
  const beside = createBeside({ ...parts, admit, fail })
  const ends = { cors, recorder }

  /** The end that a scenario made up, after the writers that it let come first. */
  function endFaked({ exchange, path, projectKey, warn }: Step, outcome: ScenarioOutcome, { versionsAhead }: Effects) {
    exchange.isFaked = true
    if (versionsAhead === 0) return endExchange(exchange, outcome, ends)
    const opening = after(parts.openContext(exchange, projectKey, warn, NO_EFFECTS), (context) =>
      parts.advanceVersion(versionsAhead, path, context),
    )
    return after(opening, () => endExchange(exchange, outcome, ends))
  }

  function answer(exchange: Exchange): Outcome | Promise<Outcome> {
    const { method, address } = exchange
    const found = WALKING.has(method) && !beside.isReserved(address.path) ? findRoute(address.path) : undefined
    if (found === undefined) return beside.answer(exchange)
    const answering = answerOperation(found, exchange)
    return inspect === undefined ? answering : after(answering, (outcome) => inspect(exchange, outcome))
  }

  function answerOperation(found: Found<Place>, exchange: Exchange): Outcome | Promise<Outcome> {
    try {
      const answering = serve(found, exchange)
      return answering instanceof Promise ? answering.catch((fault: unknown) => fail(exchange, fault)) : answering
    } catch (fault) {
      return fail(exchange, fault)
    }
  }

  /** D24: a literal segment never falls through to a parameter, so each path answers for every method. */
  function serve({ target: { path, methods }, parameters }: Found<Place>, exchange: Exchange) {
    const { method } = exchange
    const served = methods.get(method)
    if (served !== undefined) return walk(served, exchange, parameters)
    admit(exchange)
    throw problem.methodNotAllowed(method, exchange.address.path, path.allowed)
  }

  function walk(served: Served, exchange: Exchange, path: PathParameters): Outcome | Promise<Outcome> {
    const { projectKey = '' } = path
    exchange.operation = served.id
    exchange.projectKey = projectKey
    const session = admit(exchange)
    const play = parts.direct(exchange, session, served, projectKey) ?? noEffects
    const warn = createWarn(exchange, parts.strict)
    const step: Step = {
      served,
      exchange,
      path,
      projectKey,
      play,
      warn,
      before: NO_EFFECTS,
      decoded: NOTHING,
      effects: NO_EFFECTS,
    }
    return onward(play('gateway'), step, wait)
  }

  function wait(before: Effects, step: Step) {
    step.before = before
    if (before !== NO_EFFECTS) step.exchange.additions = before
    return onward(parts.delay(step.exchange, before.delay), step, identify)
  }

  function identify(_waited: void, step: Step) {
    const { before, exchange, projectKey } = step
    if (before.outcome !== undefined) return endFaked(step, before.outcome, before)
    return onward(parts.authenticate(exchange.header('authorization'), projectKey), step, decode)
  }

  function decode(grant: Grant, step: Step) {
    const { served, exchange, projectKey, before, warn } = step
    authorize(grant, served.endpoint, projectKey, before)
    return onward(served.decode(exchange.address.search, warn, exchange), step, bend)
  }

  function bend(decoded: Decoded, step: Step) {
    step.decoded = decoded
    return onward(step.play('operation', decoded.body), step, open)
  }

  function open(effects: Effects, step: Step) {
    const { exchange, projectKey, warn } = step
    step.effects = effects
    if (effects.outcome?.kind === 'answer') return endFaked(step, effects.outcome, effects)
    return onward(parts.openContext(exchange, projectKey, warn, effects), step, perform)
  }

  function perform(context: Context, step: Step) {
    const { served, decoded, path, exchange, effects } = step
    const { preferences } = exchange
    const { versionsAhead } = effects
    return onward(parts.perform({ served, decoded, path, context, preferences, versionsAhead }), step, finish)
  }

  function finish(answer: Answer, { exchange, effects: { outcome } }: Step) {
    return endExchange(exchange, outcome === undefined ? { kind: 'answer', answer } : { ...outcome, answer }, ends)
  }

  return answer
}
