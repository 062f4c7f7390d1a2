import type { Route } from '@playwright/test'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { countScrollWork } from './scroll-work.ts'
import { clearRequests, createSend, setHidden, untilListed, useBrowser } from './visit.ts'

/** As high a line is in the list, in pixels. */
const LINE = 32

describeInChromium('the list of requests', () => {
  const visit = useBrowser()

  it('loads again after the mock was restarted on its port', async () => {
    const { page, go, send, server } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await expectPage(page.locator('#live')).toHaveText('Live')
    await server.close()
    await expectPage(page.locator('#live')).toHaveText('Reconnecting…')
    const again = await startServer({ port: server.port })
    onTestFinished(() => again.close())
    await expectPage(page.locator('#live')).toHaveText('Live')
    await createSend(() => again.url)('GET', '/acme/resource/key=walnut-desk')
    await expectPage(page.locator('#rows')).toContainText('key=walnut-desk')
  })

  it('does not move the bars of its charts on a reload', async () => {
    const { page, go, send } = await visit()
    await page.clock.install()
    await go()
    await untilListed(page)
    const rate = page.locator('[data-chart=rate] [data-value]')
    await send('GET', '/acme/resource')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.clock.runFor(75_000)
    await expectPage(rate).toHaveText('0/min')
    const asked = page.waitForResponse('**/__admin/dashboard.json*')
    await page.getByRole('button', { name: 'Dark' }).click()
    await asked
    await page.clock.runFor(2000)
    await expectPage(rate).toHaveText('0/min')
    await expectPage(page.locator('[data-chart=rate] [data-detail]')).toContainText('1 in 5 minutes')
  })

  it('catches up after the page was hidden', async () => {
    const { page, go, send } = await visit()
    await go()
    await expectPage(page.locator('#live')).toHaveText('Live')
    await setHidden(page, true)
    await send('GET', '/acme/resource')
    await setHidden(page, false)
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
  })

  it('keeps requests that arrive while it is loading', async () => {
    const { page, go, send } = await visit()
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    let answer = (): void => undefined
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/__admin/dashboard.json*', async (route) => {
      const response = await route.fetch()
      isAsked()
      await mayAnswer
      await route.fulfill({ response })
    })
    await go()
    await asked
    await expectPage(page.locator('#live')).toHaveText('Live')
    await send('GET', '/acme/resource/key=walnut-desk')
    await expectPage(page.locator('#announcer')).toContainText('1 new request')
    answer()
    await expectPage(page.locator('#shown')).toHaveText('1 request')
    await expectPage(page.locator('#rows')).toContainText('key=walnut-desk')
  })

  it('keeps the rows from the server until it has loaded', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', '/acme/resouce')
    let answer = (): void => undefined
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/__admin/dashboard.json*', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await go()
    const lines = page.locator('#rows .row')
    await expectPage(page.locator('#live')).toHaveText('Live')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expectPage(lines).toHaveCount(2)
    await expectPage(page.getByRole('heading', { name: 'No requests yet' })).toBeHidden()
    await lines.first().getByRole('link').focus()
    const focused = await lines.first().getAttribute('data-id')
    answer()
    await expectPage(page.locator('#rows')).toHaveAttribute('data-virtual')
    await expectPage(lines).toHaveCount(2)
    await expectPage(page.locator(`#rows .row[data-id="${focused}"]`).getByRole('link')).toBeFocused()
  })

  it.each([
    ['responds with an error', async (route: Route) => route.fulfill({ status: 503, body: 'no' })],
    ['does not respond', async (route: Route) => route.abort()],
  ])('stays as it was when the mock %s, and loads with the next event', async (_what, refuse) => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await page.route('**/__admin/dashboard.json*', refuse)
    const asked = page.waitForRequest('**/__admin/dashboard.json*')
    await go()
    await asked
    await expectPage(page.locator('#live')).toHaveText('Live')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await expectPage(page.getByRole('heading', { name: 'No requests yet' })).toBeHidden()
    await page.unroute('**/__admin/dashboard.json*')
    await send('GET', '/acme/resource/key=walnut-desk')
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
  })

  it('shows requests and changes from before the stream was open', async () => {
    const { page, send, server } = await visit()
    let connect = (): void => undefined
    const mayConnect = new Promise<void>((resolve) => (connect = resolve))
    await page.route('**/__admin/events*', async (route) => {
      await mayConnect
      await route.continue()
    })
    const asked = page.waitForRequest('**/__admin/events*')
    await page.goto(`${server.url}/__admin`)
    await asked
    await send('GET', '/acme/resource/key=walnut-desk')
    await send('PUT', '/__admin/scenarios/active', { json: { active: ['conflict'] } })
    connect()
    await expectPage(page.locator('#rows')).toContainText('key=walnut-desk')
    await expectPage(page.locator('#active')).toContainText('conflict')
  })

  it('loads even if the event stream is refused', async () => {
    const { page, send, server } = await visit({ journal: 100 })
    for (let at = 0; at < 50; at += 1) await send('GET', `/acme/resource/key=none-${at}`)
    await page.route('**/__admin/events*', (route) => route.fulfill({ status: 503, body: 'no' }))
    await page.goto(`${server.url}/__admin`)
    await expectPage(page.locator('#live')).toHaveText('Reconnecting…')
    await expectPage(page.locator('#shown')).toHaveText('50 requests')
  })

  it('opens the pressed request although others arrive meanwhile', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource/key=pressed')
    await go()
    await untilListed(page)
    const { x = 0, y = 0 } = (await page.locator('#rows .row').boundingBox()) ?? {}
    await page.mouse.move(x + 200, y + 8)
    await page.mouse.down()
    await send('GET', '/acme/resource/key=later')
    await expectPage(page.locator('#announcer')).toContainText('1 new request')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.mouse.up()
    await expectPage(page.locator('#detail h2')).toContainText('key=pressed')
    await page.mouse.move(0, 0)
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
  })

  it('counts the requests of its own session while it shows all', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', '/@other/acme/resource')
    await go('?from=*')
    await untilListed(page)
    await send('GET', '/@other/acme/resource')
    await expectPage(page.locator('#rows .row')).toHaveCount(3)
    await expectPage(page.locator('#count-requests')).toHaveText('1')
  })

  it('is empty after another client resets the session', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await expectPage(page.locator('#live')).toHaveText('Live')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await send('POST', '/__admin/reset')
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
  })

  it('is empty after another client or window clears the journal', async () => {
    const { page, go, send, server } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await expectPage(page.locator('#live')).toHaveText('Live')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    expect((await send('DELETE', '/__admin/requests')).status).toBe(200)
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    await send('GET', '/acme/resource')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    const other = await page.context().newPage()
    await other.goto(`${server.url}/__admin`)
    await clearRequests(other)
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    await expectPage(page.locator('#count-requests')).toHaveText('0')
  })

  it('does not move when paused, even on a restore', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    expect((await send('PUT', '/__admin/snapshots/before')).status).toBeLessThan(300)
    await go()
    await expectPage(page.locator('#live')).toHaveText('Live')
    await untilListed(page)
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    await send('GET', '/acme/resource/key=walnut-desk')
    await expectPage(page.getByRole('button', { name: 'Resume (1)' })).toBeVisible()
    const again = page.waitForResponse('**/__admin/dashboard.json*')
    expect((await send('POST', '/__admin/snapshots/before/restore')).status).toBeLessThan(300)
    await (await again).finished()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.getByRole('button', { name: 'Resume (1)' }).click()
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
  })

  describe('with 5,000 requests', () => {
    it('renders only the visible rows', async () => {
      const { page, go, server, send } = await visit({ journal: 5000 })
      for (let at = 0; at < 5000; at += 1) {
        await server.mock.fetch(
          new Request(`${server.url}/acme/resource/key=none-${at}`, { headers: { Authorization: 'Bearer any' } }),
        )
      }
      await go()
      for (const count of ['1,000', '2,000', '3,000', '4,000']) {
        await expectPage(page.locator('#shown')).toHaveText(`${count} of 5,000 requests`)
        await page.getByRole('button', { name: 'Load older requests' }).click()
      }
      await expectPage(page.locator('#shown')).toHaveText('5,000 requests')
      expect(await page.locator('#rows .row').count()).toBeLessThan(80)
      const far = await page.evaluate(countScrollWork, { by: 84 * LINE, times: 30 })
      const near = await page.evaluate(countScrollWork, { by: LINE, times: 20 })
      for (const { filled, lines } of far) expect(filled).toBeLessThanOrEqual(lines)
      expect(near.map(({ filled }) => filled)).toEqual(near.map(() => 1))
      for (const { measured, lines } of [...far, ...near]) {
        expect(lines).toBeLessThan(80)
        // As often as it takes to know what is in sight, however many lines there are.
        expect(measured).toBeLessThan(8)
      }
      await page.locator('#table').evaluate((table) => table.scrollTo(0, table.scrollHeight))
      await expectPage(page.locator('#rows .row', { hasText: 'none-0' }).last()).toBeVisible()
      await send('GET', '/acme/resource/key=the-newest')
      await expectPage(page.locator('#shown')).toHaveText('5,001 requests')
      await expectPage(page.locator('#rows .row', { hasText: 'none-0' }).last()).toBeVisible()
      await page.getByLabel('Text').fill('none-4999')
      await expectPage(page.locator('#rows .row')).toHaveCount(1)
    })
  })

  it('keeps reading and tab order from top to bottom', async () => {
    const { page, go, send } = await visit()
    await Promise.all(Array.from({ length: 300 }, (_, at) => send('GET', `/acme/resource/key=one-${at}`)))
    await go()
    await untilListed(page)
    const table = page.locator('#table')
    const scrollTo = (top: number) =>
      table.evaluate((element, to) => {
        element.scrollTo(0, to)
        element.dispatchEvent(new Event('scroll'))
      }, top)
    const readPlaces = () =>
      page
        .locator('#rows .row')
        .evaluateAll((lines) =>
          lines.map((line) => [Number(line.getAttribute('aria-rowindex')), line.getBoundingClientRect().top]),
        )
    const expectInOrder = async () => {
      const places = await readPlaces()
      expect(places).toEqual(places.toSorted(([, a = 0], [, b = 0]) => a - b))
      expect(places).toEqual(places.toSorted(([a = 0], [b = 0]) => a - b))
      expect(new Set(places.map(([index]) => index)).size).toBe(places.length)
    }
    for (const top of [10, 90, 250, 1000, 1333, 900, 1600, 1500]) {
      await scrollTo(top * 3)
      await expectInOrder()
    }
    const line = page.locator('#rows .row[aria-rowindex="150"] a')
    await line.focus()
    for (const top of [4700, 4600, 3800, 0, 9000]) {
      await scrollTo(top)
      await expectInOrder()
      await expectPage(page.locator('#rows .row[aria-rowindex="150"] a')).toBeFocused()
    }
    await send('GET', '/acme/resource/key=the-newest')
    await expectPage(page.locator('#newer')).toHaveText('1 new')
    await expectInOrder()
    await expectPage(page.locator('#rows .row[aria-rowindex="150"] a')).toBeFocused()
    await page.keyboard.press('Tab')
    await expectPage(page.locator('#rows .row[aria-rowindex="151"] a')).toBeFocused()
  })

  it('removes the row of a deleted request, and moves the focus to the view', async () => {
    const { page, go, send } = await visit()
    for (const key of ['one', 'two']) await send('GET', `/acme/resource/key=${key}`)
    await go()
    await untilListed(page)
    await page.keyboard.press('j')
    await expectPage(page.locator('#rows a:focus')).toHaveCount(1)
    await send('DELETE', '/__admin/requests')
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    await expectPage(page.locator('#main')).toBeFocused()
  })

  it('can be used by keyboard alone', async () => {
    const { page, go, send } = await visit()
    for (const key of ['one', 'two', 'three']) await send('GET', `/acme/resource/key=${key}`)
    await go()
    await untilListed(page)
    await expectPage(page.locator('#rows .row')).toHaveCount(3)
    const focused = page.locator('#rows a:focus')
    await page.keyboard.press('j')
    await expectPage(focused).toContainText('key=three')
    await page.keyboard.press('ArrowDown')
    await expectPage(focused).toContainText('key=two')
    await page.keyboard.press('k')
    await expectPage(focused).toContainText('key=three')
    await page.keyboard.press('Enter')
    await expectPage(page.locator('#detail h2')).toBeFocused()
    await expectPage(page.locator('#detail h2')).toContainText('key=three')
    await page.keyboard.press('j')
    await expectPage(page.locator('#detail h2')).toContainText('key=two')
    await page.goBack()
    await expectPage(page.locator('#detail')).toBeHidden()
    await page.goForward()
    await expectPage(page.locator('#detail h2')).toContainText('key=two')
    await page.keyboard.press('Escape')
    await expectPage(page.locator('#detail')).toBeHidden()
    await expectPage(focused).toContainText('key=two')
    await page.keyboard.press('/')
    await page.keyboard.type('three')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expectPage(focused).toContainText('key=three')
  })

  it('has a skip link', async () => {
    const { page, go } = await visit()
    await go()
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(page.locator('#main')).toBeFocused()
  })
})
