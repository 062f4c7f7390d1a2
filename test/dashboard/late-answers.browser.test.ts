import type { Page, Request } from '@playwright/test'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { holdFirst, resetSession, TABLE, untilListed, update, useBrowser } from './visit.ts'

const isRefresh = (request: Request): boolean => request.method() === 'GET' && !request.url().includes('part=')
const isForm = (request: Request): boolean => request.method() === 'POST'
const isDetail = (request: Request): boolean => request.url().includes('part=detail')

const counterOf = (page: Page) => page.locator('#scenario-conflict-once .counter').first()

describeInChromium('a page with slow responses', () => {
  const visit = useBrowser()

  it('does not show the state before a switch again', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go('?view=scenarios')
    const refresh = await holdFirst(page, isRefresh)
    await send('GET', '/acme/resource')
    await refresh.isHeld
    const once = page.getByRole('switch', { name: 'conflict-once' })
    await once.click()
    await expectPage(page.locator('#notice')).toContainText('conflict-once is off.')
    await refresh.letGo()
    expect(await once.isChecked()).toBe(false)
  })

  it('shows a response although it has sent a newer request', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go('?view=scenarios')
    const first = await holdFirst(page, isRefresh)
    await send('GET', '/acme/resource')
    await first.isHeld
    const second = await holdFirst(page, isRefresh)
    await send('GET', '/acme/resource')
    await second.isHeld
    await first.letGo((text) => text.replaceAll('No matches yet', 'told first'))
    await expectPage(counterOf(page)).toHaveText('told first, 1 use left')
    await second.letGo()
    await expectPage(counterOf(page)).toHaveText('No matches yet, 1 use left')
  })

  it('does not move a control that is pressed by the space bar', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go('?view=scenarios')
    const knob = page.getByRole('switch', { name: 'not-found' })
    await knob.focus()
    const refresh = await holdFirst(page, isRefresh)
    await page.keyboard.down('Space')
    await update(send, 3)
    await refresh.isHeld
    await refresh.letGo()
    await page.keyboard.up('Space')
    await expectPage(knob).toBeChecked()
    await expectPage(counterOf(page)).toContainText('used up')
  })

  it('does not move a control that is pressed when a form is answered', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    const knob = page.getByRole('switch', { name: 'conflict', exact: true })
    const form = await holdFirst(page, isForm)
    await knob.click()
    await form.isHeld
    await expectPage(knob).toBeChecked()
    const { x, y } = (await knob.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(x + 5, y + 5)
    await page.keyboard.down('Shift')
    await page.mouse.down()
    // The key is let go while the pointer is still pressed.
    await page.keyboard.up('Shift')
    await form.letGo()
    await page.mouse.up()
    await expectPage(page.locator('#notice')).toContainText('conflict is off.')
    await expectPage(knob).not.toBeChecked()
  })

  it('ignores the response of a form after that of a later one, which can be undone', async () => {
    const { page, go, send } = await visit({ scenario: ['slow', 'flaky'] })
    await update(send, 3)
    await go()
    const first = await holdFirst(page, isForm)
    await page.getByRole('button', { name: 'Switch slow off' }).click()
    await first.isHeld
    await resetSession(page)
    await expectPage(page.locator('#notice')).toContainText('Session reset.')
    await first.letGo()
    await expectPage(page.locator('#announcer')).toContainText('slow is off.')
    await expectPage(page.locator('#notice')).toContainText('Session reset.')
    await expectPage(page.locator('#active .chip')).toHaveText(['slow', 'flaky'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#notice')).toHaveText('Undone.')
    await expectPage(page.locator('#active .chip')).toHaveText(['flaky'])
  })

  it('keeps a theme chosen before a form is answered', async () => {
    const { page, go } = await visit()
    await go(`?view=data&resource=${TABLE}`)
    const form = await holdFirst(page, isForm)
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await form.isHeld
    const dark = page.getByRole('button', { name: 'Dark' })
    await dark.click()
    await expectPage(dark).toHaveAttribute('aria-pressed', 'true')
    await form.letGo()
    await expectPage(page.locator('#notice')).toContainText('deleted.')
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expectPage(dark).toHaveAttribute('aria-pressed', 'true')
  })

  it('keeps text typed after a form was sent', async () => {
    const { page, go } = await visit()
    await go(`?view=data&resource=${TABLE}`)
    const record = page.getByLabel('Record')
    await record.fill('{"version": 9}')
    const form = await holdFirst(page, isForm)
    await page.getByRole('button', { name: 'Save' }).click()
    await form.isHeld
    await record.press('Control+End')
    await page.keyboard.type(' and more')
    await form.letGo()
    await expectPage(page.locator('#notice')).toBeVisible()
    await page.keyboard.type(' still')
    await expectPage(record).toHaveValue('{"version": 9} and more still')
  })

  it('does not take the focus back for an error after it has moved', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    await page.locator('#editor summary').click()
    const name = page.locator('#scenario-name')
    await name.fill('wrong')
    await page.locator('#definition').fill('{')
    const form = await holdFirst(page, isForm)
    await page.getByRole('button', { name: 'Save' }).click()
    await form.isHeld
    await name.focus()
    await form.letGo()
    await expectPage(page.locator('#definition-fault')).toBeVisible()
    await expectPage(name).toBeFocused()
  })

  it('does not take the focus from a field when an opened request arrives', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource/key=one')
    await go()
    await untilListed(page)
    const detail = await holdFirst(page, isDetail)
    await page.locator('#rows .row').click()
    await detail.isHeld
    await page.keyboard.press('/')
    await page.keyboard.type('ke')
    await detail.letGo()
    await expectPage(page.locator('#detail')).toContainText('key=one')
    await page.keyboard.type('y=one')
    await expectPage(page.getByRole('searchbox')).toHaveValue('key=one')
  })

  it('keeps showing that a failure was retried successfully', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go()
    await untilListed(page)
    await update(send, 3)
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    const detail = await holdFirst(page, isDetail)
    await page.locator('#rows .row').click()
    await detail.isHeld
    await update(send, 4)
    await expectPage(page.locator('#detail')).toContainText('The retry succeeded')
    await detail.letGo()
    expect(await page.locator('#detail').textContent()).toContain('The retry succeeded')
  })

  it('opens nothing after the panel was closed', async () => {
    const { page, go, send } = await visit()
    for (const key of ['one', 'two']) await send('GET', `/acme/resource/key=${key}`)
    await page.clock.install()
    await go()
    await untilListed(page)
    await page.locator('#rows .row', { hasText: 'key=two' }).click()
    await expectPage(page.locator('#detail h2')).toContainText('key=two')
    await page.evaluate(() => {
      for (const key of ['j', 'Escape'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })
    await expectPage(page.locator('#detail')).toBeHidden()
    await page.clock.runFor(1000)
    expect(await page.locator('#detail').isVisible()).toBe(false)
  })
})
