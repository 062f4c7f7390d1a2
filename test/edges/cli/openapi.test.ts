import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { COMMAND, run, runHere } from './command.ts'

describe('resource-mock openapi', () => {
  it('prints the document, the same in JSON and in YAML', async () => {
    const json = await run(['openapi'])
    const yaml = await runHere(['openapi', '--yaml'])
    expect(json).toMatchObject({ status: 0, stderr: '' })
    expect(yaml).toMatchObject({ status: 0, stderr: '' })
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
    expect(JSON.parse(json.stdout)).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:4010' }, {}] })
  })

  it('prints OpenAPI 3.0 for older tools', async () => {
    const { status, stdout } = await runHere(['openapi', '--openapi-version', '3.0'])
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ openapi: '3.0.3' })])
  })

  it('refuses an unsupported version', async () => {
    expect(await runHere(['openapi', '--openapi-version', '2.0'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('--openapi-version must be 3.1 or 3.0, not "2.0".'),
    })
  })

  it.each([
    ['openapi', '{\n'],
    ['--help', 'Usage: resource-mock [serve] [options]\n'],
  ])('ends quietly if the reader of %s stops before the end', async (flag, first) => {
    const shell = spawn('sh', ['-c', `'${process.execPath}' '${COMMAND}' ${flag} | head -n 1`])
    let output = ''
    let errors = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    await once(shell, 'close')
    expect({ output, errors }).toEqual({ output: first, errors: '' })
  })

  it('refuses an unknown option', async () => {
    expect(await runHere(['openapi', '--json'])).toMatchObject({ status: 2, stdout: '' })
  })
})
