import type { Page } from '@playwright/test'
import { expect, it } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { TABLE, update, useBrowser } from './visit.ts'
import type { Visit } from './visit.ts'

/** Records requests without a socket, and returns the id of the oldest. */
async function record({ server, send }: Pick<Visit, 'server' | 'send'>, count: number): Promise<string> {
  const headers = { Authorization: 'Bearer any' }
  for (let at = 0; at < count; at += 1)
    await server.mock.fetch(new Request(`http://mock/acme/resource/key=walnut-desk?n=${at}`, { headers }))
  const { text } = await send('GET', `/__admin/requests?sort=time&limit=1&summary=true`)
  return /"id":"([^"]+)"/.exec(text)?.[1] ?? expect.fail('The journal is empty.')
}

const openRow = (page: Page) => page.locator('.row[data-open]')
const detail = (page: Page) => page.getByRole('region', { name: 'Request details' })

/** Confirms in the dialog that a button opens. */
async function confirm(page: Page, button: string, answer: string): Promise<void> {
  await page.getByRole('button', { name: button }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).press('Enter')
  await expectPage(page.getByRole('dialog')).toHaveCount(0)
}

describeInChromium('the address', () => {
  const visit = useBrowser()

  it('shows the oldest of 5,000 requests in its list, also after a reload and after Back', async () => {
    const { page, go, ...others } = await visit({ journal: 5000 })
    const oldest = await record(others, 5000)
    await go(`?request=${oldest}`)
    const isOldestShown = async (): Promise<void> => {
      await expectPage(openRow(page)).toBeInViewport()
      await expectPage(openRow(page)).toHaveAttribute('aria-rowindex', '5001')
      await expectPage(openRow(page)).toContainText('?n=0')
      await expectPage(detail(page)).toContainText('?n=0')
    }
    await isOldestShown()
    await page.reload()
    await isOldestShown()
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await expectPage(page.getByRole('heading', { name: 'Data' })).toBeVisible()
    await page.goBack()
    await isOldestShown()
    await page.setViewportSize({ width: 800, height: 700 })
    await page.reload()
    await expectPage(detail(page).getByRole('heading').first()).toBeInViewport()
    await page.getByRole('button', { name: 'Close' }).click()
    await expectPage(page.locator('.row', { hasText: '?n=0' })).toBeInViewport()
  })

  it('asks before text that is not saved is discarded', async () => {
    const { page, go } = await visit()
    await go(`?view=data&project=acme&resource=${TABLE}`)
    const record = page.getByLabel('Record')
    await record.fill('{"key":"mine"}')
    const questions: string[] = []
    let isLeaving = false
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void (isLeaving ? dialog.accept() : dialog.dismiss())
    })
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await expectPage(record).toHaveValue('{"key":"mine"}')
    isLeaving = true
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await expectPage(page.getByRole('heading', { name: 'Send a request' })).toBeVisible()
    expect(questions).toEqual(Array(2).fill('Your text is not saved. Leave and discard it?'))
  })
})

describeInChromium('a list', () => {
  const visit = useBrowser()

  it('reaches its oldest row by the scrollbar, also while the pointer is over it', async () => {
    const { page, go, ...others } = await visit({ journal: 5000 })
    await record(others, 5000)
    await go()
    const table = page.getByRole('table', { name: 'Requests' })
    await expectPage(table).toHaveAttribute('aria-rowcount', '5001')
    await table.hover()
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expectPage(page.locator('.row', { hasText: '?n=0' })).toBeInViewport()
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await expectPage(page.locator('.row', { hasText: '?n=2499' })).toBeInViewport()
  })

  it('has one Tab stop for its rows, keys that move through them, and a key into the detail', async () => {
    const { page, go, ...others } = await visit()
    await record(others, 150)
    await go()
    const rows = page.locator('.rows-body')
    await expectPage(rows.locator('[tabindex="0"]')).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await expectPage(openRow(page)).toHaveCount(0)
    await rows.locator('[tabindex="0"]').focus()
    await page.keyboard.press('End')
    await expectPage(rows.getByRole('link', { name: /n=0$/ })).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expectPage(detail(page)).toContainText('?n=1')
    await page.keyboard.press('ArrowUp')
    await expectPage(detail(page)).toContainText('?n=2')
    await expectPage(rows.getByRole('link', { name: /n=2$/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(detail(page).getByRole('heading').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(rows.getByRole('link', { name: /n=2$/ })).toBeFocused()
    await page.keyboard.press('Tab')
    await expectPage(page.locator('.rows :focus')).toHaveCount(0)
  })

  it('shows requests that were pending before it was opened', async () => {
    const { page, go, server } = await visit()
    const sending = new AbortController()
    const headers = { Authorization: 'Bearer any', 'X-Mock-Delay': '60000' }
    const sent = fetch(`${server.url}/acme/resource`, { headers, signal: sending.signal }).catch(() => undefined)
    await go('?view=data')
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    const pending = page.getByRole('list', { name: 'Pending requests' })
    await expectPage(pending).toContainText('/acme/resource')
    sending.abort()
    await sent
    await expectPage(pending).toHaveCount(0)
  })
})

describeInChromium('a view', () => {
  const visit = useBrowser()

  it('loads once the mock is back, if it was opened while the mock was down', async () => {
    const { page, go, server } = await visit()
    await go()
    const { port } = new URL(server.url)
    await server.close()
    await expectPage(page.getByRole('alert')).toContainText('not responding')
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click()
    // The page says it once.
    await expectPage(page.getByRole('heading', { name: 'Scenarios' })).toBeVisible()
    await expectPage(page.getByRole('alert')).toHaveCount(1)
    const again = await startServer({ port: Number(port) })
    try {
      await expectPage(page.getByRole('switch', { name: 'slow' })).toBeVisible()
      await expectPage(page.getByRole('alert')).toHaveCount(0)
    } finally {
      await again.close()
    }
  })

  it('shows the first thousand members of long JSON, and more when asked', async () => {
    const { page, go, send } = await visit()
    const body = `[${Array.from({ length: 30_000 }, () => 0).join(',')}]`
    await send('POST', '/acme/resource/namespace-action', { body, headers: { 'Content-Type': 'application/json' } })
    await go()
    await page.locator('.rows-body .row').getByRole('link').click()
    const request = page.getByRole('region', { name: 'Request body' })
    const numbers = request.locator('.j-number')
    await expectPage(numbers).toHaveCount(1000)
    await request.getByRole('button', { name: 'Show more, 29,000 left' }).click()
    await expectPage(numbers).toHaveCount(2000)
  })
})

describeInChromium('the focus', () => {
  const visit = useBrowser()

  it('stays on the page after each action on requests', async () => {
    const { page, go, ...others } = await visit()
    await record(others, 3)
    await go()
    const [first, all] = [page.locator('.rows-body a').first(), page.getByRole('button', { name: 'All sessions' })]
    await first.focus()
    await others.send('POST', '/__admin/requests/remove', { json: { urlPath: '/acme/resource/key=walnut-desk' } })
    await expectPage(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
    await expectPage(page.locator('main :focus')).toHaveCount(1)
    await all.press('Enter')
    await expectPage(all).toHaveAttribute('aria-pressed', 'true')
    await expectPage(all).toBeFocused()
    await all.press('Enter')
    await expectPage(all).toBeFocused()
    await record(others, 3)
    const title = page.getByRole('columnheader', { name: 'Took' }).getByRole('link')
    await title.press('Enter')
    await expectPage(page.locator('[aria-sort]')).toHaveText('Took')
    await expectPage(title).toBeFocused()
    await confirm(page, 'Clear…', 'Clear requests')
    await expectPage(page.getByRole('button', { name: 'Clear…' })).toBeFocused()
    await confirm(page, 'Reset session…', 'Reset session')
    await expectPage(page.getByRole('button', { name: 'Reset session…' })).toBeFocused()
  })

  it('stays on the page after each action on data and scenarios', async () => {
    const { page, go, send } = await visit()
    for (const name of ['one', 'two', 'three']) await send('PUT', `/__admin/snapshots/${name}`)
    await send('PUT', '/__admin/scenarios/mine', {
      json: { description: 'Mine', rules: [{ effect: { answer: { status: 500 } } }] },
    })
    await update(send, 3)
    await go(`?view=data&project=acme&resource=${TABLE}`)
    await confirm(page, 'Delete… two', 'Delete snapshot')
    await expectPage(page.getByText('two', { exact: true })).toHaveCount(0)
    await expectPage(page.locator('.lines > li').last().locator(':focus')).toHaveCount(1)
    await confirm(page, 'Delete… oak-side-table', 'Delete resource')
    await expectPage(page.getByRole('heading', { name: 'Resources' })).toBeFocused()
    await go('?view=scenarios')
    for (const on of ['conflict', 'slow']) {
      const toggle = page.getByRole('switch', { name: on, exact: true })
      await toggle.focus()
      const { y } = (await toggle.boundingBox()) ?? expect.fail('It is not visible.')
      await toggle.press('Space')
      await expectPage(toggle).toBeChecked()
      await expectPage(toggle).toBeFocused()
      expect((await toggle.boundingBox())?.y).toBe(y)
    }
    await confirm(page, 'Delete… mine', 'Delete scenario')
    await expectPage(page.locator('main :focus')).toHaveCount(1)
  })
})
