import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { ViteDevServer } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { filesOf, layOut } from '../library/page.ts'
import { describeInChromium } from '../support/chromium.ts'
import { AUTHORIZED, startDevServer } from './dev-server.ts'
import { openPage } from './open-page.ts'

const source = (path: string): string => join(import.meta.dirname, '../../src', path)

async function readTotal(url: string): Promise<unknown> {
  const response = await fetch(`${url}/api/acme/resource`, { headers: { ...AUTHORIZED, 'X-Mock-Scenario': 'none' } })
  const { total }: { readonly total?: unknown } = await response.json()
  return total
}

interface Laid {
  readonly folder: string
  /** The path of a module that Node runs, by its name on the page. */
  readonly build: (name: string) => Promise<string>
}

/** The page's code in a folder, as its reader would have it. */
async function layOutPage(): Promise<Laid> {
  const { folder, remove } = await layOut(filesOf('docs/vite.md'))
  onTestFinished(remove)
  for (const name of ['fixtures', 'scenarios']) await mkdir(join(folder, 'mock', name), { recursive: true })
  await writeFile(join(folder, 'mock/fixtures/resources.json'), '[]')
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
  it('shows a configuration that works, and the banner of it', async () => {
    const { folder, build } = await layOutPage()
    const server = await startDevServer({}, { root: folder, plugins: [], configFile: await build('vite.config') })
    server.vite.printUrls()
    const shown = readFileSync('docs/vite.md', 'utf8').replaceAll('http://localhost:5173', server.url)
    expect(shown).toContain(server.lines.at(-1))
    expect(await readTotal(server.url)).toBe(0)
  })

  it('shows how a server of its own has the mock', async () => {
    const { folder, build } = await layOutPage()
    await build('vite.config')
    const before = process.cwd()
    process.chdir(folder)
    onTestFinished(() => process.chdir(before))
    const loaded: unknown = await import(pathToFileURL(await build('src/server')).href)
    // As the page says.
    const { server, vite } = loaded as { readonly server: Server; readonly vite: ViteDevServer }
    onTestFinished(async () => {
      await vite.close()
      server.closeAllConnections()
      server.close()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    expect(await readTotal(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBe(0)
  })
})

describeInChromium('the app of docs/vite.md', () => {
  it('shows what the scenario makes of it', async () => {
    const { folder, build } = await layOutPage()
    const { url } = await startDevServer({}, { root: folder, plugins: [], configFile: await build('vite.config') })
    const { page, untilConnected, untilShown } = await openPage(url)
    // The page has its title before it has read the answer.
    await untilShown('0 items')
    expect([await page.title(), await page.textContent('body')]).toEqual(['open', '0 items'])
    await untilConnected(1)

    const [, body] = /scenarios\/active -d '(.+)'/.exec(readFileSync('docs/vite.md', 'utf8')) ?? []
    await fetch(`${url}/api/__admin/scenarios/active`, { method: 'PUT', body: body ?? '' })
    await untilShown('The shop is closed')
    expect([await page.title(), await page.textContent('body')]).toEqual(['closed', 'The shop is closed for a moment.'])
  })
})
