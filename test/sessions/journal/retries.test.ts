import { describe, expect, it } from 'vitest'
import { createMemory } from '../../../src/service/state/memory.ts'
import { createJournals } from '../../../src/sessions/journal/journal.ts'
import type { KeptExchange } from '../../../src/sessions/journal/kept-exchange.ts'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { findRecovery, findRetryState } from '../../../src/sessions/journal/summary.ts'
import { toExchange, toTestEntry } from './exchanges.ts'

let count = 0

function exchange(method: string, target: string, status: number, json?: unknown): RedactedExchange {
  count += 1
  const text = JSON.stringify(json)
  const body = json === undefined ? {} : { body: { text, encoding: 'utf-8', size: text.length, isCut: false } as const }
  return {
    ...toTestEntry({ time: count, operation: undefined, projectKey: undefined }, String(count)),
    request: { method, url: `http://127.0.0.1${target}`, headers: {}, ...body },
    response: { status, headers: {} },
  }
}

/** The exchanges of a journal that got these, oldest first. */
function keep(entries: readonly RedactedExchange[], capacity = 100): readonly KeptExchange[] {
  const redactor = createRedactor([])
  const memory = createMemory(Infinity)
  const journal = createJournals({ capacity, memory, redactor, newId: () => '' }).open('default')
  for (const entry of entries) journal.restore(entry, 100)
  return journal.exchanges()
}

/** The ids of all attempts at the request of an exchange, oldest first. */
function listAttempts({ attempt }: KeptExchange): readonly string[] {
  const ids: string[] = []
  for (let one = attempt?.attempts.first; one !== undefined; one = one.attempt?.next) ids.push(one.entry.id)
  return ids
}

function findRecoveryOf(failed: RedactedExchange, entries: readonly RedactedExchange[]) {
  const kept = keep(entries).find(({ entry }) => entry === failed)
  return kept && findRecovery(kept)?.entry
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
  ])('is %s', (_what, failed, retry) => {
    expect(findRecoveryOf(failed, [failed, retry, { ...retry, id: 'later' }])).toBe(retry)
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
  ])('is not %s', (_what, failed, other) => {
    expect(findRecoveryOf(failed, [failed, other])).toBeUndefined()
  })

  it('is not a request from before the failure', () => {
    const [before, failed] = [exchange('GET', PATH, 200), exchange('GET', PATH, 503)]
    expect(findRecoveryOf(failed, [before, failed])).toBeUndefined()
  })
})

describe('the attempts at a request', () => {
  it('end with its success; the next failure starts others', () => {
    const kept = keep([503, 503, 200, 200, 404].map((status) => exchange('GET', PATH, status)))
    expect(kept.map(findRetryState)).toEqual(['succeeded', 'succeeded', undefined, undefined, 'none'])
    expect(kept.map((one) => listAttempts(one).length)).toEqual([3, 3, 3, 0, 1])
  })

  it('report a retry that failed', () => {
    const kept = keep([exchange('GET', PATH, 503), exchange('GET', PATH, 500)])
    expect(kept.map(findRetryState)).toEqual(['failed', 'none'])
  })

  it('leave out a read that fails again for a reason that does not pass', () => {
    const kept = keep([
      exchange('GET', `${PATH}/1`, 404),
      exchange('GET', `${PATH}/1`, 404),
      exchange('GET', PATH, 200),
    ])
    expect(kept.map((one) => listAttempts(one).length)).toEqual([1, 1, 0])
    expect(kept.map(findRetryState)).toEqual(['none', 'none', undefined])
  })

  it('distinguish actions that are numbers beyond 2^53', () => {
    const toUpdate = (action: string, status: number): RedactedExchange => {
      const entry = exchange('POST', PATH, status, {})
      const text = `{"version":1,"actions":[${action}]}`
      return { ...entry, request: { ...entry.request, body: { text, encoding: 'utf-8', size: 40, isCut: false } } }
    }
    const failed = toUpdate('9223372036854775807', 400)
    expect(findRecoveryOf(failed, [failed, toUpdate('9223372036854775806', 200)])).toBeUndefined()
  })

  it('start with the oldest that the journal keeps', () => {
    const entries = [503, 502, 500, 200].map((status) => exchange('GET', PATH, status))
    expect(keep(entries, 3).map(listAttempts)).toEqual(keep(entries.slice(1)).map(listAttempts))
    expect(keep(entries, 1).map(listAttempts)).toEqual([[]])
  })

  it('are found without creating entries, and a secret that differs does not tell them apart', () => {
    let created = 0
    const newId = () => {
      created += 1
      return `entry-${created}`
    }
    const parts = { capacity: 100, memory: createMemory(Infinity), redactor: createRedactor([]), newId }
    const journal = createJournals(parts).open('default')
    const url = `http://127.0.0.1${PATH}?access_token=`
    journal.record(toExchange({ url: `${url}1`, status: 401 }))
    journal.record(toExchange({ url: `${url}2` }))
    const [failed, retry] = journal.exchanges()
    expect(failed && findRecovery(failed)).toBe(retry)
    expect(created).toBe(0)
  })
})
