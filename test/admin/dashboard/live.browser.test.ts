import type { Request as PageRequest, Route } from '@playwright/test'
import { expect, it } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { findPort } from '../../support/find-port.ts'
import { TABLE, update, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

/** Records reads without a socket. */
async function record(server: { readonly mock: { fetch(request: Request): Promise<Response> } }, count: number) {
  const headers = { Authorization: 'Bearer any' }
  for (let at = 0; at < count; at += 1)
    await server.mock.fetch(new Request(`http://mock/acme/resource/key=walnut-desk?none-${at}`, { headers }))
}

/** Reads and updates a resource, and tries again after a conflict. */
async function changeWithRetry(send: Send): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { version } = JSON.parse((await send('GET', `/acme/resource/${TABLE}`)).text) as { readonly version: number }
    const { status } = await update(send, version)
    statuses.push(status)
    if (status === 200) break
  }
  return statuses
}

describeInChromium('the dashboard', () => {
  const visit = useBrowser()

  it('shows a newcomer why a request failed and how the client recovered, and resets the session', async () => {
    const { page, go, send } = await visit()
    const { text: untouched } = await send('GET', `/acme/resource/${TABLE}`)
    await send('GET', '/acme/resource/sorted-query-parameters?where=version%20%3E')
    await go()
    const detail = page.getByRole('region', { name: 'Request details' })
    const request = (status: string) => page.locator('.rows-body .row', { hasText: status }).getByRole('link')
    await request('400').click()
    await expectPage(detail.locator('.failure').first()).toContainText('version >')
    await page.getByRole('button', { name: 'Close' }).click()
    await expectPage(detail).toBeHidden()
    await send('PUT', '/__admin/scenarios/active', { json: { active: ['conflict-once'] } })
    await expectPage(page.getByRole('region', { name: 'Active scenarios' })).toContainText('conflict-once')
    expect(await changeWithRetry(send)).toEqual([409, 200])
    await request('409').click()
    await expectPage(detail).toContainText('You sent version 3, but version 4 had been current since')
    await expectPage(detail).toContainText('Scenario conflict-once fired.')
    await expectPage(detail).toContainText('The retry succeeded')
    await page.getByRole('button', { name: 'Reset session…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset session' }).click()
    await expectPage(page.getByRole('region', { name: 'Active scenarios' })).toContainText('No active scenarios')
    await expectPage(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
    expect((await send('GET', `/acme/resource/${TABLE}`)).text).toBe(untouched)
  })

  it('loads again after the mock was restarted on its port', async () => {
    const port = await findPort()
    const { page, go, send, server } = await visit({ port })
    await send('GET', '/acme/resource')
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
    await server.close()
    await expectPage(page.getByRole('alert')).toContainText('not responding')
    // What is loaded meanwhile does not say it again.
    for (const view of ['Data', 'Coverage', 'Requests']) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await expectPage(page.getByRole('heading', { name: view, level: 1 })).toBeVisible()
    }
    await expectPage(page.getByRole('alert')).toHaveCount(1)
    const again = await startServer({ port })
    try {
      await expectPage(page.locator('.rows-body .row')).toHaveCount(0)
      await expectPage(page.getByText('Live', { exact: true })).toBeVisible()
    } finally {
      await again.close()
    }
  })

  it('closes the details of a request for good', async () => {
    const { page, go, send } = await visit()
    for (const path of ['/acme/resource', '/acme/resource/none']) await send('GET', path)
    await go()
    const detail = page.getByRole('region', { name: 'Request details' })
    let total = 2
    for (const status of ['200', '404']) {
      await page.locator('.rows-body .row', { hasText: status }).last().getByRole('link').click()
      await expectPage(detail).toContainText(status)
      for (let count = 0; count < 2; count += 1) {
        await send('GET', '/acme/resource')
        total += 1
        await expectPage(page.getByText(`${total} requests`)).toBeVisible()
      }
      await expectPage(detail).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expectPage(detail).toHaveCount(0)
    }
  })

  it('drops the response to an older filter', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', '/acme/resource/none')
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(2)
    const held = new Promise<Route>((resolve) => void page.route(/filter=status%3A200/, (route) => resolve(route)))
    await page.keyboard.press('/')
    await page.keyboard.type('status:200')
    await page.keyboard.press('Enter')
    const route = await held
    await page.getByLabel('Filter', { exact: true }).fill('status:404')
    await page.keyboard.press('Enter')
    await expectPage(page.locator('.rows-body .row')).toHaveText([/404/])
    const answered = page.waitForResponse(/filter=status%3A200/)
    await route.continue()
    await answered
    await expectPage(page.locator('.rows-body .row')).toHaveText([/404/])
  })

  it('has only the visible ones of 50,000 requests in the page, and loads no bodies with them', async () => {
    const { page, go, server } = await visit({ journal: 50_000, memory: '1gb' })
    await record(server, 50_000)
    const pages: PageRequest[] = []
    page.on('request', (request) => {
      if (/\/requests\?/.test(request.url())) pages.push(request)
    })
    await go()
    await expectPage(page.getByText('50,000 requests')).toBeVisible()
    expect(await page.locator('body *').count()).toBeLessThan(1500)
    const table = page.getByRole('table', { name: 'Requests' })
    await expectPage(table).toHaveAttribute('aria-rowcount', '50001')
    for (let at = 1; at <= 5; at += 1) {
      await table.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), at / 5)
      // The first row is the head.
      const row = page.locator(`.row[aria-rowindex="${10_000 * at + 1}"]`)
      await expectPage(row.getByRole('link')).toBeVisible()
      expect(await page.locator('.rows-body .row').count()).toBeLessThan(60)
    }
    const sizes = await Promise.all(
      pages.map(async (request) => (await (await request.response())?.body())?.byteLength ?? 0),
    )
    expect(sizes.length).toBeGreaterThanOrEqual(6)
    expect(Math.max(...sizes)).toBeLessThan(60_000)
    await page.getByLabel('Filter', { exact: true }).fill('none-7')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('1,111 of 50,000 requests')).toBeVisible()
    expect(await page.locator('.rows-body .row').count()).toBeLessThan(60)
  })

  it('says that it needs JavaScript', async () => {
    const { page, go } = await visit({}, { javaScriptEnabled: false })
    await go()
    await expectPage(page.locator('noscript')).toBeVisible()
    expect(await page.locator('noscript').textContent()).toContain('The dashboard needs JavaScript.')
  })
})
