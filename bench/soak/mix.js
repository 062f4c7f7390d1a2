import { draft } from '../seed.js'

/** A GIF of one pixel, plus bytes after its end that every reader ignores. */
const gif = Buffer.concat([Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'), Buffer.alloc(100_000, 1)])

const JSON_TYPE = { 'Content-Type': 'application/json' }
const PROJECTS = ['acme', 'globex', 'initech']

/** Numbers from 0 up to 1 (mulberry32), the same in each run. */
export function createChance(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const FAULTS = ['offline', 'truncated', 'flaky', 'unavailable', 'conflict', 'not-found', 'rate-limited']

const below = (bound, chance) => Math.floor(chance() * bound)
const pick = (list, chance) => list[below(list.length, chance)]
const text = (length, chance) => Array.from({ length }, () => below(36, chance).toString(36)).join('')

async function update({ send, chance }) {
  const path = `/acme/resource/key=resource-${below(200, chance)}`
  const found = await send('GET', path)
  const version = Number(found?.headers.get('ETag')?.replaceAll('"', '') ?? 1)
  const id = found?.headers.get('Content-Location')?.split('/').at(-1) ?? 'none'
  await send('POST', `/acme/resource/${id}`, {
    headers: JSON_TYPE,
    body: { version, actions: [{ action: 'doSomeThing' }] },
  })
}

const fail = ({ send, chance }) =>
  send('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': pick(FAULTS, chance) } })

async function generate({ send, chance }) {
  const rules = [{ effect: { generate: 1 + below(2000, chance) } }]
  await send('PUT', '/__admin/scenarios/more', { headers: JSON_TYPE, body: { description: 'More of them', rules } })
  await send('GET', '/acme/resource?limit=5', { headers: { 'X-Mock-Scenario': 'more' } })
}

async function define({ send, chance }) {
  const name = `mine-${below(50, chance)}`
  const rules = [{ effect: { answer: { status: 500, body: { text: 'x'.repeat(10_000) } } } }]
  await send('PUT', `/__admin/scenarios/${name}`, { headers: JSON_TYPE, body: { description: 'Mine', rules } })
  await send('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': name } })
  await send('DELETE', `/__admin/scenarios/${name}`)
}

async function snapshot({ send, chance }) {
  const path = `/__admin/snapshots/s${below(5, chance)}`
  await send('PUT', path)
  await send('POST', `${path}/restore`)
}

/**
 * The clients' actions: each entry has a weight, and a function that runs it once in a session.
 *
 * @typedef {object} Visit
 * @property {(method: string, path: string, options?: { headers?: object, body?: unknown }) => Promise<Response |
 * undefined>} send sends a request in the session and reads its response; undefined if a fault broke the connection
 * @property {() => number} chance
 * @property {(path: string, milliseconds: number) => Promise<void>} listen reads an event stream for a while
 * @type {readonly (readonly [weight: number, act: (visit: Visit) => Promise<unknown>])[]}
 */
export const mix = [
  [20, ({ send, chance }) => send('GET', `/${pick(PROJECTS, chance)}/resource?limit=20&offset=${below(50, chance)}`)],
  [10, ({ send, chance }) => send('GET', `/acme/resource/key=resource-${below(200, chance)}`)],
  [5, ({ send }) => send('GET', '/acme/resource/search?query=resource&fuzzy=true')],
  [10, ({ send, chance }) => send('POST', `/${pick(PROJECTS, chance)}/resource`, { headers: JSON_TYPE, body: draft })],
  [10, update],
  [3, ({ send }) => send('POST', '/acme/resource/images', { headers: { 'Content-Type': 'image/gif' }, body: gif })],
  [3, ({ send, chance }) => send('POST', `/acme/resource/${text(12, chance)}`, { headers: JSON_TYPE, body: {} })],
  [3, ({ send, chance }) => send('GET', `/acme/resource?where=id%3D%22${text(20, chance)}%22`)],
  [
    3,
    ({ send, chance }) => send('GET', '/acme/resource', { headers: { Authorization: `Bearer ${text(400, chance)}` } }),
  ],
  [2, ({ send }) => send('POST', '/oauth/token', { headers: FORM, body: 'grant_type=client_credentials&client_id=a' })],
  [2, ({ send, chance }) => send('GET', `/${text(10, chance)}/resourc`)],
  [4, fail],
  [2, generate],
  [1, define],
  [1, snapshot],
  [2, ({ send }) => send('POST', '/__admin/requests/find', { headers: JSON_TYPE, body: { method: 'POST' } })],
  [2, ({ send }) => send('GET', '/__admin/requests')],
  [1, ({ send }) => send('GET', '/__admin/requests?limit=300')],
  [1, ({ send }) => send('GET', '/__admin/requests.har')],
  [1, ({ send }) => send('GET', '/__admin/requests/unmatched/near-misses')],
  [1, ({ send }) => send('GET', '/__admin/state')],
  [1, ({ send }) => send('GET', '/__admin/sessions')],
  [1, ({ send }) => send('GET', '/__admin')],
  [1, ({ listen, chance }) => listen('/__admin/events', below(2000, chance))],
  [1, ({ listen, chance }) => listen('/__admin/events?session=*', below(2000, chance))],
]
