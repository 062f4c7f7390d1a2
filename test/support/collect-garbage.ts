import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Runs the garbage collector after pending callbacks of the event loop. */
export async function collectGarbage(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  // In a process that many test files share, this takes a third of a second.
  collect()
}
