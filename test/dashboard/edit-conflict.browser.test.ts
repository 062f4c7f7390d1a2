import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { TABLE, update, useBrowser } from './visit.ts'

const PLACE = `?view=data&project=acme&resource=${TABLE}`

describeInChromium('an editor whose text someone else has changed since', () => {
  const visit = useBrowser()

  it.each([true, false])('shows both versions and overwrites only on request (JavaScript: %s)', async (hasScript) => {
    const { page, go, send } = await visit({}, { javaScriptEnabled: hasScript })
    await go(PLACE)
    const record = page.getByLabel('Record')
    await record.fill((await record.inputValue()).replace('"version": 3', '"version": 30'))
    await update(send, 3)
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#record-fault')).toContainText('it was changed while you were editing')
    await expectPage(page.locator('.both del')).toContainText(['"someProperty": "from 3"'])
    await expectPage(page.locator('.both ins').first()).toContainText('"version": 30')
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"4"')
    await update(send, 4)
    const overwrite = page.getByRole('button', { name: 'Overwrite with mine' })
    await overwrite.click()
    // That version had not been shown.
    await expectPage(page.locator('.both del')).toContainText(['"someProperty": "from 4"'])
    await overwrite.click()
    await expectPage(page.locator('#notice')).toContainText('overwritten with yours, as version 6')
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"6"')
  })

  it('lets the reader discard the unsaved version', async () => {
    const { page, go, send } = await visit()
    await go(PLACE)
    await page.getByLabel('Record').fill('{"version": 9, "objectTypeProperty": {}}')
    await update(send, 3)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Discard mine' }).click()
    await expectPage(page.getByLabel('Record')).toHaveValue(/"version": 4/)
  })

  it('recreates a deleted resource only on request', async () => {
    const { page, go, send } = await visit()
    await go(PLACE)
    await page.getByLabel('Record').fill('{"version": 9, "objectTypeProperty": {}}')
    await send('DELETE', `/acme/resource/${TABLE}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#record-fault')).toContainText('it was deleted while you were editing')
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#notice')).toContainText('saved exactly as written')
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(200)
  })

  it('also protects a resource of which an old version is taken back', async () => {
    const { page, go, send } = await visit({}, { javaScriptEnabled: false })
    await update(send, 3)
    await go(`${PLACE}&version=4`)
    await update(send, 4)
    await page.getByRole('button', { name: 'Take back to version 3' }).click()
    await expectPage(page.locator('#record-fault')).toContainText('it was changed while you were editing')
    await expectPage(page.locator('.both del')).toContainText(['"someProperty": "from 4"'])
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"5"')
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await expectPage(page.locator('#notice')).toContainText('overwritten with yours, as version 6')
    expect((await send('GET', `/__admin/state/acme/resources/${TABLE}`)).text).not.toContain('from 4')
  })

  it('also protects scenarios, including a new one whose name is taken', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    await page.getByText('New scenario').click()
    await page.getByLabel('Name', { exact: true }).fill('mine')
    await send('PUT', '/__admin/scenarios/mine', {
      json: { description: 'Theirs', rules: [{ effect: { fault: 'CONNECTION_RESET_BY_PEER' } }] },
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#definition-fault')).toContainText('it exists already')
    await expectPage(page.locator('.both del').first()).toContainText('Theirs')
    expect((await send('GET', '/__admin/scenarios')).text).toContain('Theirs')
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await expectPage(page.locator('#notice')).toContainText('Scenario saved')
    expect((await send('GET', '/__admin/scenarios')).text).not.toContain('Theirs')
  })
})
