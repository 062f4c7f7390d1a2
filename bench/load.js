/** Loads one server for a while, in a process and on a core of its own: reads a job from standard input, writes what it saw. */
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'

const job = JSON.parse(await text(process.stdin))
const { url, headers, connections, seconds, load } = job

/** One client's endless sequence of requests. */
const sequences = {
  get: (client) => {
    // Each client starts elsewhere, so that they do not ask for the same resource at once.
    const start = Math.floor((client * load.paths.length) / connections)
    return [...load.paths.slice(start), ...load.paths.slice(0, start)].map((path) => ({ method: 'GET', path }))
  },
  create: () => [{ method: 'POST', path: load.path, body: JSON.stringify(load.body) }],
  /** Updates one resource after the other's answer, with the version that the last one left. */
  update: (client) => {
    let version = versions[client]
    return [
      {
        method: 'POST',
        path: load.paths[client],
        setupRequest: (request) => ({
          ...request,
          body: `{"version":${version},"actions":[{"action":"changeSomeProperty","someProperty":"value ${version}"}]}`,
        }),
        onResponse: (status) => {
          if (status === 200) version += 1
        },
      },
    ]
  },
}

const readVersion = async (path) => (await (await fetch(url + path, { headers })).json()).version
const versions = load.kind === 'update' ? await Promise.all(load.paths.slice(0, connections).map(readVersion)) : []

let clients = 0
const result = await autocannon({
  url,
  headers,
  connections,
  duration: seconds,
  setupClient: (client) => {
    client.setRequests(sequences[load.kind](clients))
    clients += 1
  },
})

console.log(
  JSON.stringify({
    requestsPerSecond: result['2xx'] / result.duration,
    faults: result.non2xx + result.errors + result.timeouts,
  }),
)
