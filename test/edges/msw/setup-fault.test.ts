import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { getResponse } from 'msw'
import { expect, it } from 'vitest'
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

it('does not report a session that cannot reach the base URL as a network error', async () => {
  const elsewhere = connectMock('http://127.0.0.1:4010').session('one')
  const answering = getResponse(
    handlers('https://api.example.com', elsewhere),
    new Request('https://api.example.com/acme/resource'),
  )
  await expect(answering).rejects.toThrow('https://api.example.com/acme/resource has another origin.')
})
