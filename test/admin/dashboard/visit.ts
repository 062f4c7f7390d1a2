import { chromium } from '@playwright/test'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import type { RunningServer } from '../../../src/edges/node/server.ts'
import type { ServerOptions } from '../../../src/app/options/options.ts'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'
import { expectPage } from '../../support/expect-page.ts'
import { PATIENCE } from '../../support/patience.ts'

/** Sends a request to the mock and reads the whole response. */
export type Send = (
  method: string,
  path: string,
  sending?: { readonly json?: unknown; readonly body?: BodyInit; readonly headers?: Readonly<Record<string, string>> },
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

/** A mock on a port, a client, and a browser with its dashboard. */
export interface Visit {
  readonly server: RunningServer
  readonly send: Send
  readonly page: Page
  /** Opens a page of the dashboard, such as `?view=data`, and waits until it receives events. */
  readonly go: (place?: string) => Promise<void>
  /** Errors that the browser reported: of the script, and violations of the policy. */
  readonly complaints: readonly string[]
}

/** The first resource of the fixtures. */
export const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'

export function createSend(url: () => string): Send {
  return async (method, path, { json, body, headers = {} } = {}) => {
    const response = await fetch(url() + path, {
      method,
      headers: {
        Authorization: 'Bearer any',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body ?? (json === undefined ? null : JSON.stringify(json)),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

/** Runs in the page: marks it once its event stream is open. */
function noteHearing(): void {
  const { EventSource: Source } = window
  window.EventSource = class extends Source {
    constructor(url: string | URL, init?: EventSourceInit) {
      super(url, init)
      this.addEventListener('open', () => document.documentElement.setAttribute('data-hears', ''))
    }
  }
}

/** Resolves once a page has its event stream open: before that, it misses events. Error pages and archives have none. */
async function untilHearing(page: Page): Promise<void> {
  if ((await page.locator('body[data-session]:not([data-archived])').count()) === 0) return
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
}

/** Launches one browser for the tests of a file. The returned function starts a mock and opens its dashboard. */
export function useBrowser(): (options?: ServerOptions, context?: BrowserContextOptions) => Promise<Visit> {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch(chromiumLaunchOptions)
  })
  afterAll(() => browser.close())

  return async function visit(options = {}, contextOptions = {}) {
    const server = await startServer({ port: 0, ...options })
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...contextOptions })
    // Shorter than the timeout of a test, so that the error says what it waited for.
    context.setDefaultTimeout(PATIENCE)
    await context.addInitScript(noteHearing)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (fault) => complaints.push(fault.message))
    page.on('console', (message) => {
      // Browsers also report expected 4xx responses.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text())
    })
    onTestFinished(async () => {
      await context.close()
      await server.close()
      expect(complaints).toEqual([])
    })
    return {
      server,
      send: createSend(() => server.url),
      page,
      complaints,
      async go(place = '') {
        await page.goto(`${server.url}/__admin${place}`)
        if (contextOptions.javaScriptEnabled !== false) await untilHearing(page)
      },
    }
  }
}

/** Updates a resource of a given version. */
export const update = (send: Send, version: number, headers: Readonly<Record<string, string>> = {}) =>
  send('POST', `/acme/resource/${TABLE}`, {
    json: { version, actions: [{ action: 'changeSomeProperty', someProperty: `from ${version}` }] },
    headers,
  })
