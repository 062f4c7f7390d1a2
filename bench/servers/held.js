/**
 * The mock with a watchdog on its event loop. The parent process sends `reset` before a request, and `read` after it to get
 * the longest block of the loop, in milliseconds.
 */
import { readFileSync } from 'node:fs'
import { startServer } from '../../dist/node.js'

/**
 * Milliseconds of CPU time of the event loop's thread, so that other processes do not count. If the system does not report
 * it, elapsed milliseconds.
 */
function readTime() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

let last = readTime()
let held = 0
setInterval(() => {
  const now = readTime()
  held = Math.max(held, now - last)
  last = now
}, 1)

process.on('message', (word) => {
  if (word === 'reset') {
    held = 0
    process.send({ kind: 'ready' })
  } else {
    process.send({ kind: 'held', milliseconds: held })
  }
})

/** The number of failed updates in the journal. */
const filled = Number(process.argv[2] ?? 0)
const server = await startServer({
  port: 0,
  onFault: (fault) => console.error(fault),
  ...(filled === 0 ? {} : { journal: filled }),
})
for (let at = 0; at < filled; at += 1) {
  const url = `${server.url}/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f`
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ version: 1_000_000, actions: [{ action: 'doSomeThing', note: `number ${at}` }] })
  const response = await server.mock.fetch(new Request(url, { method: 'POST', headers, body }))
  if (response.status !== 409) throw new Error(`The update was answered ${response.status}.`)
  await response.arrayBuffer()
}
process.send({ kind: 'url', url: server.url })
