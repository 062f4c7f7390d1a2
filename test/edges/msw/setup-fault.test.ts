import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectMock } from '../../../src/index.ts'
import { handlers } from '../../../src/msw.ts'

it('ends a process with invalid handler options', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { handlers } from './src/msw.ts'; handlers('https://api.example.com', { scenario: 'conflit' })",
      resolveDir: join(import.meta.dirname, '../../..'),
    },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
  })
  const told = await new Promise<string>((resolve) => {
    const child = execFile(process.execPath, ['-'], (fault, _stdout, stderr) => resolve(`${fault?.code} ${stderr}`))
    child.stdin?.end(outputFiles[0]?.text)
  })
  expect(told).toMatch(/^1 /)
  expect(told).toContain('SetupError: Unknown scenario "conflit". Did you mean "conflict"?')
})

describe('an error that is not of the network', () => {
  const request = () => new Request('https://api.example.com/acme/resource')

  it.each([
    [
      'a session that cannot reach the base URL',
      connectMock('http://127.0.0.1:4010').session('one'),
      'has another origin',
    ],
    ['a fault of the mock', { fetch: () => Promise.reject(new TypeError('fetch failed to be kind')) }, 'to be kind'],
  ])('is a 500 that is printed: %s', async (_name, answering, sentence) => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => printed.mockRestore())
    const response = await getResponse(handlers('https://api.example.com', answering), request())
    expect(response?.status).toBe(500)
    expect(await response?.json()).toMatchObject({ statusCode: 500, errors: [{ code: 'General' }] })
    expect(printed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringContaining(sentence) }),
    )
  })

  it('is not printed if a scenario broke the connection, or the app gave up', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => printed.mockRestore())
    const broken = await getResponse(handlers('https://api.example.com', { scenario: 'offline' }), request())
    const gone = new Request(request(), { signal: AbortSignal.abort() })
    const aborted = await getResponse(handlers('https://api.example.com', { scenario: 'slow' }), gone)
    expect([broken?.type, aborted?.type]).toEqual(['error', 'error'])
    expect(printed).not.toHaveBeenCalled()
  })
})
