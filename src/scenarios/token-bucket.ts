import type { Effect } from './effect-schema.ts'

type RateLimit = NonNullable<Effect['rateLimit']>

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

/** @param elapsed milliseconds of a clock that never stands still */
export function createTokenBucket({ requests, perSeconds }: RateLimit, elapsed: () => number): TokenBucket {
  const perMillisecond = requests / (perSeconds * 1000)
  const toSeconds = (tokens: number) => Math.ceil(tokens / perMillisecond / 1000)
  let left = requests
  let at = elapsed()
  return {
    take() {
      const now = elapsed()
      left = Math.min(requests, left + (now - at) * perMillisecond)
      at = now
      const isAllowed = left >= 1
      if (isAllowed) left -= 1
      return {
        isAllowed,
        limit: requests,
        remaining: Math.floor(left),
        retryAfter: Math.max(1, toSeconds(1 - left)),
        reset: toSeconds(requests - left),
      }
    },
  }
}
