import { onward } from '../after.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Grant } from '../auth/scopes.ts'
import { NOTHING } from '../contract/decode.ts'
import type { Decoded, DecodeOptions } from '../contract/decode.ts'
import type { Answer } from '../contract/handler.ts'
import type { Warn } from '../contract/warning.ts'
import type { CorsPolicy } from '../http/cors.ts'
import type { Context } from '../operations/operation.ts'
import { UNBENT } from '../scenarios/effects.ts'
import type { Bending, Ending } from '../scenarios/effects.ts'
import type { Stage } from '../scenarios/player.ts'
import type { Admit } from './admit.ts'
import { authorize } from './authorize.ts'
import type { OpenContext } from './context.ts'
import type { Direct } from './direct.ts'
import { createWarn } from './exchange.ts'
import type { Exchange, Outcome } from './exchange.ts'
import type { Perform } from './perform.ts'
import type { Recorder } from './recorder.ts'
import { endExchange } from './respond.ts'
import type { PathParameters } from './router.ts'
import type { Served } from './served.ts'

/** What a walk goes through. */
export interface WalkParts extends DecodeOptions {
  readonly direct: Direct
  /** Waits as long as the request, the scenarios and the command line want. */
  readonly delay: (exchange: Exchange, milliseconds: number) => Promise<void> | undefined
  readonly authenticate: Authenticator
  readonly openContext: OpenContext
  readonly perform: Perform
  readonly cors: CorsPolicy
  readonly recorder: Pick<Recorder, 'record'>
}

/** One request on its walk, with what each step leaves to those after it. */
interface Step {
  readonly served: Served
  readonly exchange: Exchange
  readonly path: PathParameters
  readonly projectKey: string
  /** What the scenarios do at a stage. */
  readonly play: (stage: Stage, body?: unknown) => Bending | Promise<Bending>
  readonly warn: Warn
  /** What the scenarios do before the request is looked at. */
  before: Bending
  decoded: Decoded
  /** What they do to its processing. */
  bending: Bending
}

/** Takes a request of one of the table's operations from its arrival to its answer. */
export type Walk = (served: Served, exchange: Exchange, path: PathParameters) => Outcome | Promise<Outcome>

const unbent = (): Bending => UNBENT

/**
 * Creates the walk. Each step hands what it found to the next, at once where nothing has to be awaited; all of them share
 * one record, since a closure for each would cost a request more than what the steps do.
 */
export function createWalk({ cors, recorder, ...parts }: WalkParts, admit: Admit): Walk {
  const ends = { cors, record: recorder.record }

  /** The end that a scenario made up. */
  const endFaked = (exchange: Exchange, ending: Ending) => {
    exchange.isFaked = true
    return endExchange(exchange, ending, ends)
  }

  function wait(before: Bending, step: Step) {
    step.before = before
    if (before !== UNBENT) step.exchange.additions = before
    return onward(parts.delay(step.exchange, before.delay), step, identify)
  }

  function identify(_waited: void, step: Step) {
    const { before, exchange, projectKey } = step
    if (before.ending !== undefined) return endFaked(exchange, before.ending)
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

  function open(bending: Bending, step: Step) {
    const { exchange, projectKey, warn } = step
    step.bending = bending
    if (bending.ending?.kind === 'answer') return endFaked(exchange, bending.ending)
    return onward(parts.openContext(exchange, projectKey, warn, bending), step, perform)
  }

  function perform(context: Context, step: Step) {
    const { served, decoded, path, exchange, bending } = step
    const { preferences } = exchange
    const { versionsAhead } = bending
    return onward(parts.perform({ served, decoded, path, context, preferences, versionsAhead }), step, finish)
  }

  function finish(answer: Answer, { exchange, bending: { ending } }: Step) {
    return endExchange(exchange, ending === undefined ? { kind: 'answer', answer } : { ...ending, answer }, ends)
  }

  return function walk(served: Served, exchange: Exchange, path: PathParameters): Outcome | Promise<Outcome> {
    const { projectKey = '' } = path
    exchange.operation = served.id
    exchange.projectKey = projectKey
    const session = admit(exchange)
    const play = parts.direct(exchange, session, served, projectKey) ?? unbent
    const warn = createWarn(exchange, parts.strict)
    const step: Step = {
      served,
      exchange,
      path,
      projectKey,
      play,
      warn,
      before: UNBENT,
      decoded: NOTHING,
      bending: UNBENT,
    }
    return onward(play('gateway'), step, wait)
  }
}
