import { writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { AUTHORIZED, createFolder, startDevServer } from './dev-server.ts'
import type { DevServer } from './dev-server.ts'

const TEAPOT = JSON.stringify({
  description: 'Refuses to brew coffee',
  rules: [{ effect: { answer: { status: 418, body: {} } } }],
})

const switchTo = ({ url }: DevServer, active: readonly string[], session = 'default') =>
  fetch(`${url}/api/@${session}/__admin/scenarios/active`, { method: 'PUT', body: JSON.stringify({ active }) })

const bannerOf = (server: DevServer): string | undefined => {
  server.vite.printUrls()
  return server.lines.findLast((line) => line.includes('Mock:'))
}

const isReload = ([payload]: readonly unknown[]): boolean =>
  typeof payload === 'object' && payload !== null && 'type' in payload && payload.type === 'full-reload'

/** Counts the reload messages to pages. */
function countReloads({ vite }: DevServer): () => number {
  const send = vi.spyOn(vite.ws, 'send')
  return () => send.mock.calls.filter(isReload).length
}

/** Resolves once file changes are detected: a watcher reports nothing during its initial scan. */
const untilWatched = ({ vite }: DevServer, file: string) =>
  vi.waitUntil(() => vite.watcher.getWatched()[dirname(file)]?.includes(basename(file)), PATIENCE)

describe('the banner', () => {
  it.each([
    [undefined, 'no scenario'],
    ['slow', 'scenario slow'],
    [['slow', 'conflict'], 'scenarios slow, conflict'],
  ])('names the scenario %j', async (scenario, told) => {
    const server = await startDevServer({ ...(scenario === undefined ? {} : { scenario }), adminToken: 'secret' })
    expect(bannerOf(server)).toBe(`  ➜  Mock:    ${server.url}/api (${told})`)
  })

  it('names the newly selected scenarios', async () => {
    const server = await startDevServer()
    await switchTo(server, ['conflict-once'])
    await vi.waitFor(() => expect(bannerOf(server)).toContain('(scenario conflict-once)'), PATIENCE)
  })
})

describe('the page', () => {
  it('is reloaded when the scenario changes', async () => {
    const server = await startDevServer()
    const reloads = countReloads(server)
    await switchTo(server, ['unavailable'])
    await vi.waitFor(() => expect(reloads()).toBe(1), PATIENCE)
    expect(server.lines).toContain('[resource-mock] scenario unavailable, page reload')
    await fetch(`${server.url}/api/__admin/scenarios/active`, { method: 'DELETE' })
    await vi.waitFor(() => expect(reloads()).toBe(2), PATIENCE)
  })

  it('is not affected by the scenarios of other sessions', async () => {
    const server = await startDevServer()
    const reloads = countReloads(server)
    await switchTo(server, ['unavailable'], 'of-a-test')
    await switchTo(server, ['slow'])
    await vi.waitFor(() => expect(reloads()).toBe(1), PATIENCE)
    expect(server.lines).toContain('[resource-mock] scenario slow, page reload')
  })

  it('is reloaded when a fixture or a scenario changes', async () => {
    const root = await createFolder()
    for (const folder of ['fixtures', 'scenarios']) await mkdir(join(root, 'mock', folder), { recursive: true })
    const resources = join(root, 'mock/fixtures/resources.json')
    const scenario = join(root, 'mock/scenarios/teapot.json')
    await writeFile(resources, '[]')
    await writeFile(scenario, TEAPOT.replace('418', '503'))
    const server = await startDevServer(
      { fixtures: 'mock/fixtures', scenarios: 'mock/scenarios', auth: 'off' },
      { root },
    )
    const reloads = countReloads(server)
    const total = async () => (await (await fetch(`${server.url}/api/acme/resource`)).json()).total
    expect(await total()).toBe(0)

    for (const file of [resources, scenario]) await untilWatched(server, file)
    // In one turn, so that the watcher finds no half-written file.
    writeFileSync(resources, JSON.stringify([{ id: crypto.randomUUID(), objectTypeProperty: {} }]))
    await vi.waitFor(() => expect(reloads()).toBe(1), PATIENCE)
    expect(await total()).toBe(1)

    writeFileSync(scenario, TEAPOT)
    await vi.waitFor(() => expect(reloads()).toBe(2), PATIENCE)
    await switchTo(server, ['teapot'])
    expect((await fetch(`${server.url}/api/acme/resource`)).status).toBe(418)
  })

  it('keeps the last valid version of an unreadable fixture', async () => {
    const root = await createFolder()
    await writeFile(join(root, 'resources.json'), '[]')
    const server = await startDevServer({ fixtures: '.', auth: 'off' }, { root })
    const reloads = countReloads(server)
    await untilWatched(server, join(root, 'resources.json'))
    writeFileSync(join(root, 'resources.json'), '[')
    await vi.waitFor(() => expect(server.lines.join('\n')).toContain('the mock uses the last valid version'), PATIENCE)
    expect(server.lines.join('\n')).toContain('resources.json')
    expect((await fetch(`${server.url}/api/acme/resource`)).status).toBe(200)
    expect(reloads()).toBe(0)
  })
})

describe('folders of the plugin', () => {
  it('must exist', async () => {
    await expect(startDevServer({ fixtures: 'nowhere' })).rejects.toThrow(
      /^The option fixtures of resourceMock is ".*nowhere", which is not a readable folder\. .*npx resource-mock init <folder>/,
    )
  })

  it('may be inline texts instead', async () => {
    const { url } = await startDevServer({ fixtures: { 'resources.json': '[]' } })
    const found = await fetch(`${url}/api/acme/resource`, { headers: AUTHORIZED })
    expect(await found.json()).toMatchObject({ total: 0 })
  })
})
