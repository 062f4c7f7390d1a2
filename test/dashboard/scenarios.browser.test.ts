import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { update, useBrowser } from './visit.ts'

const isActive = (text: string): unknown => JSON.parse(text)

describeInChromium('the Scenarios view', () => {
  const visit = useBrowser()

  it('lists all scenarios with their rules, and switches each on and off', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    const once = page.locator('#scenario-conflict-once')
    await expectPage(once).toContainText('the retry succeeds')
    await expectPage(once).toContainText('another writer updates first once')
    await page.getByRole('switch', { name: 'conflict-once' }).click()
    await expectPage(page.getByRole('switch', { name: 'conflict-once' })).toBeChecked()
    await expectPage(page.getByRole('switch', { name: 'conflict-once' })).toBeFocused()
    expect((await update(send, 3)).status).toBe(409)
    await page.getByRole('switch', { name: 'conflict-once' }).click()
    await expectPage(page.locator('#active')).toContainText('No active scenarios')
    expect(isActive((await send('GET', '/__admin/scenarios/active')).text)).toEqual({ active: [] })
  })

  it('shows live how often a rule fired and how many uses are left', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go('?view=scenarios')
    const counter = page.locator('#scenario-conflict-once .counter').first()
    await expectPage(counter).toHaveText('No matches yet, 1 use left')
    await update(send, 3)
    await expectPage(counter).toHaveText('Fired 1 of 1 match, used up')
    await page.getByRole('button', { name: 'Reset counters' }).click()
    await expectPage(counter).toHaveText('No matches yet, 1 use left')
  })

  it('keeps the counters of scenarios that were already on', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go('?view=scenarios')
    await update(send, 3)
    const counter = page.locator('#scenario-conflict-once .counter').first()
    await expectPage(counter).toHaveText('Fired 1 of 1 match, used up')
    await page.getByRole('switch', { name: 'not-found' }).click()
    await expectPage(page.locator('#count-scenarios')).toHaveText('2 on')
    await page.getByRole('button', { name: 'Move not-found earlier' }).click()
    await expectPage(page.locator('#notice')).toContainText('moved earlier')
    await page.getByRole('button', { name: 'Switch not-found off' }).click()
    await expectPage(page.locator('#count-scenarios')).toHaveText('1 on')
    await expectPage(counter).toHaveText('Fired 1 of 1 match, used up')
    await page.getByRole('switch', { name: 'conflict-once' }).click()
    await expectPage(page.locator('#active')).toContainText('No active scenarios')
    await page.getByRole('switch', { name: 'conflict-once' }).click()
    await expectPage(counter).toHaveText('No matches yet, 1 use left')
  })

  it('shows what another client switches on', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    await expectPage(page.locator('#scenarios')).toBeVisible()
    await send('PUT', '/__admin/scenarios/active', { json: { active: ['slow'] } })
    await expectPage(page.getByRole('switch', { name: 'slow' })).toHaveAttribute('aria-checked', 'true')
    await expectPage(page.locator('#count-scenarios')).toHaveText('1 on')
  })

  it('changes the order of active scenarios', async () => {
    const { page, go, send } = await visit({ scenario: ['slow', 'conflict', 'flaky'] })
    await go('?view=scenarios')
    const order = page.locator('#active .chip')
    await expectPage(order).toHaveText(['slow', 'conflict', 'flaky'])
    await page.getByRole('button', { name: 'Move conflict earlier' }).click()
    await expectPage(order).toHaveText(['conflict', 'slow', 'flaky'])
    await expectPage(page.locator('#scenario-conflict .position')).toHaveText('1')
    await page.getByRole('button', { name: 'Move conflict later' }).click()
    await expectPage(order).toHaveText(['slow', 'conflict', 'flaky'])
    expect(isActive((await send('GET', '/__admin/scenarios/active')).text)).toEqual({
      active: ['slow', 'conflict', 'flaky'],
    })
  })

  it('does not move a scenario when it is switched', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    for (const name of ['conflict', 'upload-too-large']) {
      const knob = page.getByRole('switch', { name, exact: true })
      await knob.scrollIntoViewIfNeeded()
      const { x = 0, y = 0 } = (await knob.boundingBox()) ?? {}
      await page.mouse.click(x + 5, y + 5)
      await expectPage(knob).toBeChecked()
      await page.mouse.click(x + 5, y + 5)
      await expectPage(knob).not.toBeChecked()
    }
  })

  it('switches one without switching off another that someone else switched on', async () => {
    const { page, send, server } = await visit({}, { javaScriptEnabled: false })
    await page.goto(`${server.url}/__admin?view=scenarios`)
    await send('PUT', '/__admin/scenarios/active', { json: { active: ['slow'] } })
    await page.getByRole('switch', { name: 'flaky' }).click()
    await expectPage(page.locator('#active .chip')).toHaveText(['slow', 'flaky'])
  })

  it('reorders two without switching off another that someone else switched on', async () => {
    const { page, send, server } = await visit({ scenario: ['slow', 'flaky'] }, { javaScriptEnabled: false })
    await page.goto(`${server.url}/__admin?view=scenarios`)
    await send('PUT', '/__admin/scenarios/active/read-only')
    await page.getByRole('button', { name: 'Move slow later' }).click()
    await expectPage(page.locator('#active .chip')).toHaveText(['flaky', 'slow', 'read-only'])
  })

  it('can be switched while requests arrive, without moving under the pointer', async () => {
    const { page, go, send } = await visit({ scenario: 'slow' })
    await go('?view=scenarios')
    const knob = page.getByRole('switch', { name: 'not-found' })
    await knob.scrollIntoViewIfNeeded()
    const { x = 0, y = 0 } = (await knob.boundingBox()) ?? {}
    await page.mouse.move(x + 5, y + 5)
    const handle = await page.locator('#scenarios').elementHandle()
    await page.mouse.down()
    const loaded = page.waitForResponse((response) => response.url().includes('view=scenarios'))
    await send('PUT', '/__admin/scenarios/active/conflict')
    await (await loaded).finished()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await handle?.evaluate((element) => element.isConnected)).toBe(true)
    await page.mouse.up()
    await expectPage(knob).toBeChecked()
    await expectPage(page.getByRole('switch', { name: 'conflict', exact: true })).toBeChecked()
  })

  it('can all be switched off as soon as another client has switched one on', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    await expectPage(page.getByRole('button', { name: 'All off' })).toBeDisabled()
    await send('PUT', '/__admin/scenarios/active/slow')
    await page.getByRole('button', { name: 'All off' }).click()
    await expectPage(page.locator('#active')).toContainText('No active scenarios')
  })

  it('does not update selected text until it is deselected', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    const text = page.locator('#scenario-conflict p').first()
    await text.selectText()
    const selected = await page.evaluate(() => getSelection()?.toString())
    const loaded = page.waitForResponse((response) => response.url().includes('view=scenarios'))
    await send('PUT', '/__admin/scenarios/active/slow')
    await (await loaded).finished()
    await expectPage(page.locator('#active .chip')).toHaveText(['slow'])
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(selected)
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await expectPage(page.getByRole('switch', { name: 'slow' })).toBeChecked()
  })

  it('switches all off, and undoes it', async () => {
    const { page, go, send } = await visit({ scenario: ['slow', 'flaky'] })
    await go('?view=scenarios')
    await page.getByRole('button', { name: 'All off' }).click()
    await expectPage(page.locator('#active')).toContainText('No active scenarios')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#active')).toContainText('flaky')
    expect(isActive((await send('GET', '/__admin/scenarios/active')).text)).toEqual({ active: ['slow', 'flaky'] })
  })

  it('creates, edits and deletes a scenario', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    await page.getByText('New scenario').click()
    await page.getByLabel('Name', { exact: true }).fill('teapot')
    await page.getByLabel(/Definition/).fill('{"description":"Tea","rules":[{"effect":{"answer":{"status":418}}}]}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#scenario-teapot')).toContainText('responds with 418')
    await page.getByRole('switch', { name: 'teapot' }).click()
    await expectPage(page.getByRole('switch', { name: 'teapot' })).toBeChecked()
    expect((await send('GET', '/acme/resource')).status).toBe(418)

    await page.getByRole('link', { name: 'Edit teapot' }).click()
    const editor = page.getByLabel(/Definition/)
    await editor.fill((await editor.inputValue()).replace('418', '425'))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#scenario-teapot')).toContainText('responds with 425')

    await page.getByRole('link', { name: 'Edit teapot' }).click()
    await page.getByRole('button', { name: 'Delete teapot' }).click()
    await expectPage(page.locator('#scenario-teapot')).toHaveCount(0)
    await expectPage(page.locator('#notice')).toContainText('teapot deleted.')
    await expectPage(page.getByText('Unknown scenario')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.getByRole('switch', { name: 'teapot' })).toBeChecked()
  })

  it.each([
    ['is not JSON', '{"description":"Tea",\n  "rules": [}', 'line 2, column 13', '}'],
    [
      'has an unknown member',
      '{"description":"Tea",\n "rules":[{"efect":{"fault":"TIMEOUT"}}]}',
      'Did you mean "effect"?',
      '"',
    ],
    [
      'has a wrong value',
      '{"description":"Tea",\n "rules":[{"effect":{"answer":{"status":42}}}]}',
      'line 2, column 41',
      '4',
    ],
  ])(
    'tells where a definition that %s is wrong, and puts the cursor there',
    async (_what, text, sentence, selected) => {
      const { page, go } = await visit()
      await go('?view=scenarios')
      await page.getByText('New scenario').click()
      await page.getByLabel('Name', { exact: true }).fill('teapot')
      await page.getByLabel(/Definition/).fill(text)
      await page.getByRole('button', { name: 'Save' }).click()
      await expectPage(page.locator('#definition-fault')).toContainText(sentence)
      const area = page.getByLabel(/Definition/)
      await expectPage(area).toHaveValue(text)
      await expectPage(area).toBeFocused()
      expect(
        await area.evaluate((element: HTMLTextAreaElement) =>
          element.value.slice(element.selectionStart, element.selectionEnd),
        ),
      ).toBe(selected)
      await expectPage(page.getByLabel('Name', { exact: true })).toHaveValue('teapot')
    },
  )
})
