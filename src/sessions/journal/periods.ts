import { isFailedStatus } from './record.ts'
import type { KeptExchange } from './kept-exchange.ts'

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

type TimedExchange = Pick<KeptExchange, 'time' | 'status'>

interface Count {
  requests: number
  failures: number
}

/**
 * Counts requests in at most 200 periods, as they come and go. A period is a power of two of milliseconds long, so that two
 * of them can be joined to a longer one.
 */
export class Periods {
  #step = 1
  /** By the number of the period, counted from 1970. */
  #counts = new Map<number, Count>()
  /** The numbers of the first and the last period. */
  #first = Infinity
  #last = -Infinity

  constructor(exchanges: Iterable<TimedExchange> = []) {
    for (const one of exchanges) this.add(one)
  }

  add({ time, status }: TimedExchange): void {
    this.#count(Math.floor(time / this.#step), 1, isFailedStatus(status) ? 1 : 0)
    this.#widen(MOST_PERIODS)
  }

  /**
   * Subtracts an exchange.
   *
   * @param rest the exchanges that remain, which are counted again if they are in few periods
   */
  drop({ time, status }: TimedExchange, rest: () => Iterable<TimedExchange>): void {
    const at = Math.floor(time / this.#step)
    const count = this.#counts.get(at)
    if (count === undefined) return
    count.requests -= 1
    if (isFailedStatus(status)) count.failures -= 1
    if (count.requests > 0) return
    this.#counts.delete(at)
    if (this.#counts.size === 0) return this.#clear(1)
    while (!this.#counts.has(this.#first)) this.#first += 1
    while (!this.#counts.has(this.#last)) this.#last -= 1
    if (this.#step === 1 || this.#length >= FEWEST_PERIODS) return
    this.#clear(1)
    for (const one of rest()) this.add(one)
  }

  /** The counts of all together, in at most as many periods as wanted; undefined without requests. */
  static toHistogram(all: readonly Periods[], wanted: number): Histogram | undefined {
    const sum = new Periods()
    for (const one of all) {
      while (sum.#step < one.#step) sum.#join()
      for (const [at, { requests, failures }] of one.#counts)
        sum.#count(Math.floor((at * one.#step) / sum.#step), requests, failures)
    }
    if (sum.#counts.size === 0) return undefined
    sum.#widen(Math.min(Math.max(wanted, 1), MOST_PERIODS))
    const counts = Array.from({ length: sum.#length }, (_, at) => sum.#counts.get(sum.#first + at))
    return {
      from: new Date(sum.#first * sum.#step).toISOString(),
      step: sum.#step,
      counts: counts.map((count) => count?.requests ?? 0),
      failed: counts.map((count) => count?.failures ?? 0),
    }
  }

  get #length(): number {
    return this.#last - this.#first + 1
  }

  #clear(step: number): void {
    this.#step = step
    this.#counts.clear()
    this.#first = Infinity
    this.#last = -Infinity
  }

  #count(at: number, requests: number, failures: number): void {
    const count = this.#counts.get(at)
    if (count !== undefined) {
      count.requests += requests
      count.failures += failures
      return
    }
    this.#counts.set(at, { requests, failures })
    this.#first = Math.min(this.#first, at)
    this.#last = Math.max(this.#last, at)
  }

  /** Makes periods longer until there are at most this many. */
  #widen(most: number): void {
    while (this.#length > most) this.#join()
  }

  /** Joins each two periods. */
  #join(): void {
    const counts = [...this.#counts]
    this.#clear(this.#step * 2)
    for (const [at, { requests, failures }] of counts) this.#count(Math.floor(at / 2), requests, failures)
  }
}
