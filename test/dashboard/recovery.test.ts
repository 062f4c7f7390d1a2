import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/journal/record.ts'
import { toTestEntry } from '../journal/exchanges.ts'
import { findRecovery } from '../../src/dashboard/explanation.ts'

/** @param entries oldest first */
const findIn = (failed: JournalEntry, ...entries: readonly JournalEntry[]) =>
  findRecovery(
    failed,
    entries.map((entry) => ({ id: entry.id, status: entry.response.status, entry })),
    () => 0,
  )

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
  ])('is %s', async (_what, failed, retry) => {
    expect(await findIn(failed, failed, retry, { ...retry, id: 'later' })).toBe(retry)
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
    expect(await findIn(failed, failed, other)).toBeUndefined()
  })

  it('is not a request from before the failure', async () => {
    const [before, failed] = [exchange('GET', PATH, 200), exchange('GET', PATH, 503)]
    expect(await findIn(failed, before, failed)).toBeUndefined()
  })
})
