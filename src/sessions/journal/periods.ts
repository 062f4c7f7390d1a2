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
  /** The number of the first period, counted from 1970. */
  #first = 0
  /** Of each period from the first to the last one with requests. */
  #counts: Count[] = []

  constructor(exchanges: Iterable<TimedExchange> = []) {
    for (const one of exchanges) this.add(one)
  }

  add({ time, status }: TimedExchange): void {
    this.#count(time, 1, isFailedStatus(status) ? 1 : 0)
  }

  /**
   * Subtracts an exchange.
   *
   * @param rest the exchanges that remain, which are counted again if they are in few periods
   */
  drop({ time, status }: TimedExchange, rest: () => Iterable<TimedExchange>): void {
    const counts = this.#counts
    const count = counts[Math.floor(time / this.#step) - this.#first]
    if (count === undefined) return
    count.requests -= 1
    if (isFailedStatus(status)) count.failures -= 1
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
