import type { Page } from '@playwright/test'
import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { reportRun } from './run-of-tests.ts'
import { TABLE, update, useBrowser } from './visit.ts'

const details = (page: Page) => page.getByRole('region', { name: 'Request details' })

describeInChromium('the five jobs of a reader', () => {
  const visit = useBrowser()

  it('finds why a request failed with a click, or a key', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await update(send, 3)
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(2)
    await page.keyboard.press('j')
    await expectPage(details(page)).toContainText('You sent version 3, but version 4 had been current since')
    await page.keyboard.press('Escape')
    await page.locator('.rows-body .row', { hasText: '409' }).getByText('updateResource').click()
    await expectPage(details(page).getByRole('img', { name: 'Story of the conflict' })).toBeVisible()
  })

  it('switches a failure on with two clicks, and off with one, in the request that it caused', async () => {
    const { page, go, send } = await visit()
    await go()
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click()
    await page.getByRole('switch', { name: 'not-found' }).click()
    await expectPage(page.getByRole('switch', { name: 'not-found' })).toBeChecked()
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(404)
    await go()
    await page.locator('.rows-body .row').click()
    await details(page).getByRole('button', { name: 'Switch not-found off' }).click()
    await expectPage(page.getByText('not-found is off.')).toBeVisible()
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(200)
  })

  it('lists the failed tests of a cause with two clicks', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'r', { tests: 4, failing: 2 })
    await go()
    await page.getByRole('link', { name: 'Tests', exact: true }).click()
    await page.getByRole('button', { name: '409 not retried 2 failed' }).click()
    await expectPage(page.locator('.tests .rows-body .row')).toHaveCount(2)
  })

  it('keeps the data with a click, and brings them back with two', async () => {
    const { page, go, send } = await visit()
    await go('?view=data&project=acme')
    await page.getByRole('button', { name: 'Take' }).click()
    await expectPage(page.getByText('same as the fixtures')).toBeVisible()
    await update(send, 3)
    await page.getByRole('button', { name: 'Restore… snapshot-1' }).click()
    await page.getByRole('button', { name: 'Restore snapshot' }).click()
    await expectPage(page.getByRole('status')).toContainText('snapshot-1 restored.')
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"3"')
    // The restore can be undone.
    await page.getByRole('button', { name: 'Restore… before-restore' }).click()
    await page.getByRole('button', { name: 'Restore snapshot' }).click()
    await expectPage(page.getByRole('status')).toContainText('before-restore restored.')
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"4"')
  })

  it('copies a link for a colleague with two clicks, also where the browser does not allow to copy', async () => {
    const { page, go } = await visit()
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await go('?filter=status:404')
    await page.getByRole('button', { name: 'Share' }).click()
    await expectPage(page.getByRole('link', { name: 'Share file of default' })).toHaveAttribute(
      'download',
      'default.html',
    )
    await page.getByRole('button', { name: 'Copy link' }).click()
    const text = page.getByLabel('Text to copy')
    await expectPage(text).toHaveValue(/\/__admin\?filter=status:404$/)
    expect(await text.evaluate((area: HTMLTextAreaElement) => area.selectionEnd)).toBeGreaterThan(20)
  })
})

/** Presses keys one after the other; a text is typed. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  expect(keys.length).toBeLessThanOrEqual(6)
  for (const key of keys) await (key.includes(' ') ? page.keyboard.type(key.trim()) : page.keyboard.press(key))
}

describeInChromium('the five jobs of a reader, by keyboard alone', () => {
  const visit = useBrowser()

  it('switches a failure on, and off again', async () => {
    const { page, go } = await visit()
    await go()
    await press(page, '3')
    const search = page.getByLabel('Search scenarios')
    await expectPage(search).toBeVisible()
    await press(page, '/', ' not-found')
    const toggle = page.getByRole('switch')
    await expectPage(toggle).toHaveCount(1)
    await press(page, 'Tab', 'Space')
    await expectPage(toggle).toBeChecked()
    await press(page, 'Space')
    await expectPage(toggle).not.toBeChecked()
  })

  it('lists the failed tests of a cause', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'r', { tests: 4, failing: 2 })
    await go()
    await press(page, '2')
    await expectPage(page.locator('.tests .rows-body .row')).toHaveCount(4)
    await press(page, '/', '409 not retried', 'Enter')
    await expectPage(page.locator('.tests .rows-body .row')).toHaveCount(2)
  })

  it('keeps the data and brings them back', async () => {
    const { page, go, send } = await visit()
    await go()
    await press(page, '4')
    await expectPage(page.getByText('A snapshot keeps the data')).toBeVisible()
    await press(page, 't')
    await expectPage(page.getByRole('button', { name: 'Restore… snapshot-1' })).toBeVisible()
    await update(send, 3)
    await press(page, 'r', 'Tab', 'Enter')
    await expectPage(page.getByRole('status')).toContainText('snapshot-1 restored.')
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"3"')
  })

  it('copies a link for a colleague', async () => {
    const { page, go } = await visit()
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await go('?filter=status:404')
    await press(page, 's', 'Tab', 'Enter')
    await expectPage(page.getByLabel('Text to copy')).toHaveValue(/filter=status:404$/)
  })
})

describeInChromium('the page', () => {
  const visit = useBrowser()

  it('handles keys by their place on other layouts, and with Caps Lock', async () => {
    const { page, go, send } = await visit()
    for (const path of ['/acme/resource', '/acme/resource/none']) await send('GET', path)
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(2)
    const press = (key: string, code: string, shiftKey = false) =>
      page.evaluate((init) => document.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })), {
        key,
        code,
        shiftKey,
      })
    for (const [key, code, row] of [
      ['о', 'KeyJ', '2'],
      ['J', 'KeyJ', '3'],
      ['K', 'KeyK', '2'],
      ['J', 'KeyJ', '3'],
      ['л', 'KeyK', '2'],
      // Dvorak has a letter of its own there.
      ['h', 'KeyJ', '2'],
    ] as const) {
      await press(key, code)
      await expectPage(page.locator('.row[data-open]')).toHaveAttribute('aria-rowindex', row)
    }
    // French and Czech digits need Shift.
    await press('é', 'Digit2')
    await expectPage(page.getByRole('heading', { name: 'Tests', level: 1 })).toBeVisible()
    await press('!', 'Digit4', true)
    await press('+', 'Digit1')
    await expectPage(page.getByRole('heading', { name: 'Requests', level: 1 })).toBeVisible()
    await press('.', 'Slash')
    await expectPage(page.getByRole('combobox', { name: 'Filter' })).toBeFocused()
    await press(',', 'Slash', true)
    await expectPage(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  })

  it('follows the mock in eight windows over one connection', async () => {
    const { page, go, send, server } = await visit()
    await go()
    const others: Page[] = []
    for (let at = 0; at < 7; at += 1) {
      const other = await page.context().newPage()
      await other.goto(`${server.url}/__admin`)
      others.push(other)
    }
    await send('GET', '/acme/resource')
    for (const one of [page, ...others]) await expectPage(one.locator('.rows-body .row')).toHaveCount(1)
    // The others go on when the window with the connection is closed.
    await page.close()
    await send('GET', '/acme/resource')
    for (const one of others) await expectPage(one.locator('.rows-body .row')).toHaveCount(2)
  })

  it('lets text in a row be selected by dragging, also in its link', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource/key=walnut-desk')
    await go()
    const address = page.url()
    const path = page.locator('.rows-body').getByRole('link')
    for (const [cell, text] of [
      [page.locator('.rows-body').getByText('getResourceByKey'), 'getResourceByKey'],
      [path, '/acme/resource/key=walnut-desk'],
    ] as const) {
      const { x, y, width, height } = (await cell.boundingBox()) ?? expect.fail('The row is not visible.')
      await page.mouse.move(x + 1, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 3, y + height / 2)
      await page.mouse.move(x + width - 1, y + height / 2)
      await page.mouse.up()
      expect(await page.evaluate(() => String(getSelection()))).toBe(text)
      await expectPage(details(page)).toHaveCount(0)
      expect(page.url()).toBe(address)
    }
    // A click on selected text opens the row.
    await path.click()
    await expectPage(details(page)).toBeVisible()
  })

  it('shows the times of a request in the time zone of the reader, and in UTC on hover', async () => {
    const { page, go, send } = await visit({ clock: '2026-01-31T12:00:00Z' }, { timezoneId: 'Asia/Tokyo' })
    await update(send, 3)
    await update(send, 3)
    await go()
    await page.locator('.rows-body .row', { hasText: '409' }).getByRole('link').click()
    const headline = details(page).locator('.headline time')
    await expectPage(headline).toContainText('21:00:00')
    await expectPage(headline).toHaveAttribute('title', /12:00:00\.000 UTC$/)
    await expectPage(details(page)).not.toContainText('12:00:00')
  })

  it('draws only the start of a value of 2 MB, and a long key without its middle', async () => {
    const { page, go, send } = await visit()
    const put = (id: string, json: object) =>
      send('PUT', `/__admin/state/acme/resources/00000000-0000-4000-8000-00000000000${id}`, { json })
    await put('1', { key: 'large', objectTypeProperty: { arrayOfStringExample: ['word '.repeat(180_000)] } })
    await put('2', { key: `${'k'.repeat(196)}-end`, objectTypeProperty: {} })
    await go('?view=data&project=acme&page=1')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'large', exact: true }) })
    await expectPage(row).toContainText('word word')
    expect((await row.innerText()).length).toBeLessThan(400)
    await expectPage(page.getByRole('link', { name: /^k+…k+-end$/ })).toBeVisible()
  })
})
