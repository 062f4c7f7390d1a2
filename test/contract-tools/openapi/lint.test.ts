import { describe, expect, it } from 'vitest'
import { toOpenApiText } from '../../../src/cli/commands/print.ts'
import { binaryOf, createDocumentFolder, runTool } from './tool.ts'

const RULESET = { 'ruleset.yaml': 'extends: ["spectral:oas"]\n' }

/** The document with what both linters warn of: an operation without a summary and a description. */
async function spoil(): Promise<string> {
  const document = await toOpenApiText(false)
  return document.replace(/"summary": "Query resources",\s*"description": "[^"]*",/, '')
}

interface Linter {
  readonly name: string
  /** Its arguments, to report hints and warnings too. */
  readonly args: readonly string[]
  /** Its output if it has no findings. */
  readonly praise: RegExp
}

const linters: readonly Linter[] = [
  {
    name: 'redocly',
    args: ['lint', '--extends', 'recommended'],
    praise: /Your API descriptions? (?:is|are) valid\. 🎉\s*$/,
  },
  {
    name: 'spectral',
    args: ['lint', '--ruleset', 'ruleset.yaml', '--fail-severity', 'hint'],
    praise: /^No results with a severity of 'hint' or higher found!\s*$/,
  },
]

describe.each(linters)('$name', { timeout: 600_000 }, ({ name, args, praise }) => {
  it.each([
    ['3.1', 'openapi'],
    ['3.0', 'openapi-3.0'],
  ])('has no findings in OpenAPI %s, in JSON and in YAML, not even a warning', async (_version, file) => {
    const folder = await createDocumentFolder(RULESET)
    const { status, output } = await runTool(binaryOf(name), [...args, `${file}.json`, `${file}.yaml`], folder)
    expect(output).toMatch(praise)
    expect(status).toBe(0)
  })

  it('reports problems in a damaged document', async () => {
    const folder = await createDocumentFolder({ ...RULESET, 'spoilt.json': await spoil() })
    const { output } = await runTool(binaryOf(name), [...args, 'spoilt.json'], folder)
    expect(output).toMatch(/operation-(?:summary|description)/)
    expect(output).not.toMatch(praise)
  })
})
