import { isRead } from '../../service/http/request-head.ts'
import { findJson, isJsonObject, stringifyJson } from '../../service/http/json.ts'
import type { Attempts, KeptExchange } from './kept-exchange.ts'
import { CLIENT_DISCONNECTED, isFailed } from './failure-kinds.ts'
import type { KeptBody } from './redact.ts'
import { toSent, toSentPath } from './target.ts'

/** Counts of requests in equal periods. */
export interface Histogram {
  /** Start of the first period in ISO 8601. */
  readonly from: string
  /** Length of a period in milliseconds. */
  readonly step: number
  readonly counts: readonly number[]
  /** Counts of the requests that failed. */
  readonly failed: readonly number[]
}

const MOST_PERIODS = 200
/** With fewer, shorter periods are counted again. */
const FEWEST_PERIODS = 40

type TimedExchange = Pick<KeptExchange, 'time' | 'status'> & Partial<Pick<KeptExchange, 'fault'>>

interface PeriodCount {
  requests: number
  failures: number
}

/**
 * Counts requests in at most 200 periods, as they come and go. A period is a power of two of milliseconds long, so that two
 * of them can be joined to a longer one.
 */
export class Periods {
  #step = 1
  /** The number of the first period, counted from 1970. */
  #first = 0
  /** Of each period from the first to the last one with requests. */
  #counts: PeriodCount[] = []

  constructor(exchanges: Iterable<TimedExchange> = []) {
    for (const one of exchanges) this.add(one)
  }

  add(exchange: TimedExchange): void {
    this.#count(exchange.time, 1, isFailed(exchange) ? 1 : 0)
  }

  /**
   * Subtracts an exchange.
   *
   * @param rest the exchanges that remain, which are counted again if they are in few periods
   */
  drop(exchange: TimedExchange, rest: () => Iterable<TimedExchange>): void {
    const counts = this.#counts
    const count = counts[Math.floor(exchange.time / this.#step) - this.#first]
    if (count === undefined) return
    count.requests -= 1
    if (isFailed(exchange)) count.failures -= 1
    if (count.requests > 0) return
    while (counts[0]?.requests === 0) {
      counts.shift()
      this.#first += 1
    }
    while (counts.at(-1)?.requests === 0) counts.pop()
    if (counts.length > 0 && (this.#step === 1 || counts.length >= FEWEST_PERIODS)) return
    this.#step = 1
    this.#counts = []
    for (const one of rest()) this.add(one)
  }

  /** The counts of all together, in at most as many periods as wanted; undefined without requests. */
  static toHistogram(all: readonly Periods[], wanted: number): Histogram | undefined {
    const sum = new Periods()
    sum.#step = Math.max(1, ...all.map((one) => one.#step))
    for (const one of all)
      for (const [at, { requests, failures }] of one.#counts.entries())
        if (requests > 0) sum.#count((one.#first + at) * one.#step, requests, failures)
    while (sum.#counts.length > Math.max(wanted, 1)) sum.#join()
    if (sum.#counts.length === 0) return undefined
    return {
      from: new Date(sum.#first * sum.#step).toISOString(),
      step: sum.#step,
      counts: sum.#counts.map(({ requests }) => requests),
      failed: sum.#counts.map(({ failures }) => failures),
    }
  }

  #count(time: number, requests: number, failures: number): void {
    if (this.#counts.length === 0) this.#first = Math.floor(time / this.#step)
    let at = Math.floor(time / this.#step) - this.#first
    while (Math.max(this.#counts.length, at + 1) - Math.min(at, 0) > MOST_PERIODS) {
      this.#join()
      at = Math.floor(time / this.#step) - this.#first
    }
    for (; at < 0; at += 1) {
      this.#counts.unshift({ requests: 0, failures: 0 })
      this.#first -= 1
    }
    while (this.#counts.length <= at) this.#counts.push({ requests: 0, failures: 0 })
    const count = this.#counts[at]
    if (count === undefined) return
    count.requests += requests
    count.failures += failures
  }

  /** Joins each two periods to one of twice their length. */
  #join(): void {
    const counts = this.#counts
    const start = this.#first * this.#step
    this.#step *= 2
    this.#counts = []
    for (const [at, { requests, failures }] of counts.entries())
      this.#count(start + (at * this.#step) / 2, requests, failures)
  }
}

/** Whether a failed request was retried, and whether any retry succeeded. */
export type RetryState = 'none' | 'failed' | 'succeeded'

/** Only this many characters of a body distinguish requests. */
const COMPARED_BODY = 2000

/** Identifies a body by the actions of an update or the key of a draft, if any; the rest may differ in a retry. */
function toIntent(body: KeptBody | undefined): string {
  if (body === undefined) return ''
  const value = body.encoding === 'utf-8' ? findJson(body.text) : undefined
  const text = `${body.size} ${body.text.slice(0, COMPARED_BODY)}`
  if (!isJsonObject(value)) return text
  const { actions, key } = value
  if (Array.isArray(actions)) {
    return stringifyJson(actions.map((one: unknown) => (isJsonObject(one) ? one['action'] : one)))
  }
  return typeof key === 'string' ? `key ${key}` : text
}

/** Statuses below 500 that another attempt at the same request may overcome: a new token, or time. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** Whether a read fails as the one before did, for a reason that does not pass: a page that is opened again, not a retry. */
function failsAgain({ method, status }: KeptExchange, before: KeptExchange): boolean {
  return isRead(method) && status >= 400 && status < 500 && !TRANSIENT.has(status) && status === before.status
}

/** Creates what relates the exchanges of a session to their retries, as they come and go. */
export function createRetries() {
  /** Attempts without a success so far, by method and path, and by key. Only requests to these places are compared. */
  const open = new Map<string, Map<string, Attempts>>()

  function close({ place, key }: Attempts): void {
    const here = open.get(place)
    here?.delete(key)
    if (here?.size === 0) open.delete(place)
  }

  return {
    /** Returns the failed attempt that the newest exchange retries. */
    add(exchange: KeptExchange): KeptExchange | undefined {
      exchange.attempt = undefined
      const hasFailed = isFailed(exchange)
      if (!hasFailed && open.size === 0) return undefined
      const place = `${exchange.method} ${toSentPath(exchange.url)}`
      const here = open.get(place)
      if (!hasFailed && here === undefined) return undefined
      // What a request at a place shares with its retries, which may have another version.
      const [, ...search] = toSent(exchange.url).split('?')
      const query = new URLSearchParams(search.join('?'))
      query.delete('version')
      exchange.intent ??= toIntent(exchange.requestBody)
      const key = JSON.stringify([String(query), exchange.intent])
      const known = here?.get(key)
      const previous = known === undefined || failsAgain(exchange, known.last) ? undefined : known.last
      if (!hasFailed && previous === undefined) return undefined
      const attempts = (previous && known) ?? { place, key, first: exchange, last: exchange }
      attempts.last = exchange
      exchange.attempt = { attempts, previous, next: undefined }
      if (previous?.attempt !== undefined) previous.attempt.next = exchange
      if (!hasFailed) close(attempts)
      else if (previous === undefined) open.set(place, (here ?? new Map<string, Attempts>()).set(key, attempts))
      return previous
    },
    /** Forgets the oldest exchange. */
    drop({ attempt }: KeptExchange): void {
      if (attempt === undefined) return
      const { attempts, next } = attempt
      if (next?.attempt === undefined) {
        if (open.get(attempts.place)?.get(attempts.key) === attempts) close(attempts)
        return
      }
      attempts.first = next
      next.attempt.previous = undefined
      if (!isFailed(next)) next.attempt = undefined
    },
  }
}

/** The retry of a failed request that succeeded. */
export function findRecovery(exchange: KeptExchange): KeptExchange | undefined {
  const last = exchange.attempt?.attempts.last
  return last === undefined || !isFailed(exchange) || isFailed(last) ? undefined : last
}

/** The retry state of a request; undefined if it did not fail. */
export function findRetryState(exchange: KeptExchange): RetryState | undefined {
  if (!isFailed(exchange)) return undefined
  if (findRecovery(exchange) !== undefined) return 'succeeded'
  return exchange.attempt?.next === undefined ? 'none' : 'failed'
}

/** Requests that called the same operation and got the same status. */
export interface SeenResponses {
  /** Undefined if no operation matched the request. */
  readonly operation?: string | undefined
  readonly method: string
  /** 0 for a broken connection. */
  readonly status: number
  /** The clients left before the response. */
  readonly clientLeft?: true
  readonly count: number
  /** How many of them failed and were retried. */
  readonly retried: number
}

/** What the mock saw of a session. */
export interface SeenByMock {
  readonly requests: number
  /** Responses with an error, and broken connections. */
  readonly failures: number
  /** The scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** In the order of the first request of each; at most 100. */
  readonly responses: readonly SeenResponses[]
}

const MOST_RESPONSES = 100

/** Creates a summary of a session's exchanges, which are counted as they come and go. */
export function createSummary() {
  const scenarios = new Set<string>()
  const responses: { -readonly [Member in keyof SeenResponses]: SeenResponses[Member] }[] = []
  const retries = createRetries()
  const periods = new Periods()
  let failures = 0

  const findResponses = ({ operation, method, status, fault }: KeptExchange) =>
    responses.find(
      (one) =>
        one.status === status &&
        one.clientLeft === (fault === CLIENT_DISCONNECTED || undefined) &&
        one.operation === operation &&
        (operation !== undefined || one.method === method),
    )

  return {
    /** Of the exchanges that were not dropped. */
    periods,
    count(exchange: KeptExchange): void {
      const { operation, method, status, fault } = exchange
      const left = fault === CLIENT_DISCONNECTED ? ({ clientLeft: true } as const) : {}
      const known = findResponses(exchange)
      if (known !== undefined) known.count += 1
      else if (responses.length < MOST_RESPONSES)
        responses.push({ operation, method, status, ...left, count: 1, retried: 0 })
      for (const scenario of exchange.scenarios) scenarios.add(scenario)
      if (isFailed(exchange)) failures += 1
      const failed = retries.add(exchange)
      const retried = failed && findResponses(failed)
      if (retried !== undefined) retried.retried += 1
      periods.add(exchange)
    },
    /** Subtracts the oldest exchange from what is known of the journal; it stays counted in what was seen. */
    drop(oldest: KeptExchange, rest: () => Iterable<KeptExchange>): void {
      retries.drop(oldest)
      periods.drop(oldest, rest)
    },
    read: (): Omit<SeenByMock, 'requests'> => ({
      failures,
      scenarios: [...scenarios],
      responses: responses.map((one) => ({ ...one })),
    }),
  }
}
