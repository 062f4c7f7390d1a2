import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import type { StdinOptions } from 'esbuild'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'

const HTML = '<!doctype html><title>starting</title><body><script type="module" src="/app.js"></script></body>'

interface Opened {
  readonly page: Page
  readonly close: () => Promise<void>
}

/** An app's script in one file; a Node import would not bundle for a browser. */
async function bundle(script: StdinOptions, alias: Record<string, string>, modules: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: script,
    alias,
    nodePaths: [resolve(modules)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * Opens a page of an app in Chromium, on a server that has MSW's service worker too.
 *
 * @param alias packages by their replacements; `msw` by its version
 * @param modules the folder that has MSW
 */
export async function openPage(
  script: StdinOptions,
  alias: { readonly msw: string },
  modules = 'node_modules',
): Promise<Opened> {
  const worker = await readFile(join(modules, alias.msw, 'lib/mockServiceWorker.js'), 'utf8')
  const files = new Map([
    ['/', ['text/html', HTML] as const],
    ['/app.js', ['text/javascript', await bundle(script, { ...alias }, modules)] as const],
    ['/mockServiceWorker.js', ['text/javascript', worker] as const],
  ])
  const server = createServer(({ url = '' }, outgoing) => {
    const [type, text] = files.get(url) ?? ['text/plain', 'This is the server, not the mock.']
    outgoing.writeHead(files.has(url) ? 200 : 418, { 'Content-Type': type }).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const browser = await chromium.launch(chromiumLaunchOptions)
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    page,
    async close() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
