import { problem } from '../errors.ts'
import { isAborted, onAbort } from './abort.ts'

/**
 * A span of milliseconds; `from` equals `to` for a fixed delay.
 *
 * @example const delay: Delay = { from: 100, to: 500 }
 */
export interface Delay {
  readonly from: number
  readonly to: number
}

/** The longest delay in milliseconds. */
export const MAX_DELAY = 60_000

/** `300` or `100-500` in milliseconds, at most {@link MAX_DELAY}; undefined for anything else. */
export function findDelay(text: string): Delay | undefined {
  const parts = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(text)
  if (parts === null) return undefined
  const from = Number(parts[1])
  const to = Number(parts[2] ?? parts[1])
  return from <= to && to <= MAX_DELAY ? { from, to } : undefined
}

/**
 * Reads the header `X-Mock-Delay`.
 *
 * @throws {Problem} 400 for what is no delay.
 */
export function parseDelayHeader(text: string): Delay {
  const delay = findDelay(text)
  if (delay !== undefined) return delay
  throw problem.invalidField({
    field: 'X-Mock-Delay',
    invalidValue: text,
    message: `The header X-Mock-Delay: ${JSON.stringify(text)} is not a delay. Send milliseconds, such as 300 or 100-500, at most ${MAX_DELAY}.`,
  })
}

/** Waits for milliseconds, or until the client is gone. */
export function wait(milliseconds: number, request: Request): Promise<void> {
  if (milliseconds <= 0 || isAborted(request)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const stop = onAbort(request, done)
  })
}
