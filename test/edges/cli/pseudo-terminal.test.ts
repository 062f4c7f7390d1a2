import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AUTHORIZED } from './command.ts'
import { MOCK, openPseudoTerminal } from './pseudo-terminal.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const READY = /Listening on port \d+ \((http:.+)\)\r\n/

it('stops with status 0 after Ctrl-C', async () => {
  const terminal = openPseudoTerminal(`trap : INT; ${MOCK}; echo "status $?"`)
  await terminal.waitFor(READY)
  terminal.type('\u0003')
  await terminal.waitFor(/status 0\r\n/)
})

it('stops with status 0 when its terminal closes', async () => {
  const terminal = openPseudoTerminal(`${MOCK} & read line; kill -HUP $!; wait $!; echo "status $?"`)
  await terminal.waitFor(READY)
  terminal.type('\r')
  await terminal.waitFor(/status 0\r\n/)
})

it('outlives its terminal with --detach', async () => {
  const terminal = openPseudoTerminal(
    `${MOCK} --detach & read line; kill -HUP $!; read line; kill $!; wait $!; echo "status $?"`,
  )
  const [, url = ''] = READY.exec(await terminal.waitFor(READY)) ?? []
  terminal.type('\r')
  await terminal.waitFor(/\r\n/)
  expect((await fetch(`${url}/__admin/health/ready`)).status).toBe(200)
  terminal.type('\r')
  await terminal.waitFor(/status 0\r\n/)
})

it('keeps serving in the background of an interactive shell while its user types', async () => {
  const terminal = openPseudoTerminal('PS1=ready: exec bash --norc --noprofile -i')
  await terminal.waitFor(/ready:/)
  terminal.type(`${MOCK} &\r`)
  const [, url = ''] = READY.exec(await terminal.waitFor(READY)) ?? []
  terminal.type('echo ty""ped\r')
  await terminal.waitFor(/typed\r\n/)
  expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
  terminal.type('jobs; echo e""nd\r')
  expect(await terminal.waitFor(/end\r\n/)).toContain('Running')
  terminal.type('kill %1; wait; exit\r')
  await terminal.ended
})

it('opens the dashboard in the browser with the admin token, which it does not print', async () => {
  const folder = await createTemporaryFolder()
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const opened = join(folder, 'opened')
  const script = `#!/bin/sh\necho "$1" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`
  await writeFile(join(folder, opener), script, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' }
  const terminal = openPseudoTerminal(`${MOCK} --admin-token 'a b' --open`, env)
  const shown = await terminal.waitFor(/Dashboard: .+\r\n/)
  const [, url = ''] = /Dashboard: (\S+)/.exec(shown) ?? []
  expect(shown).not.toContain('a%20b')
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${url}?token=a%20b\n`)
})
