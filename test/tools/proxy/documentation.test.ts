import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AUTHORIZED, start } from '../../edges/cli/command.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { serve } from '../../support/serve.ts'

const page = readFileSync(new URL('../../../docs/proxy.md', import.meta.url), 'utf8')

const commands = Array.from(page.matchAll(/^npx resource-mock (.*)$/gm), ([, args = '']) => args.split(' '))

it('docs/proxy.md shows commands that work, one after the other', async () => {
  const folder = await createTemporaryFolder()
  const quiet = ['--port', '0', '--log', 'json']
  const url = await serve()
  const statuses: number[] = []
  for (const args of commands) {
    const running = start([...args.map((arg) => (arg.startsWith('https:') ? url : arg)), ...quiet], { cwd: folder })
    statuses.push((await fetch(`${await running.ready}/acme/resource`, AUTHORIZED)).status)
    expect(await running.stop()).toBe(0)
  }
  expect(statuses).toEqual(commands.map(() => 200))
  expect(commands.length).toBeGreaterThan(3)
  expect(readdirSync(join(folder, 'mine'))).toContain('resources.json')
})

it('docs/proxy.md shows the violations of its request', async () => {
  const [, target = '', name = '', value = ''] = /curl -i 'http:\/\/[^/]+(.*?)' -H '(.*?): (.*?)'/.exec(page) ?? []
  const [, json = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  const proxy = start(['proxy', await serve(), '--port', '0', '--log', 'silent'])
  const { headers } = await fetch((await proxy.ready) + target, { headers: { [name]: value } })
  expect(JSON.parse(headers.get('Sl-Violations') ?? '')).toEqual(JSON.parse(json))
})
