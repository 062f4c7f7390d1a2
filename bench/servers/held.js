/**
 * The mock with a watch on its event loop. The parent process sends `reset` before a request, and `read` after it to be
 * told how long the loop was held at most, in milliseconds.
 */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startServer } from '../../dist/node.js'

/** How often the watch looks, in milliseconds. */
const RESOLUTION = 1

/** Nanoseconds that the event loop's thread had a processor so far; NaN where the system does not tell. */
const readThreadTime = () => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return Number.NaN
  }
}

const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
const server = await startServer({ port: 0, onFault: (fault) => console.error(fault) })

let threadTime = 0
process.on('message', (word) => {
  if (word === 'reset') {
    delay.disable()
    delay.reset()
    delay.enable()
    threadTime = readThreadTime()
    process.send({ kind: 'ready' })
  } else {
    // What is more than the thread computed was the time of other processes.
    const computed = readThreadTime() - threadTime
    const held = Math.min(delay.max - RESOLUTION * 1e6, Number.isNaN(computed) ? Infinity : computed)
    process.send({ kind: 'held', milliseconds: Math.max(0, held) / 1e6 })
  }
})
process.send({ kind: 'url', url: server.url })
