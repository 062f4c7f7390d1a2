import { describe, expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'
import type { Ask } from '../admin/ask.ts'
import { toPng } from '../http/image-samples.ts'
import { TABLE } from './visit.ts'

const RECORD = `/state/acme/resources/${TABLE}`

const sendForm = (ask: Ask, fields: readonly (readonly [name: string, value: string])[]) =>
  ask('POST', '/__admin?view=data', {
    body: String(new URLSearchParams(fields.map(([name, value]) => [name, value]))),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

const takeBack = async (ask: Ask, number: string): Promise<number> =>
  (await sendForm(ask, [['takeBack', number]])).status

/** Does what a form of the dashboard asks for, and gives the number by which it is taken back. */
async function change(ask: Ask, steps: readonly string[]): Promise<string> {
  const led = await sendForm(ask, [...steps.map((step) => ['step', step] as const), ['undo', 'yes']])
  expect(led.status).toBe(303)
  const page = await ask('GET', led.headers.get('Location') ?? '', { headers: { Accept: 'text/html' } })
  const [, number = ''] = /name="takeBack" value="([^"]+)"/.exec(page.text) ?? []
  expect(number).not.toBe('')
  return number
}

/** Does what a form of the dashboard asks for, and gives what takes it back: it tells the status of that. */
async function act(ask: Ask, steps: readonly string[]): Promise<() => Promise<number>> {
  const number = await change(ask, steps)
  return () => takeBack(ask, number)
}

const RESET = ['POST /reset']

const activate = (ask: Ask, ...active: readonly string[]) =>
  ask('PUT', '/__admin/scenarios/active', { json: { active } })

const activeOf = async (ask: Ask): Promise<unknown> => (await ask('GET', '/__admin/scenarios/active')).body

const define = (ask: Ask, status: number) =>
  ask('PUT', '/__admin/scenarios/mine', {
    json: { description: 'Mine', rules: [{ effect: { answer: { status } } }] },
  })

const versionOf = async (ask: Ask): Promise<string | null> =>
  (await ask('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')

const write = (ask: Ask, version: number) =>
  ask('POST', `/acme/resource/${TABLE}`, {
    json: { version, actions: [{ action: 'changeSomeProperty', someProperty: `from ${version}` }] },
  })

describe('undo of', () => {
  it.each([
    ['a deletion', [`DELETE ${RECORD}`]],
    ['an edit', [`PUT ${RECORD} {"version": 90, "objectTypeProperty": {}}`]],
    ['a reset', RESET],
  ])('%s restores what was there, with its version', async (_what, steps) => {
    const { ask } = await createAsk()
    await write(ask, 3)
    await write(ask, 4)
    const undo = await act(ask, steps)
    expect(await versionOf(ask)).not.toBe('"5"')
    expect(await undo()).toBe(303)
    expect(await versionOf(ask)).toBe('"5"')
  })

  it('a new resource deletes it', async () => {
    const { ask } = await createAsk()
    const undo = await act(ask, ['PUT /state/acme/resources/new-one {"version": 1, "objectTypeProperty": {}}'])
    expect((await ask('GET', '/acme/resource/new-one')).status).toBe(200)
    expect(await undo()).toBe(303)
    expect((await ask('GET', '/acme/resource/new-one')).status).toBe(404)
  })

  it.each([
    ['All off', ['PUT /scenarios/active {"active":[]}']],
    ['switching one off', ['DELETE /scenarios/active/mine']],
    ['deleting one', ['DELETE /scenarios/mine']],
    ['a reset', RESET],
  ])('%s restores every scenario in order', async (_what, steps) => {
    const { ask } = await createAsk({ scenario: 'flaky' })
    await define(ask, 418)
    await activate(ask, 'slow', 'mine', 'conflict')
    const undo = await act(ask, steps)
    expect(await activeOf(ask)).not.toEqual({ active: ['slow', 'mine', 'conflict'] })
    expect(await undo()).toBe(303)
    expect(await activeOf(ask)).toEqual({ active: ['slow', 'mine', 'conflict'] })
    expect((await ask('GET', '/__admin/scenarios')).text).toContain('418')
  })

  it('All off keeps the counters', async () => {
    const { ask } = await createAsk({ scenario: 'conflict-once' })
    expect((await write(ask, 3)).status).toBe(409)
    const undo = await act(ask, ['PUT /scenarios/active {"active":[]}'])
    expect(await undo()).toBe(303)
    expect((await write(ask, 4)).status).toBe(200)
  })

  it('a reset restores the scenarios of the command line if none were chosen', async () => {
    const { ask } = await createAsk({ scenario: 'slow' })
    const undo = await act(ask, RESET)
    expect(await undo()).toBe(303)
    expect(await activeOf(ask)).toEqual({ active: ['slow'] })
  })

  it.each([
    ['an existing one', true],
    ['a new one', false],
  ])('a definition restores the scenario, %s', async (_which, isDefined) => {
    const { ask } = await createAsk()
    if (isDefined) await define(ask, 418)
    const undo = await act(ask, [
      'PUT /scenarios/mine {"description":"Other","rules":[{"effect":{"fault":"TIMEOUT"}}]}',
    ])
    expect(await undo()).toBe(303)
    const { text } = await ask('GET', '/__admin/scenarios')
    expect(text.includes('"Mine"')).toBe(isDefined)
    expect(text).not.toContain('"Other"')
  })

  it('a restore brings back the data; restoring an unknown snapshot changes nothing', async () => {
    const { ask } = await createAsk()
    await ask('PUT', '/__admin/snapshots/first')
    await write(ask, 3)
    const undo = await act(ask, ['POST /snapshots/first/restore'])
    expect(await versionOf(ask)).toBe('"3"')
    const failed = await sendForm(ask, [
      ['step', 'POST /snapshots/gone/restore'],
      ['undo', 'yes'],
    ])
    expect(failed.status).toBe(404)
    expect(await undo()).toBe(303)
    expect(await versionOf(ask)).toBe('"4"')
  })

  it('a reset and a restore work when the session has as many snapshots as it may', async () => {
    const { ask } = await createAsk()
    await write(ask, 3)
    for (let at = 0; at < 100; at += 1) expect((await ask('PUT', `/__admin/snapshots/s${at}`)).status).toBe(201)
    await write(ask, 4)
    for (const step of ['POST /snapshots/s0/restore', 'POST /snapshots/before-restore/restore', 'POST /reset']) {
      const before = await versionOf(ask)
      const undo = await act(ask, [step])
      expect(await versionOf(ask)).not.toBe(before)
      expect(await undo()).toBe(303)
      expect(await versionOf(ask)).toBe(before)
      await write(ask, Number(before?.slice(1, -1)))
    }
    const { body } = await ask('GET', '/__admin/snapshots')
    expect(JSON.stringify(body)).toMatch(/"s0".*"s99"/)
  })

  it.each([
    ['All off', ['PUT /scenarios/active {"active":[]}'], ['slow', 'conflict', 'flaky']],
    ['switching one off', ['DELETE /scenarios/active/slow'], ['slow', 'conflict', 'flaky']],
  ])('%s keeps scenarios that others have switched on since', async (_what, steps, active) => {
    const { ask } = await createAsk()
    await activate(ask, 'slow', 'conflict')
    const undo = await act(ask, steps)
    await ask('PUT', '/__admin/scenarios/active/flaky')
    expect(await undo()).toBe(303)
    expect(await activeOf(ask)).toEqual({ active })
  })

  it('All off skips scenarios that were deleted', async () => {
    const { ask } = await createAsk()
    await define(ask, 418)
    await activate(ask, 'slow', 'mine')
    const undo = await act(ask, ['PUT /scenarios/active {"active":[]}'])
    await ask('DELETE', '/__admin/scenarios/mine')
    expect(await undo()).toBe(303)
    expect(await activeOf(ask)).toEqual({ active: ['slow'] })
  })

  it('two resets restores the state before each', async () => {
    const { ask } = await createAsk()
    await write(ask, 3)
    await activate(ask, 'slow')
    const first = await act(ask, RESET)
    await activate(ask, 'conflict')
    const second = await act(ask, RESET)
    expect(await second()).toBe(303)
    expect([await versionOf(ask), await activeOf(ask)]).toEqual(['"3"', { active: ['conflict'] }])
    expect(await first()).toBe(303)
    expect(await versionOf(ask)).toBe('"4"')
    expect(await activeOf(ask)).toEqual({ active: ['slow', 'conflict'] })
  })

  it('a reset is refused if its snapshot is gone', async () => {
    const { ask } = await createAsk()
    await ask('PUT', '/__admin/snapshots/first')
    await write(ask, 3)
    const restore = ['POST /snapshots/first/restore']
    const undo = await act(ask, restore)
    await write(ask, 3)
    await write(ask, 4)
    const again = await act(ask, restore)
    expect(await undo()).toBe(400)
    expect(await versionOf(ask)).toBe('"3"')
    expect(await again()).toBe(303)
    expect(await versionOf(ask)).toBe('"5"')
  })

  it('an edit is refused if someone else has changed the resource since', async () => {
    const { ask } = await createAsk()
    const undo = await act(ask, [`PUT ${RECORD} {"version": 90, "objectTypeProperty": {}}`])
    expect((await write(ask, 90)).status).toBe(200)
    expect(await undo()).toBe(400)
    expect(await versionOf(ask)).toBe('"91"')
  })

  it.each([
    [
      'an update',
      'updateResource',
      { 'path.id': TABLE, body: '{"version":3,"actions":[{"action":"changeSomeProperty","someProperty":"a"}]}' },
      '"4"',
    ],
    ['a deletion', 'deleteResource', { 'path.id': TABLE }, null],
  ])('%s that was tried restores the resource', async (_what, operation, fields, after) => {
    const { ask } = await createAsk()
    const led = await sendForm(ask, [
      ['try', operation],
      ['token', 'any'],
      ['path.projectKey', 'acme'],
      ...Object.entries(fields),
    ])
    expect(await versionOf(ask)).toBe(after)
    const page = await ask('GET', led.headers.get('Location') ?? '', { headers: { Accept: 'text/html' } })
    const [, number = ''] = /name="takeBack" value="([^"]+)"/.exec(page.text) ?? []
    expect(await takeBack(ask, number)).toBe(303)
    expect(await versionOf(ask)).toBe('"3"')
  })

  it('an upload that was tried is not offered, since images cannot be deleted', async () => {
    const { ask } = await createAsk()
    const form = new FormData()
    for (const [name, value] of Object.entries({
      try: 'uploadImage',
      token: 'any',
      'path.projectKey': 'acme',
      'query.variant': '1',
    })) {
      form.set(name, value)
    }
    form.set('file', new File([new Uint8Array(toPng(1, 1))], 'a.png', { type: 'image/png' }))
    const led = await ask('POST', '/__admin?view=data', { body: form })
    const page = await ask('GET', led.headers.get('Location') ?? '', { headers: { Accept: 'text/html' } })
    expect(await versionOf(ask)).toBe('"4"')
    expect(page.text).not.toContain('name="takeBack"')
  })

  it('a change works once, in its own session', async () => {
    const { ask } = await createAsk()
    const number = await change(ask, [`DELETE ${RECORD}`])
    const other = await ask('POST', '/@other/__admin', {
      body: `takeBack=${number}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(other.status).toBe(400)
    expect(await takeBack(ask, number)).toBe(303)
    expect(await takeBack(ask, number)).toBe(400)
  })

  it('a change does nothing in a mock that was restarted, or in another one, and says so', async () => {
    const [before, since] = [await createAsk(), await createAsk()]
    const number = await change(before.ask, [`DELETE ${RECORD}`])
    await change(since.ask, [`DELETE ${RECORD}`])
    const { status, text } = await sendForm(since.ask, [['takeBack', number]])
    expect([status, text]).toEqual([400, expect.stringContaining('it was done at another mock or before a restart')])
    expect(await versionOf(since.ask)).toBeNull()
  })

  it('a deletion restores a record too large for a form', async () => {
    const { ask } = await createAsk()
    const json = { version: 1, objectTypeProperty: {}, someProperty: 'é'.repeat(1_900_000) }
    expect((await ask('PUT', '/__admin/state/acme/resources/large', { json })).status).toBe(201)
    const undo = await act(ask, ['DELETE /state/acme/resources/large'])
    expect(await undo()).toBe(303)
    expect((await ask('GET', '/__admin/state/acme/resources/large')).text).toContain('é'.repeat(100))
  })
})
