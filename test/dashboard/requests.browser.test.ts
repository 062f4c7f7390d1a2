import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { clearRequests, TABLE, untilListed, update, useBrowser } from './visit.ts'

describeInChromium('the view of requests', () => {
  const visit = useBrowser()

  it('shows a first request as it comes, in the place of how to send one', async () => {
    const { page, go, send, server } = await visit()
    await go()
    await expectPage(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
    await expectPage(page.locator('#first code')).toContainText(`${server.url}/acme/resource`)
    await expectPage(page.locator('#live')).toHaveText('Live')
    await send('GET', '/acme/resource?limitt=2')
    const line = page.locator('#rows .row')
    await expectPage(line).toHaveCount(1)
    await expectPage(line).toContainText('200')
    await expectPage(line).toContainText('/acme/resource?limitt=2')
    await expectPage(line).toContainText('queryResources')
    await expectPage(line.locator('.warned')).toHaveText('D4')
    await expectPage(page.locator('[data-chart=rate] [data-value]')).toHaveText('1/min')
    await expectPage(page.locator('#announcer')).toContainText('1 new request, 0 failed.')
  })

  it('tells why a request failed, who made it fail, and that its retry worked', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    expect((await update(send, 3)).status).toBe(409)
    expect((await update(send, 4)).status).toBe(200)
    await go()
    await untilListed(page)
    // By the status alone: a time of day may have these digits too.
    await page
      .locator('#rows .row')
      .filter({ has: page.locator('.status', { hasText: '409' }) })
      .getByRole('link')
      .click()
    const detail = page.locator('#detail')
    await expectPage(detail.locator('.failure')).toContainText('Expected: 3 - Actual: 4.')
    await expectPage(detail.locator('.actor')).toContainText('Scenario conflict-once fired.')
    await expectPage(detail.locator('.recovery')).toContainText('200')
    await expectPage(detail).toContainText('Status, headers and body keep the contract.')
    await expectPage(detail.locator('.decisions')).toContainText('D18 response and actions of an update')
    await expectPage(detail.getByRole('region', { name: 'Request body' })).toContainText('"changeSomeProperty"')
    await expectPage(page).toHaveURL(/request=/)
    await detail.getByRole('button', { name: 'Switch off' }).click()
    await expectPage(page.locator('#notice')).toContainText('conflict-once is off.')
    await expectPage(page.locator('#active')).toContainText('No active scenarios')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#active')).toContainText('conflict-once')
  })

  it('opens a request by its address: marked, in sight, and over everything else where it is narrow', async () => {
    const { page, go, send } = await visit()
    for (let count = 0; count < 100; count += 1) await send('GET', `/acme/resource?limit=${count}`)
    await go()
    await untilListed(page)
    await page.locator('#table').press('End')
    const oldest = page.locator('#rows .row', { hasText: 'limit=0' })
    await expectPage(oldest).toBeVisible()
    const place = `?request=${await oldest.getAttribute('data-id')}`
    await go(place)
    await expectPage(oldest).toBeInViewport()
    await expectPage(oldest.getByRole('link')).toHaveAttribute('aria-current', 'true')
    await expectPage(page.locator('.list')).not.toHaveAttribute('inert')
    await page.setViewportSize({ width: 320, height: 800 })
    await go(place)
    await expectPage(page.locator('.list')).toHaveAttribute('inert')
    await expectPage(page.locator('.side')).toHaveAttribute('inert')
  })

  it('names the nearest operation of a request that met none', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resouce')
    await go()
    await untilListed(page)
    await page.locator('#rows').getByRole('link').click()
    await expectPage(page.locator('.misses')).toContainText('GET /{projectKey}/resource')
  })

  it('says where an answer breaks the contract', async () => {
    const broken = { description: 'x', rules: [{ effect: { answer: { status: 200, body: { version: 'three' } } } }] }
    const { page, go, send } = await visit({ scenarios: { 'broken.json': JSON.stringify(broken) }, scenario: 'broken' })
    await send('GET', `/acme/resource/${TABLE}`)
    await go()
    await untilListed(page)
    await page.locator('#rows').getByRole('link').click()
    await expectPage(page.locator('.verdict.broken')).toContainText('body.version')
  })

  it('filters by text, operation and status, and says when nothing is left', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', `/acme/resource/${TABLE}`)
    await send('GET', '/acme/nothing')
    await go()
    const lines = page.locator('#rows .row')
    await expectPage(lines).toHaveCount(3)
    await page.getByLabel('Text').fill('nothing 404')
    await expectPage(lines).toHaveCount(1)
    await page.getByLabel('Text').fill('')
    await page.getByLabel('Operation').selectOption('getResourceById')
    await expectPage(lines).toHaveCount(1)
    await expectPage(page.locator('#shown')).toHaveText('1 of 3 requests')
    await page.getByLabel('Status').selectOption('failed')
    await expectPage(page.getByRole('heading', { name: 'No requests match the filter' })).toBeVisible()
    await page.getByLabel('Operation').selectOption('Unmatched')
    await expectPage(lines).toHaveCount(1)
  })

  it('shows the requests of all sessions where it is asked to, as they come', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await page.getByLabel('Whose requests').selectOption('All sessions')
    await expectPage(page).toHaveURL(/from=/)
    await expectPage(page.locator('#live')).toHaveText('Live')
    await send('GET', '/@worker-1/acme/resource')
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
    await expectPage(page.locator('#rows .c-session').filter({ hasText: 'worker-1' })).toBeVisible()
    await page.locator('#rows .row', { hasText: 'worker-1' }).getByRole('link').click()
    await expectPage(page.locator('#detail')).toContainText('session worker-1')
  })

  it('pauses, counts what waits, and goes on', async () => {
    const { page, go, send } = await visit()
    await go()
    await expectPage(page.locator('#live')).toHaveText('Live')
    await untilListed(page)
    await page.getByRole('button', { name: 'Pause' }).click()
    await expectPage(page.locator('#live')).toHaveText('Paused')
    await send('GET', '/acme/resource')
    await send('GET', '/acme/resource')
    const resume = page.getByRole('button', { name: 'Resume (2)' })
    await expectPage(resume).toBeVisible()
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    await resume.click()
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
  })

  it('clears', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await clearRequests(page)
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    await expectPage(page.locator('#notice')).toContainText('Requests of session default cleared.')
    expect(JSON.parse((await send('GET', '/__admin/requests')).text)).toMatchObject({ meta: { total: 0 } })
  })

  it('copies a request as curl, fetch and a route of Playwright, which do the same again', async () => {
    const { page, go, send, server } = await visit({}, { permissions: ['clipboard-read', 'clipboard-write'] })
    await update(send, 3)
    await go()
    await untilListed(page)
    await page.locator('#rows').getByRole('link').click()
    const copied = async (name: string): Promise<string> => {
      // What was said of the copy before is no word about this one.
      await page.locator('#announcer').evaluate((announcer) => announcer.replaceChildren())
      await page.getByRole('button', { name: `Copy as ${name}` }).click()
      await expectPage(page.locator('#announcer')).toHaveText('Copied.')
      return page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('curl')).toContain(`curl '${server.url}/acme/resource/${TABLE}'`)
    const call = await copied('fetch')
    expect(await page.evaluate(`(async () => { ${call}; return response.status })()`)).toBe(409)
    // That is announced as well, and is not to speak over the next copy.
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
    const route = await copied('Playwright route')
    expect(route).toContain('status: 200')
  })
})
