import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { resetSession, TABLE, update, useBrowser } from './visit.ts'

describeInChromium('the dashboard without JavaScript', () => {
  const visit = useBrowser()
  const withoutScript = { javaScriptEnabled: false } as const

  it('lists requests, filters them and shows each', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' }, withoutScript)
    await update(send, 3)
    await update(send, 4)
    await go()
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
    await expectPage(page.locator('#live')).toHaveText('Static')
    await expectPage(page.getByRole('button', { name: 'Pause' })).toBeHidden()
    await page.getByLabel('Status').selectOption('Failed')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.locator('#rows').getByRole('link').click()
    await expectPage(page.locator('#detail')).toContainText('Scenario conflict-once fired.')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.getByText('curl', { exact: true }).click()
    await expectPage(page.getByRole('region', { name: 'As curl' })).toContainText('curl')
    await page.getByRole('link', { name: 'Close' }).click()
    await expectPage(page.locator('#detail')).toBeHidden()
  })

  it('switches scenarios, resets, and undoes the reset', async () => {
    const { page, go, send } = await visit({}, withoutScript)
    await go('?view=scenarios')
    await page.getByRole('switch', { name: 'conflict-once' }).click()
    await expectPage(page.locator('#notice')).toContainText('conflict-once is on.')
    expect((await update(send, 3)).status).toBe(409)
    await resetSession(page)
    await expectPage(page.locator('#active')).toContainText('No active scenarios')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#active')).toContainText('conflict-once')
    await page.reload()
    await expectPage(page.locator('#notice')).toBeHidden()
  })

  it('edits a resource and shows errors', async () => {
    const { page, go } = await visit({}, withoutScript)
    await go(`?view=data&project=acme&resource=${TABLE}`)
    await page.getByLabel('Record').fill('{')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#record-fault')).toContainText('line 1, column 2')
    await expectPage(page.getByLabel('Record')).toHaveValue('{')
    await page.getByLabel('Record').fill('{"version": 9, "objectTypeProperty": {}}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#resource-name .tag')).toHaveText('version 9')
  })

  it('tries an operation and changes the theme', async () => {
    const { page, go } = await visit({}, withoutScript)
    await go('?view=contract&operation=getResourceById')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await expectPage(page.locator('#tried .status').first()).toHaveText('200')
    await page.getByRole('button', { name: 'Dark' }).click()
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})
