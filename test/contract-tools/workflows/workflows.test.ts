import { readdirSync } from 'node:fs'
import { validateWorkflow } from '@action-validator/core'
import { describe, expect, it } from 'vitest'
import { readText } from '../../house/sources.ts'

const folder = '.github/workflows'
/** The last workflow of a page. */
const findShown = (page: string): string =>
  [...readText(page).matchAll(/^```yaml\n(name: [^]*?)^```$/gm)].at(-1)?.[1] ?? ''
const workflows = [
  ...readdirSync(folder).map((name) => [`${folder}/${name}`, readText(`${folder}/${name}`)] as const),
  ...['docs/ci.md', 'docs/mock-drift.md'].map((page) => [page, findShown(page)] as const),
]

describe.each(workflows)('%s', (_name, text) => {
  it('has a valid GitHub workflow', () => {
    expect(validateWorkflow(text).errors).toEqual([])
  })
})

it('an error in a workflow is reported', () => {
  const [, text = ''] = workflows[0] ?? []
  expect(validateWorkflow(text.replaceAll('runs-on', 'run-on')).errors).not.toEqual([])
})
