import type { Chance } from '../util/chance.ts'
import { parseDelayHeader, wait } from '../http/delay.ts'
import type { Delay } from '../http/delay.ts'
import type { RequestContext } from './request-context.ts'

/** Waits as long as the request's header says, or else the command line, plus what scenarios add in milliseconds. */
export type DelayRequest = (context: RequestContext, milliseconds: number) => Promise<void> | undefined

export function createDelay(always: Delay | undefined, chance: Chance): DelayRequest {
  return function delay(context, milliseconds) {
    const asked = context.header('x-mock-delay')
    const span = asked === undefined ? always : parseDelayHeader(asked)
    const own = span === undefined ? 0 : span.from + (span.to - span.from) * chance.next()
    return own + milliseconds > 0 ? wait(own + milliseconds, context.request) : undefined
  }
}
