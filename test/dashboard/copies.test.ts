import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toCopies } from '../../src/dashboard/copies.ts'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { startServer } from '../../src/node/server.ts'

const entry: JournalEntry = {
  id: '1',
  time: 0,
  durationMilliseconds: 1,
  session: 'default',
  correlationId: 'c',
  scenarios: [],
  warnings: [],
  request: { method: 'GET', url: 'http://localhost/acme/resource', headers: {} },
  response: { status: 200, headers: {} },
}

const copyOf = (one: JournalEntry, name: string): string =>
  toCopies(one).find((copy) => copy.name === name)?.text ?? expect.fail(`there is no ${name}`)

describe('a request copied as curl', () => {
  it('does the same again, whatever its body holds', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const body = `{"text": "it's $HOME \`ls\` \\\\ é"}`
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer [redacted]',
      cookie: 'a=[redacted]',
      host: 'x',
    }
    const url = `${server.url}/acme/resource/namespace-action`
    const command = copyOf(
      {
        ...entry,
        request: { method: 'POST', url, headers, body: { text: body, encoding: 'utf-8', size: 1, isCut: false } },
      },
      'curl',
    )
    expect(command).not.toContain('redacted')
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent`])
    expect(stdout).toBe(body)
  })
})

describe('a route of Playwright', () => {
  it('breaks the connection off where a fault did', () => {
    const broken = { ...entry, response: { status: 0, headers: {}, fault: 'EMPTY_RESPONSE' } }
    expect(copyOf(broken, 'Playwright route')).toContain("route.abort('connectionreset')")
  })

  it('answers bytes that are no text', () => {
    const body = { text: 'AAEC', encoding: 'base64', size: 3, isCut: false } as const
    const image = { ...entry, response: { status: 200, headers: { 'content-type': 'image/png' }, body } }
    expect(copyOf(image, 'Playwright route')).toContain('Buffer.from("AAEC", \'base64\')')
  })
})
