import { expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'

const PAGE = { Accept: 'text/html' }

it('the view Sessions shows the clock of the session, and buttons that move it', async () => {
  const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
  const { text } = await ask('GET', '/@a/__admin?view=sessions', { headers: PAGE })
  expect(text).toContain('datetime="2026-01-31T12:00:00.000Z"')
  const steps = Array.from(text.matchAll(/name="step" value="((?:PUT|DELETE) \/clock[^"]*)"/g), ([, step = '']) =>
    step.replaceAll('&quot;', '"'),
  )
  expect(steps).toHaveLength(4)
  const nows: unknown[] = []
  for (const step of steps) {
    await ask('POST', '/@a/__admin', { body: new URLSearchParams({ step }), headers: PAGE })
    nows.push((await ask('GET', '/@a/__admin/clock')).body)
  }
  const expected = ['2026-01-31T12:01', '2026-01-31T13:01', '2026-02-02T13:01', '2026-01-31T12:00']
  expect(nows).toEqual(expected.map((now) => ({ now: `${now}:00.000Z` })))
})
