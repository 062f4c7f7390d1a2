import { startContender } from './contenders.js'
import { median } from './measure.js'

const headers = { Authorization: 'Bearer view_test:bench' }

/** Milliseconds from the start of the process to the end of its first response. */
async function measureOnce(name, flags) {
  const start = performance.now()
  const contender = await startContender(name, undefined, flags)
  const response = await fetch(`${contender.url}/bench/resource?limit=1`, { headers })
  await response.arrayBuffer()
  const elapsed = performance.now() - start
  await contender.stop()
  if (response.status !== 200) throw new Error(`${name} answered ${response.status} first, not 200.`)
  return elapsed
}

/**
 * Starts the contenders in turn, after one start each that does not count: it fills the caches.
 *
 * @returns {Promise<readonly number[]>} medians in milliseconds, in the order of the names
 */
export async function measureStartup(names, rounds, flags = []) {
  for (const name of names) await measureOnce(name, flags)
  const seen = names.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, name] of names.entries()) seen[index].push(await measureOnce(name, flags))
  }
  return seen.map(median)
}
