import { readFileSync } from 'node:fs'
import { load } from './load.js'

/** The median; for an even number, the mean of the middle two. */
export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2
}

const TICKS_PER_SECOND = 100

/** Warm-up before a server is measured, in seconds: until its code is optimized. */
const WARM_UP = 4

/** Seconds of processor time that a process has used; NaN if the system does not report it. */
export const readProcessorTime = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

/** One request in this many may fail: wrk gives up on a client if a busy server does not respond for two seconds. */
const MOST_FAULTS = 1000

/**
 * @typedef {object} Entrant
 * @property {{ name: string, url: string, pid: number }} contender
 * @property {import('./load.js').Job} job
 */

/**
 * @typedef {object} Result
 * @property {number} requestsPerSecond
 * @property {number} busy the share of the time in which the server was busy; if it is well below 1, the figure is about
 * the load or the machine
 * @property {number} p99 milliseconds within which 99 of 100 requests got a response
 */

/**
 * Loads one entrant for a while.
 *
 * @param {Entrant} entrant
 * @param {number} [wanted] seconds; default: those of the job
 * @returns {Promise<Result>}
 */
async function measureOnce({ contender, job }, wanted = job.seconds) {
  const before = readProcessorTime(contender.pid)
  const { requestsPerSecond, seconds, faults, p99 } = await load(contender.url, { ...job, seconds: wanted })
  if (faults > (requestsPerSecond * seconds) / MOST_FAULTS || requestsPerSecond === 0) {
    throw new Error(
      `${contender.name} answered ${faults} of the ${job.load.kind} requests with a fault: nothing to compare.`,
    )
  }
  return { requestsPerSecond, p99, busy: (readProcessorTime(contender.pid) - before) / seconds }
}

/**
 * Loads two entrants one after the other, each after a warm-up that does not count.
 *
 * @param {readonly [Entrant, Entrant]} entrants
 * @param {boolean} isTurned whether the second one starts
 * @returns {Promise<readonly [Result, Result]>} in the entrants' order
 */
export async function measureRound(entrants, isTurned) {
  const inTurn = isTurned ? entrants.toReversed() : entrants
  for (const entrant of inTurn) await measureOnce(entrant, Math.min(WARM_UP, entrant.job.seconds))
  const results = [await measureOnce(inTurn[0]), await measureOnce(inTurn[1])]
  return isTurned ? results.toReversed() : results
}

/**
 * @param {readonly (readonly [Result, Result])[]} rounds
 * @returns {{ speeds: readonly [number, number], p99: readonly [number, number], busy: readonly [number, number], ratio:
 * number }} medians. `ratio` is the median of the ratios of the second to the first within a round: a temporary slowdown of
 * the machine affects both sides
 */
export function summarize(rounds) {
  const toMedians = (read) => [0, 1].map((index) => median(rounds.map((results) => read(results[index]))))
  return {
    speeds: toMedians(({ requestsPerSecond }) => requestsPerSecond),
    p99: toMedians(({ p99 }) => p99),
    busy: toMedians(({ busy }) => busy),
    ratio: median(rounds.map(([first, second]) => second.requestsPerSecond / first.requestsPerSecond)),
  }
}
