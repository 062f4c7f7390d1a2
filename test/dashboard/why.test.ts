import { expect, it } from 'vitest'
import { createAsk, update } from '../admin/ask.ts'
import { TABLE } from './visit.ts'

it('the details of a version conflict say who wrote the version that was current, with a link to it', async () => {
  const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
  const path = `/acme/resource/${TABLE}`
  expect([await update(ask, path, 3), await update(ask, path, 3)]).toEqual([200, 409])
  const { requests } = (await ask('GET', '/__admin/requests')).body as { requests: readonly { id: string }[] }
  const [conflict, writer] = requests.map(({ id }) => id)
  const { text } = await ask('GET', `/__admin?request=${conflict}`, { headers: { Accept: 'text/html' } })
  expect(text).toContain(
    `You sent version 3, but version 4 had been current since 12:00:00 UTC, written by POST ${path} of session default (request ${writer}).`,
  )
  expect(text).toMatch(new RegExp(`<a href="[^"]*request=${writer}[^"]*">Open that request</a>`))
})
