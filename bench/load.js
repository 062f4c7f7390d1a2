import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { LOAD_CORE, spawnOn } from './pin.js'

const script = fileURLToPath(new URL('load.lua', import.meta.url))

/**
 * @typedef {object} Job
 * @property {object} headers of every request
 * @property {number} connections number of clients; each waits for its response before it sends the next request
 * @property {number} seconds
 * @property {{ kind: 'get' | 'create' | 'update', path?: string, paths?: readonly string[], body?: object, action?: object,
 * maxSeconds?: number }} load
 */

const readVersion = async (url, headers, path) => String((await (await fetch(url + path, { headers })).json()).version)

/** The arguments of bench/load.lua for each kind of load. */
const toArguments = {
  get: (url, { load }) => load.paths,
  create: (url, { load }) => [load.path, JSON.stringify(load.body)],
  update: async (url, { headers, connections, load }) => {
    const given = [JSON.stringify(load.action)]
    for (const path of load.paths.slice(0, connections + 1)) given.push(path, await readVersion(url, headers, path))
    return given
  },
}

/**
 * Loads one server for a while, with wrk on its own core. wrk needs only a small part of the core: a load generator about
 * as slow as the server idles more with a slower server, and each response that has to wake it up slows the server further.
 *
 * @param {string} url
 * @param {Job} job
 * @returns {Promise<{ requestsPerSecond: number, seconds: number, faults: number, p99: number }>} the seconds that it took,
 * and the milliseconds within which 99 of 100 requests got a response
 */
export async function load(url, job) {
  const headers = Object.entries(job.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const how = ['-t1', `-c${job.connections}`, `-d${job.seconds}`, '-s', script]
  const given = await toArguments[job.load.kind](url, job)
  const child = spawnOn(LOAD_CORE, 'wrk', [...how, ...headers, url, '--', job.load.kind, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  if (!last.startsWith('{')) throw new Error(`wrk did not say what it saw:\n${output}`)
  return JSON.parse(last)
}
