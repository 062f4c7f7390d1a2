import { describe, expect, it } from 'vitest'
import { toOpenApiText } from '../../../src/edges/cli/commands/print.ts'
import { binaryOf, createDocumentFolder, runTool } from './tool.ts'

const RULESET = { 'ruleset.yaml': 'extends: ["spectral:oas"]\n' }

/** Damages the document so that both linters report a problem: removes an operation's summary and description. */
async function spoil(): Promise<string> {
  const document = await toOpenApiText(false)
  return document.replace(/"summary": "Query resources",\s*"description": "[^"]*",/, '')
}

interface Linter {
  readonly name: string
  /** Arguments, including those for reporting hints and warnings. */
  readonly args: readonly string[]
  /** The output without findings. */
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

describe.each(linters)('$name', ({ name, args, praise }) => {
  it('has no findings in OpenAPI 3.1 and 3.0, in JSON and YAML, not even warnings', async () => {
    const folder = await createDocumentFolder(RULESET)
    const files = ['openapi.json', 'openapi.yaml', 'openapi-3.0.json', 'openapi-3.0.yaml']
    const { status, output } = await runTool(binaryOf(name), [...args, ...files], folder)
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
