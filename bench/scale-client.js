import { once } from 'node:events'
import { startContender } from './contenders.js'
import { draft } from './seed.js'

export const COLLECTION = '/bench/resource'

const MEMORY = ['--expose-gc', '--import', new URL('soak/memory.js', import.meta.url).href]
const MEGABYTE = 1024 * 1024

/**
 * Sends requests to one mock.
 *
 * @param {Awaited<ReturnType<typeof startContender>>} mock
 */
function createClient({ url, stop, child }) {
  /** @returns {Promise<{ status: number, milliseconds: number, text: string }>} */
  async function send(method, path, { session, body } = {}) {
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
    if (session !== undefined) headers['X-Mock-Session'] = session
    const start = performance.now()
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    return { status: response.status, text, milliseconds: performance.now() - start }
  }

  return {
    send,
    stop,
    /** Milliseconds of a request that must get the expected response. */
    async time(method, path, options, expected = 200) {
      const { status, text, milliseconds } = await send(method, path, options)
      if (status === expected) return milliseconds
      throw new Error(`${method} ${path} was answered ${status}, not ${expected}: ${text.slice(0, 500)}`)
    },
    create: (session, key) =>
      send('POST', COLLECTION, { session, body: JSON.stringify(key === undefined ? draft : { ...draft, key }) }),
    /** Megabytes that the mock uses after a garbage collection. */
    async readMemory() {
      child.send('read')
      const [{ heapUsed, external }] = await once(child, 'message')
      return (heapUsed + external) / MEGABYTE
    },
  }
}

/** Starts a mock whose memory can be read, and returns its client. */
export const startMock = async (fixtures, flags = []) =>
  createClient(await startContender('resource-mock', fixtures, flags, MEMORY))
