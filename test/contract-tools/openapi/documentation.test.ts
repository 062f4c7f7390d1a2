import { readFileSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toViolation } from '../../../src/service/contract/check-response.ts'
import { toEnvelope } from '../../../src/service/http/envelope.ts'
import { findFault } from '../../../src/app/pipeline/check-answer.ts'
import { COMMAND } from '../../edges/cli/command.ts'
import { binaryOf, createFolder, runTool } from './tool.ts'

const page = readFileSync(new URL('../../../docs/openapi.md', import.meta.url), 'utf8')
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, name, text = '']) => (name === language ? [text] : []))

/** The installed binary that `npx` would run. */
const NPX = `#!/bin/sh
name=$1; shift
case $name in
  resource-mock) exec node ${COMMAND} "$@" ;;
  @redocly/cli) exec ${binaryOf('redocly')} "$@" ;;
  @stoplight/spectral-cli) exec ${binaryOf('spectral')} "$@" ;;
  @hey-api/openapi-ts) exec ${binaryOf('openapi-ts')} "$@" ;;
  orval) exec ${binaryOf('orval')} "$@" ;;
  openapi-typescript) exec ${binaryOf('openapi-typescript')} "$@" ;;
  *) echo "$name is none of the page's"; exit 1 ;;
esac
`

describe('docs/openapi.md', () => {
  it('shows commands that work unchanged', async () => {
    const script = blocksOf('sh').filter((block) => block.includes('npx') && !block.includes('prism'))
    const folder = await createFolder({ npx: NPX, 'all.sh': script.join('\n') })
    await chmod(join(folder, 'npx'), 0o755)
    const { status, output } = await runTool('sh', ['-ec', `PATH="${folder}:$PATH"; . ./all.sh`], folder)
    expect({ status, output }).toMatchObject({ status: 0 })
    expect(await readFile(join(folder, 'openapi.yaml'), 'utf8')).toMatch(/^openapi: 3\.1\.0$/m)
    expect(await readFile(join(folder, 'contract.ts'), 'utf8')).toContain('getActionWithHeaders')
  })

  it('shows the response of a mock with an internal error', () => {
    const violation = toViolation('body.cartId', 'JSON String', 'nothing')
    const fault = findFault('getActionWithExample', [violation]) ?? expect.fail('no fault')
    expect(blocksOf('json').map((text) => JSON.parse(text) as unknown)).toEqual([toEnvelope(fault)])
  })

  it('uses an existing path of the admin API, and starts Prism like the tests', () => {
    const commands = blocksOf('sh').join('\n')
    expect(commands).toContain('curl http://127.0.0.1:4010/__admin/openapi.json -o openapi.json')
    expect(commands).toContain('bundle --dereferenced openapi.json')
    expect(commands).toMatch(/prism-cli proxy inlined\.json \S+ --errors/)
  })
})
