import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { findViolations } from './find-violations.ts'
import { TABLE, update, useBrowser } from './visit.ts'

const EVIL = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>'

describeInChromium('the list of requests', () => {
  const visit = useBrowser()

  it('shows requests as they come in, newest first', async () => {
    const { page, go, send } = await visit()
    await go()
    await expectPage(page.getByText('No requests yet')).toBeVisible()
    await send('GET', '/acme/resource')
    await send('GET', '/acme/resource/none')
    const rows = page.locator('.rows-body .row')
    await expectPage(rows).toHaveCount(2)
    await expectPage(rows.first()).toContainText('404')
  })

  it('explains a conflict', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await update(send, 3)
    await go()
    await page.locator('.rows-body .row', { hasText: '409' }).getByRole('link').click()
    const detail = page.getByRole('region', { name: 'Request details' })
    await expectPage(detail).toContainText('You sent version 3, but version 4 had been current since')
    await expectPage(detail).toContainText(/written by POST .* of session default/)
    await expectPage(detail.locator('.headline').getByRole('link')).toBeVisible()
    await expectPage(detail).toContainText('ConcurrentModification')
    await expectPage(detail.getByRole('img', { name: 'Story of the conflict' })).toBeVisible()
    await detail.getByText('As a table').click()
    await expectPage(detail.getByRole('table')).toContainText('sent version 3 → 409')
    await page.keyboard.press('Escape')
    await expectPage(detail).toBeHidden()
  })

  it('filters on the mock, shows its errors, and keeps the filter in the address', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', `/acme/resource/${TABLE}/none`)
    await go()
    await page.keyboard.press('/')
    await page.keyboard.type('status>=400')
    await page.keyboard.press('Enter')
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
    expect(new URL(page.url()).searchParams.get('filter')).toBe('status>=400')
    await expectPage(page.getByText('1 of 2 requests')).toBeVisible()
    await page.getByLabel('Filter', { exact: true }).fill('stats:404')
    await expectPage(page.getByText('Unknown field stats. Did you mean "status"?')).toBeVisible()
    await page.getByLabel('Filter', { exact: true }).fill('time>yesterday')
    await expectPage(page.getByRole('alert')).toContainText('"yesterday" is not a time')
  })

  it('asks the mock once for a filter that is typed without a pause, and keeps only visible rows in the page', async () => {
    const { page, go, send } = await visit()
    for (let at = 0; at < 300; at += 1) await send('GET', `/acme/resource/key=n${at}`)
    await go()
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/requests')) asked.push(searchParams.get('filter'))
    })
    await page.getByLabel('Filter', { exact: true }).evaluate((input: HTMLInputElement) => {
      for (const text of ['n', 'n2', 'n29']) {
        input.value = text
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await expectPage(page.getByText('11 of 300 requests')).toBeVisible()
    expect(asked).toEqual(['n29'])
    await page.getByLabel('Filter', { exact: true }).fill('')
    await expectPage(page.getByText('300 requests', { exact: true })).toBeVisible()
    expect(await page.locator('.rows-body .row').count()).toBeLessThan(80)
  })

  it('finds the requests of a test in the archive', async () => {
    const { page, go, send } = await visit()
    const json = { run: 'r1', title: ['shop', 'saves a product'], file: 'shop.spec.ts', line: 12 }
    await send('PUT', '/__admin/sessions/a/test', { json })
    await send('GET', '/@a/acme/resource/key=oak')
    await send('DELETE', '/__admin/sessions/a')
    await go('?filter=test:saves')
    await page.getByRole('link', { name: 'Search all sessions and the archive' }).click()
    await page.getByRole('link', { name: '/acme/resource/key=oak' }).click()
    await expectPage(page.getByRole('region', { name: 'Request details' })).toContainText('404')
  })

  it('completes fields and values of the filter, by keys and by clicks', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', `/acme/resource/${TABLE}/none`)
    await go()
    const filter = page.getByLabel('Filter', { exact: true })
    const offered = page.getByRole('option')
    await filter.pressSequentially('oper')
    await expectPage(offered).toHaveText(['operation:'])
    await filter.press('ArrowDown')
    await filter.press('Enter')
    await expectPage(offered).toHaveText(['operation:queryResources'])
    await offered.click()
    await expectPage(filter).toHaveValue('operation:queryResources ')
    await expectPage(filter).toBeFocused()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
    await filter.pressSequentially('fa')
    await expectPage(offered).toHaveText(['failed'])
    await filter.press('Escape')
    await expectPage(offered).toHaveCount(0)
    await filter.press('Escape')
    await expectPage(page.getByRole('heading', { name: 'Requests' })).toBeFocused()
  })

  it('filters by the class of the status with a click', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', `/acme/resource/none`)
    await send('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'unavailable' } })
    await send('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'offline' } }).catch(() => undefined)
    await go('?filter=method:GET')
    const rows = page.locator('.rows-body .row')
    for (const [name, counted] of [
      ['Failed', 3],
      ['4xx', 1],
      ['5xx', 1],
      ['Broken', 1],
    ] as const) {
      const chip = page.getByRole('button', { name, exact: true })
      await chip.click()
      await expectPage(rows).toHaveCount(counted)
      await expectPage(chip).toBeFocused()
    }
    await page.getByRole('button', { name: 'Broken' }).click()
    await expectPage(rows).toHaveCount(4)
    await expectPage(page.getByLabel('Filter', { exact: true })).toHaveValue('method:GET')
  })

  it('filters by the times that it shows, in the time zone of the reader', async () => {
    const { page, go, send } = await visit({ clock: '2026-01-31T12:00:00Z' }, { timezoneId: 'Asia/Tokyo' })
    await send('GET', '/acme/resource')
    await go('?filter=time>=20:59')
    await expectPage(page.locator('.rows-body .row')).toContainText('21:00:00.000')
    await page.getByLabel('Filter', { exact: true }).fill('time>21:00')
    await expectPage(page.locator('.rows-body .row')).toHaveCount(0)
  })

  it('opens the next and the previous request by keys', async () => {
    const { page, go, send } = await visit()
    for (const version of [3, 4, 5]) await update(send, version)
    await send('GET', '/acme/resource')
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(4)
    const openRow = page.locator('.row[data-open]')
    await page.keyboard.press('j')
    await expectPage(openRow).toHaveAttribute('aria-rowindex', '2')
    await page.keyboard.press('j')
    await expectPage(openRow).toHaveAttribute('aria-rowindex', '3')
    await page.keyboard.press('k')
    await expectPage(openRow).toHaveAttribute('aria-rowindex', '2')
  })

  it('holds still while the pointer is over it', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    const rows = page.locator('.rows-body .row')
    await rows.first().hover()
    await send('GET', '/acme/resource/none')
    await expectPage(page.getByRole('button', { name: '1 new' })).toBeVisible()
    await expectPage(rows).toHaveCount(1)
    await page.getByRole('heading', { name: 'Requests' }).hover()
    await expectPage(rows).toHaveCount(2)
  })

  it('loads older requests when it is scrolled to its end', async () => {
    const { page, go, server } = await visit()
    for (let count = 0; count < 150; count += 1) await server.mock.fetch(new Request('http://mock/acme/resource'))
    await go()
    const table = page.getByRole('table', { name: 'Requests' })
    await expectPage(table).toHaveAttribute('aria-rowcount', '151')
    await expectPage(page.locator('.row[aria-rowindex="151"]')).toHaveCount(0)
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expectPage(page.locator('.row[aria-rowindex="151"]').getByRole('link')).toBeVisible()
  })

  it('indents a retry below the first attempt, and names what matched no operation', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await update(send, 3)
    await update(send, 4)
    await send('POST', '/oauth/token')
    await send('GET', '/acme/resourc')
    await go()
    const rows = page.locator('.rows-body .row')
    await expectPage(rows.nth(0)).toContainText('nearly queryResources')
    await expectPage(rows.nth(1)).toContainText('oauth token')
    await expectPage(rows.nth(2)).toContainText('409')
    await expectPage(rows.nth(3)).toContainText('retry')
    await rows.nth(2).getByRole('link').click()
    const detail = page.getByRole('region', { name: 'Request details' })
    await expectPage(detail).toContainText('The retry succeeded')
    await detail.getByRole('link', { name: 'Compare' }).first().click()
    const comparison = detail.getByRole('region', { name: 'Comparison' })
    await expectPage(comparison).toContainText('version 3 → 4, 409 → 200')
    await comparison.getByText('Request', { exact: true }).click()
    await expectPage(comparison).toContainText('"version": 4')
    await expectPage(comparison).not.toContainText(/x-correlation-id/i)
    await page.getByRole('combobox', { name: 'Filter' }).fill('status:200 operation:updateResource')
    await expectPage(rows).toHaveCount(2)
    await expectPage(rows.nth(0)).toContainText('retry of an earlier request')
    await rows.nth(0).getByRole('link', { name: 'retry of an earlier request' }).click()
    await expectPage(detail).toContainText('409')
  })

  it('exports the requests that match the filter', async () => {
    const { page, go, server, send } = await visit()
    for (const path of ['/acme/resource', '/acme/resource/none']) await send('GET', path)
    await go('?filter=status:404')
    await page.getByRole('button', { name: 'Share' }).click()
    const path = await page.getByRole('link', { name: 'HAR', exact: true }).getAttribute('href')
    const { log } = JSON.parse((await send('GET', path ?? '')).text) as {
      readonly log: { readonly entries: unknown[] }
    }
    expect(log.entries).toMatchObject([{ request: { url: `${server.url}/acme/resource/none` } }])
  })

  it('shows requests of all sessions, and leaves again', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-2/acme/resource')
    await go()
    await expectPage(page.getByText('No requests yet')).toBeVisible()
    await page.getByRole('button', { name: 'All sessions' }).click()
    const rows = page.locator('.rows-body .row')
    await expectPage(rows).toContainText('worker-2')
    await send('GET', '/@worker-3/acme/resource/none')
    await expectPage(rows).toHaveCount(2)
    await rows.first().getByRole('link').click()
    const detail = page.getByRole('region', { name: 'Request details' })
    await expectPage(detail).toContainText('404')
    await expectPage(detail.getByRole('link', { name: 'Open session worker-3' })).toBeVisible()
    await page.getByRole('button', { name: 'All sessions' }).click()
    await expectPage(rows).toHaveCount(0)
  })

  it('shows a request that has no response yet', async () => {
    const { page, go, send } = await visit()
    await go()
    const sending = send('GET', '/acme/resource', { headers: { 'X-Mock-Delay': '1500' } })
    const pending = page.getByRole('list', { name: 'Pending requests' })
    await expectPage(pending).toContainText('/acme/resource')
    await sending
    await expectPage(pending).toBeHidden()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
  })

  it('stops while it is paused, and clears after it asked', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    const rows = page.locator('.rows-body .row')
    await expectPage(rows).toHaveCount(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    await send('GET', '/acme/resource')
    await page.getByRole('button', { name: '1 new' }).click()
    await expectPage(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Clear…' }).click()
    await page.getByRole('button', { name: 'Clear requests' }).click()
    await expectPage(page.getByText('No requests yet')).toBeVisible()
  })

  it('selects a period by dragging over the strip', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await send('GET', '/acme/resource/none')
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(2)
    const strip = page.getByRole('img', { name: 'Requests over time' })
    const { x, y, width, height } = (await strip.boundingBox()) ?? expect.fail('The strip is not visible.')
    await page.mouse.move(x + 1, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 1, y + height / 2)
    await page.mouse.up()
    await expectPage(page.getByLabel('Filter', { exact: true })).toHaveValue(/^time>=\S+Z time<\S+Z$/)
    await expectPage(page.locator('.rows-body .row')).toHaveCount(2)
    await page.getByRole('link', { name: 'All times' }).click()
    await expectPage(page.getByLabel('Filter', { exact: true })).toHaveValue('')
  })

  it('copies a request, and offers a scenario that causes its response again', async () => {
    const { page, go, send } = await visit({}, { permissions: ['clipboard-read', 'clipboard-write'] })
    await send('GET', '/acme/resource/none')
    await send('GET', '/acme/resource')
    await go()
    await page.locator('.rows-body .row', { hasText: '404' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expectPage(page.getByText('Copied as curl.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/acme/resource/none')
    await page.getByRole('button', { name: 'Make this happen again…' }).click()
    const dialog = page.getByRole('dialog')
    const choice = dialog.getByRole('listitem').filter({ hasText: 'the same path' }).first()
    await expectPage(choice).toContainText('would have hit 1 of 2')
    await choice.getByRole('radio').check()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await expectPage(page).toHaveURL(/view=scenarios&edit=getResourceById-404/)
    expect((await send('GET', '/__admin/scenarios')).text).toContain('getResourceById-404')
    await page.goBack()
    await page.getByRole('button', { name: 'Make this happen again…' }).click()
    await dialog.getByRole('button', { name: 'Create and switch on' }).click()
    await expectPage(page.locator('.scenario[data-open]').getByRole('switch')).toBeChecked()
    expect((await send('GET', '/acme/resource/none')).headers.get('X-Mock-Scenario')).toContain('getResourceById-404')
  })

  it('says that an open request is gone after a reset', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await page.locator('.rows-body .row').getByRole('link').click()
    await expectPage(page.locator('.detail-body')).toBeVisible()
    await send('POST', '/__admin/reset')
    await expectPage(page.getByRole('region', { name: 'Request details' })).toContainText('has no request')
  })

  it('puts the details below the list in a narrow window', async () => {
    const { page, go, send } = await visit({}, { viewport: { width: 1000, height: 800 } })
    await send('GET', '/acme/resource')
    await go()
    await page.locator('.rows-body .row').getByRole('link').click()
    const details = page.getByRole('region', { name: 'Request details' })
    await expectPage(details).toBeVisible()
    const [list, detail] = [await page.locator('.list').boundingBox(), await details.boundingBox()]
    expect(detail?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
  })

  it('scrolls to the details on a phone', async () => {
    const { page, go, send } = await visit({}, { viewport: { width: 390, height: 800 } })
    await send('GET', '/acme/resource')
    await go()
    await page.locator('.rows-body .row').getByRole('link').click()
    await expectPage(
      page.getByRole('region', { name: 'Request details' }).getByRole('heading').first(),
    ).toBeInViewport()
  })

  it('says that a failed request was not sent again if it should have been, also without a response', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource/none')
    await send('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'unavailable' } })
    await send('HEAD', '/acme/resource', { headers: { 'X-Mock-Scenario': 'offline' } }).catch(() => undefined)
    await go()
    const rows = page.locator('.rows-body .row')
    await expectPage(rows.nth(0)).toContainText('not retried')
    await expectPage(rows.nth(1)).toContainText('not retried')
    await expectPage(rows.nth(2)).not.toContainText('not retried')
    await rows.nth(2).getByRole('link').click()
    const detail = page.getByRole('region', { name: 'Request details' })
    await expectPage(detail).toContainText('404')
    await expectPage(detail).not.toContainText('It was not sent again.')
  })

  it('executes nothing that a request contains', async () => {
    const { page, go, send } = await visit()
    const encoded = encodeURIComponent(EVIL)
    await send('POST', `/acme/resource?${encoded}=${encoded}`, { json: { [EVIL]: EVIL }, headers: { 'X-Evil': EVIL } })
    await go()
    await page.locator('.rows-body .row').getByRole('link').click()
    await expectPage(page.locator('.detail-body')).toContainText(EVIL)
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  it.each(['light', 'dark'] as const)('is accessible in %s colours', async (colorScheme) => {
    const { page, go, send } = await visit({}, { colorScheme })
    await update(send, 3)
    await update(send, 3)
    await go()
    await page.locator('.rows-body .row', { hasText: '409' }).getByRole('link').click()
    await expectPage(page.locator('svg.story')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
  })
})
