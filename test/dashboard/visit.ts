import { chromium } from '@playwright/test'
import type { Browser, BrowserContextOptions, Page, Request } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import type { RunningServer } from '../../src/node/server.ts'
import type { ServerOptions } from '../../src/options/options.ts'
import { chromiumLaunchOptions } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { PATIENCE } from '../support/patience.ts'

/** A request of a client to the mock; the answer is read to its end. */
export type Send = (
  method: string,
  path: string,
  sending?: { readonly json?: unknown; readonly body?: BodyInit; readonly headers?: Readonly<Record<string, string>> },
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

/** A mock that listens, a client of it, and a browser that looks at its dashboard. */
export interface Visit {
  readonly server: RunningServer
  readonly send: Send
  readonly page: Page
  /** Opens a place of the dashboard, such as `?view=data`, and waits until its script is at work. */
  readonly go: (place?: string) => Promise<void>
  /** What the browser complained of: faults of the script, and violations of the policy. */
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

/** Notes on a page that it hears the mock: what its script does, it does from then on. It runs in the page. */
function noteHearing(): void {
  const { EventSource: Source } = window
  window.EventSource = class extends Source {
    constructor(url: string | URL, init?: EventSourceInit) {
      super(url, init)
      this.addEventListener('open', () => document.documentElement.setAttribute('data-hears', ''))
    }
  }
}

/**
 * Resolves once a page hears the mock. Before that, its forms and links are the browser's alone, and what happens in the
 * mock is missed. A page that only says what is wrong hears nothing.
 */
async function untilHearing(page: Page): Promise<void> {
  if ((await page.locator('body[data-events]').count()) === 0) return
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
}

/**
 * Resolves once the list of requests is the script's own: lines that the server wrote are replaced then, and whoever
 * clicks one just before clicks nothing.
 */
export const untilListed = (page: Page): Promise<void> =>
  expectPage(page.locator('#rows')).toHaveAttribute('data-virtual')

/** Launches one browser for the tests of a file, and gives what visits the dashboard of a mock of its own with it. */
export function useBrowser(): (options?: ServerOptions, context?: BrowserContextOptions) => Promise<Visit> {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch(chromiumLaunchOptions)
  })
  afterAll(() => browser.close())

  return async function visit(options = {}, contextOptions = {}) {
    const server = await startServer({ port: 0, ...options })
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...contextOptions })
    // Sooner than a test as a whole, so that it says what it waited for.
    context.setDefaultTimeout(PATIENCE)
    await context.addInitScript(noteHearing)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (fault) => complaints.push(fault.message))
    page.on('console', (message) => {
      // What is refused on purpose is answered with a 4xx, which the browser notes too.
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

/** Updates a resource from a version. */
export const update = (send: Send, version: number, headers: Readonly<Record<string, string>> = {}) =>
  send('POST', `/acme/resource/${TABLE}`, {
    json: { version, actions: [{ action: 'changeSomeProperty', someProperty: `from ${version}` }] },
    headers,
  })

/** Puts a page out of sight, or into it. */
export const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** A request of a page whose answer is there, and held. */
export interface Held {
  /** Resolves once there is such an answer: it is of that moment. */
  readonly isHeld: Promise<void>
  /** Hands the answer over, with its text as it is or changed, and resolves once the page has done with it. */
  readonly letGo: (change?: (text: string) => string) => Promise<void>
}

/** Holds the answer to the first request for a page of the dashboard, or a part of one, that is one of these. */
export async function holdFirst(page: Page, isOne: (request: Request) => boolean): Promise<Held> {
  let request: Request | undefined
  let toBody = (text: string): string => text
  const [held, letGo] = [createGate(), createGate()]
  await page.route('**/__admin*', async (route) => {
    if (request !== undefined || !isOne(route.request())) return route.fallback()
    request = route.request()
    const response = await route.fetch()
    held.open()
    await letGo.isOpen
    await route.fulfill({ response, body: toBody(await response.text()) })
  })
  return {
    isHeld: held.isOpen,
    async letGo(change = toBody) {
      toBody = change
      letGo.open()
      const response = await request?.response()
      await response?.finished()
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)))
    },
  }
}

/** What holds something until it is opened. */
export function createGate(): { readonly isOpen: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  return { isOpen, open: () => open() }
}

/** Resets the session of a page, once that is confirmed. */
export async function resetSession(page: Page): Promise<void> {
  await page.getByText('Reset session').click()
  await page.getByRole('button', { name: 'Reset now' }).click()
}

/** Clears the requests of a page's list, once that is confirmed. */
export async function clearRequests(page: Page): Promise<void> {
  await page.getByText('Clear', { exact: true }).click()
  await page.getByRole('button', { name: 'Clear now' }).click()
}
