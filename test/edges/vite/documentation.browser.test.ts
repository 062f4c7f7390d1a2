import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import type { ViteDevServer } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { init } from '../../../src/edges/cli/commands/init.ts'
import { filesOf, layOut } from '../library/page.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { AUTHORIZED, startDevServer } from './dev-server.ts'
import { openPage } from './open-page.ts'

const source = (path: string): string => join(import.meta.dirname, '../../../src', path)

async function readTotal(url: string): Promise<unknown> {
  const response = await fetch(`${url}/api/acme/resource`, { headers: { ...AUTHORIZED, 'X-Mock-Scenario': 'none' } })
  const { total }: { readonly total?: unknown } = await response.json()
  return total
}

const readActive = async (url: string): Promise<string> => (await fetch(`${url}/api/__admin/scenarios/active`)).text()

interface Laid {
  readonly folder: string
  /** The path of a module that Node runs, by its name on the page. */
  readonly build: (name: string) => Promise<string>
}

/** The page's code in a folder, as its reader would have it. */
async function layOutPage(): Promise<Laid> {
  const { folder, remove } = await layOut(filesOf('docs/vite.md'))
  onTestFinished(remove)
  await writeFile(join(folder, 'index.html'), '<body><script type="module" src="/src/main.ts"></script></body>')
  return {
    folder,
    async build(name) {
      const outfile = join(folder, `${name}.mjs`)
      const alias = { 'resource-mock/vite': source('vite.ts') }
      const entryPoints = [join(folder, `${name}.ts`)]
      await build({ entryPoints, outfile, alias, bundle: true, packages: 'external', format: 'esm', platform: 'node' })
      return outfile
    },
  }
}

describe('docs/vite.md', () => {
  it('shows a configuration that works, and its banner', async () => {
    const { folder, build } = await layOutPage()
    const server = await startDevServer({}, { root: folder, plugins: [], configFile: await build('vite.config') })
    server.vite.printUrls()
    const shown = readFileSync('docs/vite.md', 'utf8').replaceAll('http://localhost:5173', server.url)
    expect(shown).toContain(server.lines.at(-1))
    expect(await readTotal(server.url)).toBeGreaterThan(0)
  })

  it('shows how to name your own fixtures and scenarios, once init has written them', async () => {
    const shown = readFileSync('docs/vite.md', 'utf8')
    const [, folders = ''] = /^resourceMock\((\{ .*scenario: 'my-scenario' \})\)$/m.exec(shown) ?? []
    const [, into = ''] = /`npx resource-mock init (\w+)`/.exec(shown) ?? []
    const { folder } = await layOutPage()
    await init(join(folder, into))
    await writeFile(join(folder, into, 'fixtures/resources.json'), '[]')
    // The page shows an object of strings.
    const options = runInNewContext(`(${folders})`) as Readonly<Record<string, string>>
    const server = await startDevServer({ ...options }, { root: folder })
    expect(await readTotal(server.url)).toBe(0)
    expect(await readActive(server.url)).toContain('my-scenario')
  })

  it('shows how to mount the mock in your own server', async () => {
    const { folder, build } = await layOutPage()
    await build('vite.config')
    const before = process.cwd()
    process.chdir(folder)
    onTestFinished(() => process.chdir(before))
    const loaded: unknown = await import(pathToFileURL(await build('src/server')).href)
    // As the page describes.
    const { server, vite } = loaded as { readonly server: Server; readonly vite: ViteDevServer }
    onTestFinished(async () => {
      await vite.close()
      server.closeAllConnections()
      server.close()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    expect(await readTotal(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBeGreaterThan(0)
  })
})

describeInChromium('the app of docs/vite.md', () => {
  it('shows the effect of the scenario', async () => {
    const { folder, build } = await layOutPage()
    const { url } = await startDevServer({}, { root: folder, plugins: [], configFile: await build('vite.config') })
    const { page, untilConnected, untilShown } = await openPage(url)
    // The page has its title before it has read the response.
    const items = `${String(await readTotal(url))} items`
    await untilShown(items)
    expect([await page.title(), await page.textContent('body')]).toEqual(['open', items])
    await untilConnected(1)

    const [, body] = /scenarios\/active -d '(.+)'/.exec(readFileSync('docs/vite.md', 'utf8')) ?? []
    await fetch(`${url}/api/__admin/scenarios/active`, { method: 'PUT', body: body ?? '' })
    await untilShown('The shop is closed')
    expect([await page.title(), await page.textContent('body')]).toEqual(['closed', 'The shop is closed for a moment.'])
  })
})
