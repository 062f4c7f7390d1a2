import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'

const docs = join(import.meta.dirname, '../../../docs')
const page = readFileSync(join(docs, 'demo-environments.md'), 'utf8')
const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, text = '']) => text.trim().split('\n'))

describe('the page on demo environments', () => {
  it('links to existing files', () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((path) => !existsSync(join(docs, path)))).toEqual([])
  })

  it.each(['Dockerfile', 'storefront.Dockerfile', 'resource-mock.service', 'compose.yaml', 'kubernetes.yaml'])(
    'has every command that %s names',
    (name) => {
      const text = readFileSync(join(docs, '../examples/deploy', name), 'utf8')
      const named = [...text.matchAll(/^# {3}(.*)$/gm)].map(([, command = '']) => command)
      expect(named.length).toBeGreaterThan(1)
      // The page calls them from the project's folder, next to the unit from its own.
      const told = new Set(commands.map((command) => command.replaceAll(/examples\/deploy\/(?=resource-mock)/g, '')))
      const asked = named.map((command) => command.replace(' ./resource-mock', ' resource-mock'))
      expect(asked.filter((command) => !told.has(command))).toEqual([])
    },
  )

  it('shows requests that reset a mock', async () => {
    const server = await startServer({ port: 0, adminToken: 'choose-one' })
    onTestFinished(() => server.close())
    // A session must have started before it can be ended.
    await fetch(`${server.url}/@worker-1/acme/resource`)
    const block = commands.filter((command) => /^(?:curl |[A-Z]+=)/.test(command)).join('\n')
    const script = `curl() { command curl -s -o /dev/null -w '%{http_code}\\n' "$@"; }\n${block}`
    const { stdout } = await promisify(execFile)('sh', ['-c', script.replace('http://127.0.0.1:4010', server.url)])
    expect(stdout).toMatch(/^(?:20\d\n){3}$/)
  })
})
