import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mock } from '../../../src/mock.ts'
import { toPng } from '../../service/http/image-samples.ts'
import { openPage } from './page.ts'

/** The tools that the app in the page provides for its tests. */
interface AppGlobals {
  readonly mock: Mock
  readonly AUTHORIZED: Readonly<Record<string, string>>
}
declare const window: AppGlobals & typeof globalThis

const APP = `
import { setupWorker } from 'msw/browser'
import { createMock } from './src/index.ts'
import { handlers } from './src/msw.ts'

window.AUTHORIZED = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
window.mock = await createMock()
const worker = setupWorker(...handlers('https://api.example.com', window.mock), ...handlers('/api', window.mock))
await worker.start({ quiet: true })
document.title = 'ready'
`

/**
 * The behaviour of handlers in the browser, whatever the version of MSW.
 *
 * @param msw the name of its package
 * @param modules the folder that has the package
 */
export function browserCases(msw: string, modules?: string): void {
  let page: Page
  let close: () => Promise<void>

  beforeAll(async () => {
    ;({ page, close } = await openPage({ contents: APP, resolveDir: process.cwd(), loader: 'ts' }, { msw }, modules))
    await page.waitForFunction(() => document.title === 'ready')
  })
  afterAll(() => close())

  it('respond to requests of a page', async () => {
    const answer = await page.evaluate(async () => {
      const response = await fetch('https://api.example.com/acme/resource?limit=1', { headers: window.AUTHORIZED })
      return { status: response.status, body: await response.json() }
    })
    expect(answer).toMatchObject({ status: 200, body: { limit: 1, count: 1 } })
  })

  it('respond to POST, HEAD, PATCH and DELETE', async () => {
    const statuses = await page.evaluate(async () => {
      const send = async (method: string, path: string, body: string | null = null) => {
        const response = await fetch(`https://api.example.com${path}`, { method, headers: window.AUTHORIZED, body })
        return response.status
      }
      const draft = JSON.stringify({ key: 'of-the-page', objectTypeProperty: {} })
      const statuses = [
        await send('POST', '/acme/resource', draft),
        await send('HEAD', '/acme/resource/key=of-the-page'),
        await send('PATCH', '/acme/resource', draft),
        await send('DELETE', '/acme/resource/unknown'),
      ]
      const [patched] = await window.mock.session('default').requests({ method: 'PATCH' })
      return [...statuses, JSON.parse(patched?.body ?? '{}').key]
    })
    expect(statuses).toEqual([201, 200, 201, 404, 'of-the-page'])
  })

  it('forward an image byte for byte', async () => {
    const image = [...toPng(7, 5)]
    const stored = await page.evaluate(async (image) => {
      const uploaded = await fetch('https://api.example.com/acme/resource/images', {
        method: 'POST',
        headers: { ...window.AUTHORIZED, 'Content-Type': 'image/png' },
        body: new Blob([new Uint8Array(image)]),
      })
      const { images } = await (await fetch('https://api.example.com/__admin/images')).json()
      const stored = await fetch(`https://api.example.com${images[0].url}`)
      return { status: uploaded.status, bytes: [...new Uint8Array(await stored.arrayBuffer())] }
    }, image)
    expect(stored).toEqual({ status: 200, bytes: image })
  })

  it('leave unknown paths to the mock, and other addresses to others', async () => {
    const answers = await page.evaluate(async () => {
      const codeOf = async (url: string) => {
        const response = await fetch(url)
        return [response.status, response.headers.has('X-Correlation-ID')]
      }
      return [await codeOf('https://api.example.com/nowhere'), await codeOf('/elsewhere')]
    })
    expect(answers).toEqual([
      [404, true],
      [418, false],
    ])
  })

  it('respond below a path of the page', async () => {
    const location = await page.evaluate(async () => {
      const body = JSON.stringify({ objectTypeProperty: {} })
      const created = await fetch('/api/acme/resource', { method: 'POST', headers: window.AUTHORIZED, body })
      const location = created.headers.get('Location') ?? ''
      const read = await fetch(location, { headers: window.AUTHORIZED })
      return [location.split('/').slice(0, 4).join('/'), read.status]
    })
    expect(location).toEqual(['/api/acme/resource', 200])
  })

  it('serve the session in a header', async () => {
    const statuses = await page.evaluate(async () => {
      await window.mock.session('down').use('unavailable')
      const statusOf = async (session: string) => {
        const headers = { ...window.AUTHORIZED, 'X-Mock-Session': session }
        return (await fetch('https://api.example.com/acme/resource', { headers })).status
      }
      return [await statusOf('down'), await statusOf('up')]
    })
    expect(statuses).toEqual([503, 200])
  })

  it.each(['offline', 'truncated'])('show a network error under %s', async (scenario) => {
    const fault = await page.evaluate(async (scenario) => {
      const headers = { ...window.AUTHORIZED, 'X-Mock-Scenario': scenario }
      return fetch('https://api.example.com/acme/resource', { headers })
        .then((response) => response.text())
        .catch((fault: unknown) => String(fault))
    }, scenario)
    expect(fault).toMatch(/^TypeError/)
  })
}
