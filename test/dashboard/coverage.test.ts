import { expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'

const PAGE = { Accept: 'text/html' }

it.each([
  ['one session', '/@a/__admin?view=coverage', 1],
  ['all sessions', '/@a/__admin?view=coverage&from=*', 2],
])('the view Coverage shows what %s met, and what it never met', async (_which, path, met) => {
  const { ask } = await createAsk({ scenario: 'empty' })
  await ask('GET', '/@a/acme/resource')
  await ask('GET', '/@b/acme/resource')
  const { status, text } = await ask('GET', path, { headers: PAGE })
  expect(status).toBe(200)
  expect(text).toContain(`title="Met ${met} times">200 <span class="sr">met</span><b>${met}</b>`)
  expect(text).toContain(`title="Met ${met} times">empty`)
  expect(text).toContain('title="Never met">401')
  expect(text).toContain('0 of 0 recovered')
})

it('the button Clear clears the session, or all', async () => {
  const { ask } = await createAsk()
  for (const session of ['a', 'b']) await ask('GET', `/@${session}/acme/resource`)
  const stepsOf = async (path: string): Promise<readonly string[]> => {
    const { text } = await ask('GET', path, { headers: PAGE })
    return Array.from(text.matchAll(/name="step" value="(DELETE \/coverage[^"]*)"/g), ([, step = '']) => step)
  }
  expect(await stepsOf('/@a/__admin?view=coverage')).toEqual(['DELETE /coverage'])
  const [clearAll = ''] = await stepsOf('/@a/__admin?view=coverage&from=*')
  await ask('POST', '/@a/__admin', { body: new URLSearchParams({ step: clearAll }), headers: PAGE })
  expect((await ask('GET', '/__admin/coverage?session=*')).text).toContain('"summary":{"met":0,')
})
