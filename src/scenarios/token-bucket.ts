import type { Effect } from './effect-schema.ts'

export type RateLimit = NonNullable<Effect['rateLimit']>

/** What a token bucket says to one request. */
export interface Limited {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next request is allowed, and until the bucket is full again; rounded up. */
  readonly retryAfter: number
  readonly reset: number
}

/** A bucket that starts full and fills up evenly; each request that it allows takes one token out. */
export interface TokenBucket {
  take(): Limited
}

/** How many tokens come back in a millisecond. */
export const perMillisecondOf = ({ requests, perSeconds }: RateLimit): number => requests / (perSeconds * 1000)

/** What a bucket says that has so many tokens left, after it was asked for one. */
export function toLimited(limit: RateLimit, isAllowed: boolean, left: number): Limited {
  const toSeconds = (tokens: number) => Math.ceil(tokens / perMillisecondOf(limit) / 1000)
  return {
    isAllowed,
    limit: limit.requests,
    remaining: Math.floor(left),
    retryAfter: Math.max(1, toSeconds(1 - left)),
    reset: toSeconds(limit.requests - left),
  }
}

/** @param elapsed milliseconds of a clock that never stands still */
export function createTokenBucket(limit: RateLimit, elapsed: () => number): TokenBucket {
  const { requests } = limit
  let left = requests
  let at = elapsed()
  return {
    take() {
      const now = elapsed()
      left = Math.min(requests, left + (now - at) * perMillisecondOf(limit))
      at = now
      const isAllowed = left >= 1
      if (isAllowed) left -= 1
      return toLimited(limit, isAllowed, left)
    },
  }
}
