import { describe, expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'
import type { Ask } from '../admin/ask.ts'
import { TABLE } from './visit.ts'

const RECORD = `/state/acme/resources/${TABLE}`

const sendForm = (ask: Ask, fields: readonly (readonly [name: string, value: string])[]) =>
  ask('POST', '/__admin?view=data', {
    body: String(new URLSearchParams(fields.map(([name, value]) => [name, value]))),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

/** Steps as the form of an undo has them. */
const readSteps = (page: string): readonly string[] => {
  const [, notice = ''] = /id="notice"([^]*?)<\/form>/.exec(page) ?? []
  return Array.from(notice.matchAll(/name="step" value="([^"]*)"/g), ([, value = '']) =>
    value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
}

/** Does what a form of the dashboard asks for, and gives what takes it back. */
async function act(ask: Ask, steps: readonly string[]): Promise<() => Promise<void>> {
  const led = await sendForm(ask, [...steps.map((step) => ['step', step] as const), ['undo', 'yes']])
  expect(led.status).toBe(303)
  const page = await ask('GET', led.headers.get('Location') ?? '', { headers: { Accept: 'text/html' } })
  const undo = readSteps(page.text)
  expect(undo).not.toEqual([])
  return async () => {
    expect(
      (
        await sendForm(
          ask,
          undo.map((step) => ['step', step]),
        )
      ).status,
    ).toBe(303)
  }
}

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

describe('to undo', () => {
  it.each([
    ['a deletion', [`DELETE ${RECORD}`]],
    ['what was written by hand', [`PUT ${RECORD} {"version": 90, "objectTypeProperty": {}}`]],
    ['a reset', ['PUT /snapshots/before-reset', 'POST /reset']],
  ])('%s brings back what was there, however many versions others had made of it', async (_what, steps) => {
    const { ask } = await createAsk()
    await write(ask, 3)
    await write(ask, 4)
    const undo = await act(ask, steps)
    expect(await versionOf(ask)).not.toBe('"5"')
    await undo()
    expect(await versionOf(ask)).toBe('"5"')
  })

  it('a resource that was not there takes it away', async () => {
    const { ask } = await createAsk()
    const undo = await act(ask, ['PUT /state/acme/resources/new-one {"version": 1, "objectTypeProperty": {}}'])
    expect((await ask('GET', '/acme/resource/new-one')).status).toBe(200)
    await undo()
    expect((await ask('GET', '/acme/resource/new-one')).status).toBe(404)
  })

  it.each([
    ['All off', ['PUT /scenarios/active {"active":[]}']],
    ['the switch of one', ['DELETE /scenarios/active/mine']],
    ['the deletion of one', ['DELETE /scenarios/mine']],
    ['a reset', ['PUT /snapshots/before-reset', 'POST /reset']],
  ])('%s brings back every scenario, in its order', async (_what, steps) => {
    const { ask } = await createAsk({ scenario: 'flaky' })
    await define(ask, 418)
    await activate(ask, 'slow', 'mine', 'conflict')
    const undo = await act(ask, steps)
    expect(await activeOf(ask)).not.toEqual({ active: ['slow', 'mine', 'conflict'] })
    await undo()
    expect(await activeOf(ask)).toEqual({ active: ['slow', 'mine', 'conflict'] })
    expect((await ask('GET', '/__admin/scenarios')).text).toContain('418')
  })

  it('All off lets the counters be where they were', async () => {
    const { ask } = await createAsk({ scenario: 'conflict-once' })
    expect((await write(ask, 3)).status).toBe(409)
    const undo = await act(ask, ['PUT /scenarios/active {"active":[]}'])
    await undo()
    expect((await write(ask, 4)).status).toBe(200)
  })

  it('a reset goes back to the scenarios of the command line where nobody had chosen', async () => {
    const { ask } = await createAsk({ scenario: 'slow' })
    const undo = await act(ask, ['PUT /snapshots/before-reset', 'POST /reset'])
    await undo()
    expect(await activeOf(ask)).toEqual({ active: ['slow'] })
  })

  it.each([
    ['that was there', true],
    ['that is new', false],
  ])('a definition brings back how the scenario was, %s', async (_which, isDefined) => {
    const { ask } = await createAsk()
    if (isDefined) await define(ask, 418)
    const undo = await act(ask, [
      'PUT /scenarios/mine {"description":"Other","rules":[{"effect":{"fault":"TIMEOUT"}}]}',
    ])
    await undo()
    const { text } = await ask('GET', '/__admin/scenarios')
    expect(text.includes('"Mine"')).toBe(isDefined)
    expect(text).not.toContain('"Other"')
  })

  it('restoring brings back what was, and restoring what is not there leaves that alone', async () => {
    const { ask } = await createAsk()
    await ask('PUT', '/__admin/snapshots/first')
    await write(ask, 3)
    const undo = await act(ask, ['PUT /snapshots/before-restore', 'POST /snapshots/first/restore'])
    expect(await versionOf(ask)).toBe('"3"')
    const failed = await sendForm(ask, [
      ['step', 'PUT /snapshots/before-restore'],
      ['step', 'POST /snapshots/gone/restore'],
      ['undo', 'yes'],
    ])
    expect(failed.status).toBe(404)
    await undo()
    expect(await versionOf(ask)).toBe('"4"')
  })
})
