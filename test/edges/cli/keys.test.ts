import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operationIds } from '../../../src/service/contract/endpoints.ts'
import { AUTHORIZED } from './command.ts'
import { MOCK, openPseudoTerminal } from './pseudo-terminal.ts'
import type { Terminal } from './pseudo-terminal.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const HINT = /Keys: s scenario, r reset, o dashboard, e endpoints, h help, q quit\r\n/

/** A mock in a terminal, once its keys are read. */
async function start(args = '', env: Readonly<Record<string, string>> = {}) {
  const terminal = openPseudoTerminal(`stty -g; ${MOCK} ${args}; echo "status $?"; stty -g`, env)
  const before = await terminal.waitFor(/\r\n/)
  const [, url = ''] = /\((http:.+)\)/.exec(await terminal.waitFor(HINT)) ?? []
  return { terminal, url, before: before.trim() }
}

/** All output up to the end, and the terminal settings at that time. */
async function end(terminal: Terminal) {
  const [, status] = /status (\d+)/.exec(await terminal.waitFor(/status \d+\r\n/)) ?? []
  const after = await terminal.waitFor(/\r\n/)
  await terminal.ended
  return { status, after: after.trim() }
}

const create = (url: string) =>
  fetch(`${url}/acme/resource`, {
    method: 'POST',
    headers: { ...AUTHORIZED.headers, 'Content-Type': 'application/json' },
    body: '{"objectTypeProperty":{}}',
  })

describe('the mock stops cleanly and restores the terminal', () => {
  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])('after %s', async (_key, keys) => {
    const { terminal, before } = await start()
    terminal.type(keys)
    expect(await end(terminal)).toEqual({ status: '0', after: before })
  })

  it('after Ctrl-C at the prompt for scenarios', async () => {
    const { terminal, before } = await start()
    terminal.type('s')
    await terminal.waitFor(/0 for none > /)
    terminal.type('\u0003')
    expect(await end(terminal)).toEqual({ status: '0', after: before })
  })

  it('after a shutdown by the admin API', async () => {
    const { terminal, url, before } = await start()
    expect((await fetch(`${url}/__admin/shutdown`, { method: 'POST' })).ok).toBe(true)
    expect(await end(terminal)).toEqual({ status: '0', after: before })
  })
})

describe('the key s', () => {
  it('lists the scenarios within the width of the terminal, and makes the chosen ones active', async () => {
    const { terminal, url } = await start('--scenario slow')
    terminal.type('s')
    const listed = await terminal.waitFor(/0 for none > /)
    expect(listed).toMatch(/^ {3}1 {2}conflict {12}Every update/)
    expect(listed).toMatch(/\r\n\* \d\d {2}slow /)
    for (const line of listed.split('\r\n')) expect(line.length).toBeLessThanOrEqual(80)

    terminal.type('read-o, unavail')
    await terminal.waitFor(/> read-o, unavail.+ unavailable, .+…/)
    terminal.type('able-t\r')
    await terminal.waitFor(/Active: read-only, unavailable-twice\r\n/)
    expect((await create(url)).status).toBe(503)
    expect((await create(url)).status).toBe(503)
    expect((await create(url)).status).toBe(403)
  })

  it.each([
    ['a number', '1\r', ['conflict']],
    ['0', '0\r', []],
    ['corrected input', 'xyz\u007F\u007F\u007Fflaky\r', ['flaky']],
    ['nothing', '\r', ['slow']],
    ['Escape', '\u001B', ['slow']],
  ])('accepts %s', async (_what, keys, active) => {
    const { terminal, url } = await start('--scenario slow')
    terminal.type('s')
    await terminal.waitFor(/0 for none > /)
    terminal.type(keys)
    // Once the prompt is closed, keys are commands again.
    if (keys === '\u001B') await terminal.waitFor(/\r\u001B\[K/)
    terminal.type('h')
    await terminal.waitFor(/this help/)
    const response = await fetch(`${url}/__admin/scenarios/active`)
    expect(await response.json()).toEqual({ active })
  })

  it('explains invalid input, and asks again', async () => {
    const { terminal } = await start()
    terminal.type('sconfl\r')
    await terminal.waitFor(/"confl" matches conflict, conflict-once\. Type more of the name, or use its number\.\r\n/)
    terminal.type('sloow\r')
    await terminal.waitFor(/Unknown scenario "sloow"\. Did you mean "slow"\?\r\n/)
    terminal.type('conflict\r')
    await terminal.waitFor(/Active: conflict\r\n/)
  })

  it('keeps log lines whole during the prompt', async () => {
    const { terminal, url } = await start()
    terminal.type('sslo')
    await terminal.waitFor(/> slo/)
    await create(url)
    const shown = await terminal.waitFor(/createResource\r\n.* > slo/)
    expect(shown).toMatch(/\r\u001B\[K\d\d:\d\d:\d\d POST .*createResource/)
  })
})

it('the key r resets the default session, without a line in the request log', async () => {
  const { terminal, url } = await start('--admin-token hush')
  const { total } = (await (await fetch(`${url}/acme/resource`, AUTHORIZED)).json()) as { total: number }
  await create(url)
  await terminal.waitFor(/createResource/)
  terminal.type('r')
  const shown = await terminal.waitFor(/session reset: data, scenarios, journal\.\r\n/)
  expect(shown).not.toContain('__admin')
  expect(await (await fetch(`${url}/acme/resource`, AUTHORIZED)).json()).toMatchObject({ total })
})

describe('the key o', () => {
  it('prints the address of the dashboard', async () => {
    const { terminal, url } = await start()
    terminal.type('o')
    expect(await terminal.waitFor(/Dashboard: .+\r\n/)).toContain(`Dashboard: ${url}/__admin\r\n`)
    terminal.type('q')
    expect(await end(terminal)).toMatchObject({ status: '0' })
  })

  it.each([
    ['the key o', '', true],
    ['--open', '--open', false],
  ])(
    '%s opens the dashboard in the browser with the admin token, which it does not print',
    async (_how, flag, isKey) => {
      const folder = await createTemporaryFolder()
      const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
      const opened = join(folder, 'opened')
      await writeFile(
        join(folder, opener),
        `#!/bin/sh\necho "$1" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`,
        {
          mode: 0o755,
        },
      )
      const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' }
      const { terminal, url } = await start(`--admin-token 'a b' ${flag}`, env)
      if (isKey) {
        terminal.type('o')
        expect(await terminal.waitFor(/Dashboard: .+\r\n/)).not.toContain('a%20b')
      }
      await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${url}/__admin?token=a%20b\n`)
    },
  )
})

it('the key e lists the endpoints', async () => {
  const { terminal } = await start()
  terminal.type('eh')
  const shown = await terminal.waitFor(/this help/)
  expect(shown).toContain('  GET    /{projectKey}/resource  Query resources')
  expect(shown.match(/\/\{projectKey\}\//g)).toHaveLength(operationIds.length)
})

it('the key h lists every key, and other keys do nothing', async () => {
  const { terminal } = await start()
  terminal.type('x\u001B[A\u0007h')
  const shown = await terminal.waitFor(/quit once.*\r\n/)
  for (const key of ['s', 'r', 'o', 'e', 'h', 'q']) expect(shown).toMatch(new RegExp(`\\r?\\n? {2}${key} {2}\\w`))
})

describe('keys go to', () => {
  it('the program in the foreground while the mock runs in the background', async () => {
    const terminal = openPseudoTerminal(`set -m; ${MOCK} & read line; echo "read $line"; kill %1; wait; echo done`)
    const [, url = ''] = /\((http:.+)\)/.exec(await terminal.waitFor(/Listening.*\r\n/)) ?? []
    expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
    terminal.type('q\r')
    await terminal.waitFor(/read q\r\n/)
    await terminal.waitFor(/done\r\n/)
  })

  it('the shell after Ctrl-Z, and to the mock again after fg', async () => {
    const terminal = openPseudoTerminal(
      `set -m; stty -g; ${MOCK}; stty -g; echo stopped; fg; echo "status $?"; stty -g`,
    )
    const before = await terminal.waitFor(/\r\n/)
    await terminal.waitFor(HINT)
    terminal.type('\u001A')
    expect(await terminal.waitFor(/stopped\r\n/)).toContain(before)
    terminal.type('h')
    await terminal.waitFor(/this help\r\n/)
    terminal.type('q')
    expect(await end(terminal)).toEqual({ status: '0', after: before.trim() })
  })
})
