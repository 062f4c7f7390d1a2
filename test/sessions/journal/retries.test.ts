import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/sessions/journal/record.ts'
import { findAttempts, findRecovery, findRetryState } from '../../../src/sessions/journal/retries.ts'
import { toTestEntry } from './exchanges.ts'

let count = 0

function exchange(method: string, target: string, status: number, json?: unknown): JournalEntry {
  count += 1
  const text = JSON.stringify(json)
  const body = json === undefined ? {} : { body: { text, encoding: 'utf-8', size: text.length, isCut: false } as const }
  return {
    ...toTestEntry({ time: count, operation: undefined, projectKey: undefined }, String(count)),
    request: { method, url: `http://127.0.0.1${target}`, headers: {}, ...body },
    response: { status, headers: {} },
  }
}

/** Finds the attempts among entries, oldest first. `onRead` is called for each entry that is read. */
const findAmong = (entries: readonly JournalEntry[], onRead: (entry: JournalEntry) => void = () => undefined) =>
  findAttempts(
    entries.map((entry) => ({
      session: entry.session,
      method: entry.request.method,
      url: entry.request.url,
      status: entry.response.status,
      get entry() {
        onRead(entry)
        return entry
      },
    })),
  )

async function findRecoveryOf(failed: JournalEntry, entries: readonly JournalEntry[]) {
  const attempt = (await findAmong(entries)).get(failed.id)
  return attempt && findRecovery(attempt)
}

const PATH = '/acme/resource'
const change = (version: number, action: string, more = {}) => ({ version, actions: [{ action, ...more }] })

describe('the retry that succeeded', () => {
  it.each([
    [
      'an update from a later version, with other values',
      exchange('POST', `${PATH}/1`, 409, change(1, 'changeSomeProperty', { someProperty: 'a' })),
      exchange('POST', `${PATH}/1`, 200, change(2, 'changeSomeProperty', { someProperty: 'b' })),
    ],
    [
      'a creation with the same key, corrected',
      exchange('POST', PATH, 400, { key: 'a' }),
      exchange('POST', PATH, 201, { key: 'a', objectTypeProperty: {} }),
    ],
    [
      'a deletion of a later version',
      exchange('DELETE', `${PATH}/1?version=1`, 409),
      exchange('DELETE', `${PATH}/1?version=2`, 200),
    ],
    ['the same query', exchange('GET', `${PATH}?limit=1`, 503), exchange('GET', `${PATH}?limit=1`, 200)],
    ['sent after a broken connection', exchange('GET', PATH, 0), exchange('GET', PATH, 200)],
  ])('is %s', async (_what, failed, retry) => {
    expect(await findRecoveryOf(failed, [failed, retry, { ...retry, id: 'later' }])).toBe(retry)
  })

  it.each([
    [
      'a creation with another key',
      exchange('POST', PATH, 400, { key: 'a' }),
      exchange('POST', PATH, 201, { key: 'b', objectTypeProperty: {} }),
    ],
    [
      'another creation without a key',
      exchange('POST', PATH, 503, { objectTypeProperty: {} }),
      exchange('POST', PATH, 201, { someProperty: 'b', objectTypeProperty: {} }),
    ],
    [
      'another kind of update',
      exchange('POST', `${PATH}/1`, 409, change(1, 'changeSomeProperty')),
      exchange('POST', `${PATH}/1`, 200, change(2, 'doSomeThing')),
    ],
    ['another query', exchange('GET', `${PATH}?where=a`, 400), exchange('GET', `${PATH}?limit=1`, 200)],
    ['another resource', exchange('GET', `${PATH}/1`, 404), exchange('GET', `${PATH}/2`, 200)],
    ['another failure', exchange('GET', `${PATH}/1`, 503), exchange('GET', `${PATH}/1`, 503)],
  ])('is not %s', async (_what, failed, other) => {
    expect(await findRecoveryOf(failed, [failed, other])).toBeUndefined()
  })

  it('is not a request from before the failure', async () => {
    const [before, failed] = [exchange('GET', PATH, 200), exchange('GET', PATH, 503)]
    expect(await findRecoveryOf(failed, [before, failed])).toBeUndefined()
  })
})

describe('the attempts at a request', () => {
  it('end with its success; the next failure starts others', async () => {
    const statuses = [503, 503, 200, 200, 404]
    const entries = statuses.map((status) => exchange('GET', PATH, status))
    const attempts = await findAmong(entries)
    expect(entries.map(({ id }) => findRetryState(attempts.get(id)))).toEqual([
      'succeeded',
      'succeeded',
      undefined,
      undefined,
      'none',
    ])
    expect(entries.map(({ id }) => attempts.get(id)?.attempts.length)).toEqual([3, 3, 3, undefined, 1])
  })

  it('report a retry that failed', async () => {
    const entries = [exchange('GET', PATH, 503), exchange('GET', PATH, 500)]
    const attempts = await findAmong(entries)
    expect(entries.map(({ id }) => findRetryState(attempts.get(id)))).toEqual(['failed', 'none'])
  })

  it('leave out a read that fails again for a reason that does not pass', async () => {
    const entries = [exchange('GET', `${PATH}/1`, 404), exchange('GET', `${PATH}/1`, 404), exchange('GET', PATH, 200)]
    const attempts = await findAmong(entries)
    expect(entries.map(({ id }) => attempts.get(id)?.attempts.length)).toEqual([1, 1, undefined])
    expect(entries.map(({ id }) => findRetryState(attempts.get(id)))).toEqual(['none', 'none', undefined])
  })

  it('distinguish actions that are numbers beyond 2^53', async () => {
    const toUpdate = (action: string, status: number): JournalEntry => {
      const entry = exchange('POST', PATH, status, {})
      const text = `{"version":1,"actions":[${action}]}`
      return { ...entry, request: { ...entry.request, body: { text, encoding: 'utf-8', size: 40, isCut: false } } }
    }
    const failed = toUpdate('9223372036854775807', 400)
    expect(await findRecoveryOf(failed, [failed, toUpdate('9223372036854775806', 200)])).toBeUndefined()
  })

  it('are found without reading requests to other places', async () => {
    const entries = [
      exchange('GET', `${PATH}/1`, 404),
      exchange('GET', `${PATH}/2`, 200),
      exchange('POST', `${PATH}/1`, 200),
      exchange('GET', `${PATH}/1?expand=a`, 200),
    ]
    const read: string[] = []
    await findAmong(entries, ({ id }) => read.push(id))
    expect(read).toEqual([entries[0]?.id, entries[3]?.id])
  })
})
