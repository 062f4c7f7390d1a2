import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { toAnswerKey } from '../../../src/admin/dashboard/app/shared-data.ts'
import { hurry } from '../../support/hurry.ts'
import { createAsk } from '../api/ask.ts'
import type { Ask } from '../api/ask.ts'

const TEST = { run: 'r', title: ['saves'], file: 'a.spec.ts', line: 1 }
/** A resource of the fixtures. */
const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const EVIL = '</script><script>window.ran=1</script>'

interface Shared {
  readonly session: string
  readonly leftOut: string
  readonly answers: Readonly<Record<string, string>>
}

const toData = (text: string): Shared => {
  const json = /<script type="application\/json" id="shared-data">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
  return JSON.parse(json) as Shared
}

const put = (ask: Ask, session: string, json: object) => ask('PUT', `/__admin/sessions/${session}/test`, { json })

const toConflict = (ask: Ask, session: string, id: string, note = '') =>
  ask('POST', `/@${session}/acme/resource/${id}`, {
    json: { version: 99, actions: [{ action: 'changeSomeProperty', someProperty: note }] },
  })

it('a share file has the requests of a session, with explanations, code to copy and the history of conflicts', async () => {
  const { ask } = await createAsk()
  await ask('GET', `/@a/acme/resource/none?x=${encodeURIComponent(EVIL)}`)
  await ask('POST', '/@a/acme/resource', { json: { [EVIL]: EVIL } })
  await toConflict(ask, 'a', TABLE)
  await toConflict(ask, 'a', TABLE)
  const { status, text } = await ask('GET', '/__admin/share.html?session=a')
  expect(status).toBe(200)
  const { answers, leftOut } = toData(text)
  const details = ['/requests/{id}?session=a', '/requests/{id}/explanation?session=a']
  const history = `/resources/${TABLE}/history?projectKey=acme&session=a`
  expect(Object.keys(answers).map((path) => path.replace(/(requests)\/[\da-f-]{36}/, '$1/{id}'))).toEqual([
    '/requests?session=a',
    ...details,
    history,
    ...details,
    ...details,
    ...details,
    '/coverage?session=a',
    ...Array.from(details.concat(details), () => '/requests/{id}/copies?session=a'),
  ])
  expect(JSON.parse(answers['/requests?session=a'] ?? '')).toMatchObject({ meta: { histogram: expect.anything() } })
  expect(JSON.parse(answers[history] ?? '')).toMatchObject({
    history: [{ kind: 'conflict' }, { kind: 'conflict' }, { kind: 'fixture' }],
  })
  expect(leftOut).toBe('')
  expect(text.match(/<script/g)).toHaveLength(2)
})

it('a share file lets others run after each response that it collects', async () => {
  const { ask } = await createAsk()
  for (let at = 0; at < 5; at += 1) await ask('GET', '/@a/acme/resource/none')
  const yields = hurry()
  const { answers } = toData((await ask('GET', '/__admin/share.html?session=a')).text)
  expect(yields.mock.calls.length).toBeGreaterThanOrEqual(Object.keys(answers).length)
})

it('a share file has the history of a conflict in an ended session', async () => {
  const { ask } = await createAsk()
  await put(ask, 'a', TEST)
  await toConflict(ask, 'a', TABLE)
  await ask('DELETE', '/__admin/sessions/a')
  const { session, answers } = toData((await ask('GET', '/__admin/share.html?session=a')).text)
  const history = answers[toAnswerKey(`/resources/${TABLE}/history?projectKey=acme`, session)]
  expect(JSON.parse(history ?? '')).toMatchObject({ history: [{ kind: 'conflict' }, { kind: 'fixture' }] })
})

it('the policy of a share file allows only its own script and style sheet', async () => {
  const { ask } = await createAsk()
  const { text, headers } = await ask('GET', '/__admin/share.html')
  const script = /<script type="module">(.*)<\/script>/s.exec(text)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? ''
  expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}'; style-src 'sha256-`)
  expect(policy).toContain("form-action 'none'")
  expect(headers.get('Content-Security-Policy')).toContain(policy)
})

it('the share file of a run has all tests, and the requests of those that did not pass', async () => {
  const { ask } = await createAsk()
  for (const [session, status] of [
    ['a', 'passed'],
    ['b', 'failed'],
  ] as const) {
    const test = { ...TEST, title: [session] }
    await put(ask, session, test)
    await ask('GET', `/@${session}/acme/resource`)
    await put(ask, session, { ...test, status, duration: 1 })
    await ask('DELETE', `/__admin/sessions/${session}`)
  }
  const { session, answers, leftOut } = toData((await ask('GET', '/__admin/share.html?run=r')).text)
  // The reader chooses a test.
  expect(session).toBe('')
  expect(JSON.parse(answers['/runs/r'] ?? '')).toMatchObject({ tests: [{ status: 'failed' }, { status: 'passed' }] })
  expect(Object.keys(answers).filter((path) => path.startsWith('/requests?'))).toEqual([
    expect.stringMatching(/^\/requests\?session=b%7E/),
  ])
  expect(leftOut).toBe('It has the requests of the tests that did not pass.')
  expect((await ask('GET', '/__admin/share.html?run=none')).status).toBe(404)
})

it('a share file says which requests it leaves out', async () => {
  const { ask } = await createAsk()
  for (let count = 0; count < 203; count += 1) await ask('GET', '/acme/resource?limit=1')
  const { answers, leftOut } = toData((await ask('GET', '/__admin/share.html')).text)
  expect(leftOut).toBe('It has the last 200 requests of each session: 200 of 203.')
  expect(JSON.parse(answers['/requests?session=default'] ?? '')).toMatchObject({ meta: { total: 200 } })
})

it('a share file has at most 8 MB of data, and says what it leaves out', async () => {
  const { ask } = await createAsk()
  // Each of these characters takes six bytes in the page.
  for (let count = 0; count < 40; count += 1) await toConflict(ask, 'default', TABLE, '<'.repeat(60_000))
  const { text } = await ask('GET', '/__admin/share.html')
  const { answers, leftOut } = toData(text)
  const json = /id="shared-data">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
  expect(new TextEncoder().encode(json).length).toBeLessThan(8 * 1024 * 1024 + 1000)
  expect(JSON.parse(answers['/requests?session=default'] ?? '')).toMatchObject({ meta: { total: 40 } })
  const detailed = Object.keys(answers).filter((path) => path.includes('/explanation')).length
  expect(detailed).toBeGreaterThan(10)
  expect(detailed).toBeLessThan(40)
  expect(leftOut).toBe(
    `The file is full (8 MB): it has the details of ${detailed} of 40 requests, code to copy for 0, and the coverage of 1 of 1 sessions.`,
  )
})

it('a share file needs the admin token, and does not contain it', async () => {
  const { ask } = await createAsk({ adminToken: 'a-secret-token-of-the-mock' })
  expect((await ask('GET', '/__admin/share.html')).status).toBe(401)
  const headers = { Authorization: 'Bearer a-secret-token-of-the-mock' }
  const { status, text } = await ask('GET', '/__admin/share.html', { headers })
  expect([status, text.includes('a-secret-token')]).toEqual([200, false])
})
