import { expect, it } from 'vitest'
import { operationIds } from '../../src/contract/endpoints.ts'
import { toPng } from '../http/image-samples.ts'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { TABLE, update, useBrowser } from './visit.ts'

const PICTURE = { name: 'small.png', mimeType: 'image/png', buffer: toPng(3, 2) }

describeInChromium('the Contract view', () => {
  const visit = useBrowser()

  it('lists every operation', async () => {
    const { page, go } = await visit()
    await go('?view=contract')
    const names = await page.locator('.operations b').allTextContents()
    expect(names.toSorted()).toEqual(operationIds.toSorted())
  })

  it('shows the parameters, responses, examples, schemas and decisions of an operation', async () => {
    const { page, go } = await visit()
    await go('?view=contract')
    await page.getByRole('link', { name: /updateResource/ }).click()
    const operation = page.locator('.operation')
    await expectPage(operation).toContainText('scope manage_test:{projectKey}')
    await expectPage(operation.locator('.decisions')).toContainText('D18')
    await expectPage(operation.locator('.responses')).toContainText('409')
    await operation.locator('.responses summary').first().click()
    await expectPage(operation.getByRole('region', { name: 'Example of 200' })).toContainText('"objectTypeProperty"')
    await operation.getByText('ObjectTestType', { exact: true }).last().click()
    await expectPage(operation.getByRole('region', { name: 'Schema ObjectTestType', exact: true })).toBeVisible()
  })

  it('tries an operation with a token of the chosen scopes', async () => {
    const { page, go } = await visit()
    await go('?view=contract&operation=updateResource')
    await page.getByRole('button', { name: 'Send POST' }).click()
    const tried = page.locator('#tried')
    await expectPage(tried.locator('.facts .status')).toHaveText('200')
    await expectPage(tried.locator('.facts .status')).toBeInViewport()
    await expectPage(tried).toContainText('"version": 4')
    await page.getByLabel('manage_test').uncheck()
    await page.getByLabel('view_test').check()
    await page.getByRole('button', { name: 'Send POST' }).click()
    await expectPage(tried.locator('.facts .status')).toHaveText('403')
    await expectPage(tried).toContainText('One of the following scopes is missing: manage_test:acme.')
    await expectPage(page.getByLabel('view_test')).toBeChecked()
    await page.getByLabel('none').check()
    await page.getByRole('button', { name: 'Send POST' }).click()
    await expectPage(tried.locator('.facts .status')).toHaveText('401')
  })

  it('suggests the current version, so that an update succeeds', async () => {
    const { page, go, send } = await visit()
    for (const version of [3, 4, 5]) expect((await update(send, version)).status).toBe(200)
    await go('?view=contract&operation=updateResource')
    await page.getByRole('button', { name: 'Send POST' }).click()
    await expectPage(page.locator('#tried .facts .status')).toHaveText('200')
    await expectPage(page.locator('#tried')).toContainText('"version": 7')
  })

  it('suggests another resource after the first one is deleted', async () => {
    const { page, go, send } = await visit()
    expect((await send('DELETE', `/acme/resource/${TABLE}`)).status).toBe(200)
    for (const operation of ['updateResource', 'getResourceByKey', 'deleteResource']) {
      await go(`?view=contract&operation=${operation}`)
      await page.getByRole('button', { name: /^Send/ }).click()
      await expectPage(page.locator('#tried .facts .status')).toHaveText('200')
    }
  })

  it.each([1440, 1280, 2560])('does not break parameter names at %i pixels', async (width) => {
    const { page, go } = await visit({}, { viewport: { width, height: 900 } })
    for (const operation of ['queryResources', 'searchResources', 'postComplex']) {
      await go(`?view=contract&operation=${operation}`)
      const broken = await page
        .locator('.operation tbody th code')
        .evaluateAll((names) =>
          names.filter((name) => name.getClientRects().length > 1).map((name) => name.textContent),
        )
      expect(broken).toEqual([])
      const region = page.getByRole('region', { name: 'Parameters' })
      expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    }
  })

  it('tries query parameters and families of them', async () => {
    const { page, go } = await visit()
    await go('?view=contract&operation=sortedQuery')
    await page.getByText('query parameters').click()
    await page.getByLabel(/^where/).fill('version >= :least')
    await page.getByLabel(/^sort/).fill('version desc\nkey')
    await page.getByLabel(/^var/).fill('var.least=5')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await expectPage(page.locator('#tried h2')).toContainText('sort=version+desc&sort=key&var.least=5')
    await expectPage(page.locator('#tried .facts .status')).toHaveText('200')
  })

  it.each([
    ['with', true],
    ['without', false],
  ])('sends the chosen file, %s JavaScript, and lists its image', async (_with, javaScriptEnabled) => {
    const { page, go } = await visit({}, { javaScriptEnabled })
    await go('?view=contract&operation=uploadImage')
    await expectPage(page.locator('.try')).toContainText('raises the version of its resource. It cannot be undone')
    await page.getByLabel('Image file').setInputFiles(PICTURE)
    await page.getByRole('button', { name: 'Send POST' }).click()
    await expectPage(page.locator('#tried .facts .status')).toHaveText('200')
    await go('?view=data&project=acme')
    await expectPage(page.locator('#images figure')).toHaveCount(1)
    await expectPage(page.locator('#images')).toContainText('png · 3×2')
  })

  it('requires a file for an upload', async () => {
    const { page, go, send } = await visit()
    await go('?view=contract&operation=uploadImage')
    await page.getByRole('button', { name: 'Send POST' }).click()
    expect(await page.getByLabel('Image file').evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(
      true,
    )
    await page.locator('.try form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
    await page.getByRole('button', { name: 'Send POST' }).click()
    await expectPage(page.locator('#body-fault')).toContainText('Choose an image file to send.')
    expect(JSON.parse((await send('GET', '/__admin/requests')).text)).toMatchObject({ requests: [] })
  })

  it.each([
    ['a header', /^Storefront-Locale/, 'Percent-encode it: %E6%97%A5%E6%9C%AC'],
    ['a token', /^projectKey/, 'Choose the token with all scopes'],
  ])('says in the form that %s cannot be sent', async (_what, label, remedy) => {
    const { page, go } = await visit()
    await go('?view=contract&operation=getActionWithHeaders')
    const field = page.getByLabel(label).first()
    await field.fill('日本')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await expectPage(page.locator('.try .fault')).toContainText('日本')
    await expectPage(page.locator('.try .fault')).toContainText(remedy)
    await expectPage(field).toHaveValue('日本')
  })

  it('says that the journal is off if the request was not recorded', async () => {
    const { page, go } = await visit({ journal: 0 })
    await go('?view=contract&operation=queryResources')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await expectPage(page.locator('#tried')).toContainText('The journal is turned off (--journal 0)')
    await expectPage(page.locator('#tried')).not.toContainText('cleared')
  })

  it.each(['offline', 'truncated'])('shows the effect of the scenario %s on a tried request', async (scenario) => {
    const { page, go } = await visit({ scenario })
    await go('?view=contract&operation=queryResources')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await expectPage(page.locator('#tried .failure')).toContainText('Connection broken')
  })

  it.each(operationIds)('sends %s with its example values and gets a valid response', async (id) => {
    const { page, go } = await visit()
    await go(`?view=contract&operation=${id}`)
    // No file is chosen for anyone.
    if (id === 'uploadImage') await page.getByLabel('Image file').setInputFiles(PICTURE)
    await page.getByRole('button', { name: /^Send/ }).click()
    await expectPage(page.locator('#tried .facts .status')).toHaveText(/^20[0-3]$/)
    await expectPage(page.locator('#tried .verdict')).toHaveClass(/holds/)
  })
})
