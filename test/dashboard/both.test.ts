import { expect, it } from 'vitest'
import { Both } from '../../src/dashboard/parts/both.tsx'

const toLines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`).join('\n')

const render = async (saved: string, own: string): Promise<string> => String(await Both({ saved, own }))

it('an edit conflict shows up to 600 differing lines', async () => {
  const page = await render(toLines('saved', 300), toLines('own', 300))
  expect(page.match(/<del>/g)).toHaveLength(300)
  expect(page.match(/<ins>/g)).toHaveLength(300)
  expect(page).not.toContain('Too many differences')
})

it('an edit conflict with more differences says so and shows the saved version', async () => {
  const page = await render(toLines('saved', 301), toLines('own', 300))
  expect(page).toContain('Too many differences to list.')
  expect(page).not.toMatch(/<del>|<ins>/)
  expect(page).toContain('saved 300')
})
