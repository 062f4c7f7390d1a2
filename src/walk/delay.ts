import type { Chance } from '../util/chance.ts'
import type { Exchange } from './exchange.ts'
import { parseDelayHeader, wait } from '../http/delay.ts'
import type { Delay } from '../http/delay.ts'

/** Waits as long as the request's own header wants, or else the command line, and as long as the scenarios want. */
export function createDelay(always: Delay | undefined, chance: Chance) {
  return function delay(exchange: Exchange, milliseconds: number): Promise<void> | undefined {
    const asked = exchange.header('x-mock-delay')
    const span = asked === undefined ? always : parseDelayHeader(asked)
    const own = span === undefined ? 0 : span.from + (span.to - span.from) * chance.next()
    return own + milliseconds > 0 ? wait(own + milliseconds, exchange.request) : undefined
  }
}
