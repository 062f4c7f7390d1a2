import { describe, expect, it } from 'vitest'
import { toOpenApiText } from '../../src/cli/openapi.ts'
import { binaryOf, createDocumentFolder, runTool } from './tool.ts'

const RULESET = { 'ruleset.yaml': 'extends: ["spectral:oas"]\n' }

/** The document with what both linters warn of: an operation without a summary and a description. */
async function spoil(): Promise<string> {
  const document = await toOpenApiText(false)
  return document.replace(/"summary": "Query resources",\s*"description": "[^"]*",/, '')
}

interface Linter {
  readonly name: string
  /** Its arguments, to fail for warnings too. */
  readonly args: readonly string[]
}

const linters: readonly Linter[] = [
  { name: 'redocly', args: ['lint', '--extends', 'recommended', '--max-problems', '50'] },
  { name: 'spectral', args: ['lint', '--ruleset', 'ruleset.yaml', '--fail-severity', 'hint'] },
]

describe.each(linters)('$name', ({ name, args }) => {
  it.each(['openapi.json', 'openapi.yaml'])('finds nothing in %s, not even a warning', async (file) => {
    const folder = await createDocumentFolder(RULESET)
    const { status, output } = await runTool(binaryOf(name), [...args, file], folder)
    expect(output).not.toMatch(/\bwarning/i)
    expect({ status, output }).toMatchObject({ status: 0 })
  })

  it('finds what is spoilt', async () => {
    const folder = await createDocumentFolder({ ...RULESET, 'spoilt.json': await spoil() })
    const { output } = await runTool(binaryOf(name), [...args, 'spoilt.json'], folder)
    expect(output).toMatch(/operation-(?:summary|description)/)
  })
})
