import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { clearRequests, untilListed, update, useBrowser } from './visit.ts'

describeInChromium('the list of requests', () => {
  const visit = useBrowser()

  it('does not move under the mouse, counts new requests, and shows them when the mouse leaves', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource?limit=1')
    await go()
    await untilListed(page)
    const first = page.locator('#rows .row').first()
    await first.hover()
    for (const limit of [2, 3]) await send('GET', `/acme/resource?limit=${limit}`)
    await expectPage(page.locator('#newer')).toHaveText('2 new')
    await expectPage(first).toContainText('limit=1')
    await page.locator('#newer').click()
    await expectPage(first).toContainText('limit=3')
    await first.hover()
    await send('GET', '/acme/resource?limit=4')
    await expectPage(page.locator('#newer')).toHaveText('1 new')
    await page.mouse.move(0, 0)
    await expectPage(first).toContainText('limit=4')
    await expectPage(page.locator('#newer')).toBeHidden()
  })

  it('is sorted by a column, and filtered by bodies, also as requests arrive', async () => {
    const { page, go, send, complaints } = await visit()
    for (const path of ['/beta/resource', '/acme/resource/none']) await send('GET', path)
    await go()
    await untilListed(page)
    const rows = page.locator('#rows .row')
    await page.getByRole('columnheader', { name: 'Path' }).getByRole('link').click()
    await expectPage(rows.first()).toContainText('/acme/resource/none')
    await expectPage(page.getByRole('columnheader', { name: 'Path' })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('columnheader', { name: 'Path' }).getByRole('link').click()
    await expectPage(rows.first()).toContainText('/beta/resource')
    await expectPage(page).toHaveURL(/sort=-path/)
    await page.getByRole('searchbox').fill('body~statusCode')
    await expectPage(rows).toHaveCount(1)
    await page.mouse.move(0, 0)
    await send('GET', '/acme/resource/other')
    await send('GET', '/acme/resource?limit=1')
    await expectPage(page.locator('#shown')).toHaveText('2 of 4 requests')
    await expectPage(rows.first()).toContainText('/acme/resource/other')
    expect(complaints).toEqual([])
  })

  it('shows requests without a response yet below the list, until they are over', async () => {
    const { server, page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await untilListed(page)
    await expectPage(page.locator('#pending')).toBeHidden()
    const sending = new AbortController()
    const headers = { Authorization: 'Bearer any', 'X-Mock-Delay': '60000' }
    const sent = fetch(`${server.url}/acme/resource?limit=7`, { headers, signal: sending.signal })
    await expectPage(page.locator('#pending li')).toHaveText(/^… GET \/acme\/resource\?limit=7 since /)
    sending.abort()
    await expect(sent).rejects.toThrow()
    await expectPage(page.locator('#pending')).toBeHidden()
    await expectPage(page.locator('#rows .row').first()).toContainText('limit=7')
  })

  it('does not move while a row has the focus', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource?limit=1')
    await go()
    await untilListed(page)
    await page.keyboard.press('j')
    await send('GET', '/acme/resource?limit=2')
    await expectPage(page.locator('#newer')).toHaveText('1 new')
    await page.locator('#main').focus()
    await expectPage(page.locator('#rows .row').first()).toContainText('limit=2')
  })

  it('loads the newest requests, and older ones on demand', async () => {
    const { page, go, send } = await visit({ journal: 1500 })
    for (let count = 0; count < 1200; count += 100) {
      await Promise.all(Array.from({ length: 100 }, () => send('GET', '/acme/resource?limit=1')))
    }
    await go()
    await expectPage(page.locator('#shown')).toHaveText('1,000 of 1,200 requests')
    await expectPage(page.locator('#count-requests')).toHaveText('1200')
    await page.getByRole('button', { name: 'Load older requests' }).click()
    await expectPage(page.locator('#shown')).toHaveText('1,200 requests')
    await expectPage(page.locator('#older')).toBeHidden()
  })

  it('shows, finds, exports and clears the requests of all sessions', async () => {
    const { page, go, send } = await visit({}, { viewport: { width: 900, height: 800 } })
    for (const name of ['worker-1', 'worker-2']) await send('GET', `/@${name}/acme/resource`)
    await go('?from=*')
    await untilListed(page)
    await expectPage(page.locator('#rows .c-session')).toHaveText(['worker-2', 'worker-1'])
    for (const cell of await page.locator('#rows .c-session').all()) await expectPage(cell).toBeVisible()
    await page.getByRole('searchbox').fill('worker-1')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    const address = await page.getByRole('link', { name: 'HAR' }).getAttribute('href')
    const har = JSON.parse((await send('GET', address ?? '')).text) as { readonly log: { readonly entries: unknown[] } }
    expect(har.log.entries).toHaveLength(2)
    await clearRequests(page)
    await expectPage(page.locator('#notice')).toContainText('Requests of all sessions cleared.')
    for (const name of ['worker-1', 'worker-2']) {
      expect(JSON.parse((await send('GET', `/@${name}/__admin/requests`)).text)).toMatchObject({ meta: { total: 0 } })
    }
  })

  it('shows targets decoded and copies them as sent', async () => {
    const { page, go, send } = await visit({}, { permissions: ['clipboard-read', 'clipboard-write'] })
    const target = '/acme/resource?where=key%20%3D%20%22a%26b%22'
    await send('GET', target)
    await go()
    await untilListed(page)
    await expectPage(page.locator('#rows .row')).toContainText('?where=key = "a%26b"')
    await page.locator('#rows .row').click()
    await expectPage(page.locator('#detail h2')).toContainText('?where=key = "a%26b"')
    await page.getByRole('button', { name: 'Copy path and query' }).click()
    await expectPage(page.locator('#announcer')).toHaveText('Copied.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(target)
  })

  it.each([
    ['at 200 % zoom', 640, 400],
    ['on a phone', 360, 640],
  ])('shows at least three rows %s', async (_where, width, height) => {
    const { page, go, send } = await visit({}, { viewport: { width, height } })
    for (let count = 0; count < 5; count += 1) await send('GET', '/acme/resource')
    await go()
    await untilListed(page)
    await expectPage(page.locator('#rows .row').nth(2)).toBeInViewport({ ratio: 1 })
  })

  it('does not take the success of another request for the retry', async () => {
    const { page, go, send } = await visit()
    expect((await send('POST', '/acme/resource', { json: { key: 'key-a' } })).status).toBe(400)
    expect((await send('POST', '/acme/resource', { json: { key: 'key-b', objectTypeProperty: {} } })).status).toBe(201)
    await go()
    await untilListed(page)
    await page.locator('#rows .row').nth(1).click()
    await expectPage(page.locator('#detail .why')).toBeVisible()
    await expectPage(page.locator('#detail')).not.toContainText('The retry succeeded')
  })
})

describeInChromium('a notice', () => {
  const visit = useBrowser()

  it('disappears unless hovered, and can be dismissed', async () => {
    const { page, server } = await visit({ scenario: 'slow' })
    await page.clock.install()
    await page.goto(`${server.url}/__admin?view=scenarios`)
    await expectPage(page.locator('html')).toHaveAttribute('data-hears')
    const notice = page.locator('#notice')
    await page.getByRole('button', { name: 'All off' }).click()
    await expectPage(notice).toContainText('All scenarios are off.')
    await notice.getByText('All scenarios').hover()
    await page.clock.runFor(20_000)
    await expectPage(notice).toContainText('All scenarios are off.')
    await page.mouse.move(0, 0)
    await page.clock.runFor(20_000)
    await expectPage(notice).toBeEmpty()
    await page.getByRole('switch', { name: 'slow', exact: true }).click()
    await expectPage(notice).toContainText('slow is on.')
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expectPage(notice).toBeEmpty()
  })
})

describeInChromium('a control', () => {
  const visit = useBrowser()

  it.each(['', '?view=scenarios', '?view=data', '?view=contract&operation=updateResource'])(
    'is at least 24 pixels wide and high: %s',
    async (place) => {
      const { page, go, send } = await visit()
      await update(send, 3)
      await go(place)
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, input:not([type=hidden]), select, summary, textarea')]
          .map((control) => ({ name: control.outerHTML.slice(0, 80), ...control.getBoundingClientRect().toJSON() }))
          .filter(({ width, height }) => width > 0 && (width < 24 || height < 24))
          .map(({ name }) => name as string),
      )
      expect(small).toEqual([])
    },
  )

  it('that is a switch shows its state in forced colours too', async () => {
    const { page, go } = await visit({ scenario: 'slow' }, { forcedColors: 'active' })
    await go('?view=scenarios')
    const paint = (name: string) =>
      page.getByRole('switch', { name, exact: true }).evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await paint('slow')).not.toBe(await paint('flaky'))
  })
})
