import { AxeBuilder } from '@axe-core/playwright'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
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
    await expectPage(detail).toContainText('You sent version 3')
    await expectPage(detail).toContainText('ConcurrentModification')
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
    await page.getByLabel('Filter').fill('stats:404')
    await expectPage(page.getByRole('alert')).toContainText('unknown field stats')
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
    await expectPage(table).toHaveAttribute('aria-rowcount', '101')
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expectPage(table).toHaveAttribute('aria-rowcount', '151')
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
    await update(send, 9)
    await go()
    await page.locator('.rows-body .row').getByRole('link').click()
    await expectPage(page.locator('.why')).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  })
})
