import { readdirSync } from 'node:fs'
import { validateWorkflow } from '@action-validator/core'
import { describe, expect, it } from 'vitest'
import { readText } from '../../house/sources.ts'

const folder = '.github/workflows'
const workflows = readdirSync(folder).map((name) => [name, readText(`${folder}/${name}`)] as const)

describe.each(workflows)('.github/workflows/%s', (_name, text) => {
  it('is a valid GitHub workflow', () => {
    expect(validateWorkflow(text).errors).toEqual([])
  })
})

it('an error in a workflow is reported', () => {
  const [, text = ''] = workflows[0] ?? []
  expect(validateWorkflow(text.replaceAll('runs-on', 'run-on')).errors).not.toEqual([])
})
