import { expect, it } from 'vitest'
import { toPng } from '../http/image-samples.ts'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { resetSession, TABLE, update, useBrowser } from './visit.ts'

describeInChromium('the Data view', () => {
  const visit = useBrowser()

  it('lists the resources of a project and updates live', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go('?view=data')
    await expectPage(page.locator('#resources')).toContainText('oak-side-table')
    await expectPage(page.getByRole('link', { name: 'acme' })).toHaveAttribute('aria-current', 'true')
    expect((await update(send, 3)).status).toBe(200)
    await expectPage(page.locator('#resources tr', { hasText: 'oak-side-table' })).toContainText('from 3')
    await expectPage(page.locator('#projects')).toContainText('changed')
  })

  it('searches by the where language and shows errors below the predicate', async () => {
    const { page, go } = await visit()
    await go('?view=data&project=acme')
    await page.getByLabel('Where').fill('key = "walnut-desk"')
    await page.getByRole('button', { name: 'Search' }).click()
    await expectPage(page.locator('#resources tbody tr')).toHaveCount(1)
    await page.getByLabel('Where').fill('version >')
    await page.getByRole('button', { name: 'Search' }).click()
    await expectPage(page.getByRole('alert')).toContainText('line 1, column 10')
    await expectPage(page.locator('#where-fault pre')).toHaveText(/version >\n {9}\^$/)
    await expectPage(page.locator('#resources')).toBeEmpty()
    await expectPage(page.getByLabel('Where')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Where').fill('version > 1000')
    await page.getByRole('button', { name: 'Search' }).click()
    await expectPage(page.getByRole('heading', { name: 'No matching resources' })).toBeVisible()
  })

  it('has pages in the chosen order', async () => {
    const { page, go } = await visit({ generate: 60 })
    await go('?view=data')
    await expectPage(page.locator('#resources tbody tr')).toHaveCount(25)
    await page.getByRole('link', { name: 'Next' }).click()
    await expectPage(page.locator('.pages')).toContainText('26–50 of')
    await page.getByLabel('Order').selectOption('By key')
    await page.getByRole('button', { name: 'Search' }).click()
    await expectPage(page.locator('#resources tbody th').first()).toHaveText('beech-chair')
  })

  it('edits a resource as exact JSON and undoes it', async () => {
    const { page, go, send } = await visit()
    await go('?view=data&project=acme')
    await page.getByRole('link', { name: 'oak-side-table' }).click()
    const record = page.getByLabel('Record')
    await record.fill(
      (await record.inputValue())
        .replace('"version": 3', '"version": 40')
        .replace('[14, 6, 0]', '[9223372036854775807]'),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#resource-name')).toContainText('version 40')
    expect((await send('GET', `/acme/resource/${TABLE}`)).text).toContain('"arrayOfIntExample":[9223372036854775807]')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#notice')).toHaveText('Undone.')
    await expectPage(page.locator('#resource-name')).toContainText('version 3')
    expect((await send('GET', `/acme/resource/${TABLE}`)).text).toContain('"arrayOfIntExample":[14,6,0]')
  })

  it('shows where a record is malformed', async () => {
    const { page, go } = await visit()
    await go(`?view=data&project=acme&resource=${TABLE}`)
    const record = page.getByLabel('Record')
    await record.fill('{\n  "objectTypeProperty": {\n    "arrayOfIntExample": [1, "two"]\n  }\n}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#record-fault')).toContainText('(line 3, column 30)')
    await expectPage(page.locator('#record-fault pre')).toHaveText(/"two"\]\n {29}\^/)
    await expectPage(record).toBeFocused()
  })

  it('deletes a resource and undoes it', async () => {
    const { page, go, send } = await visit()
    await go(`?view=data&project=acme&resource=${TABLE}`)
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await expectPage(page.locator('#resources')).not.toContainText('oak-side-table')
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#resources')).toContainText('oak-side-table')
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(200)
  })

  it('lists which request made which version', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await update(send, 4)
    await go(`?view=data&project=acme&resource=${TABLE}`)
    const versions = page.locator('.versions li')
    await expectPage(versions).toHaveCount(3)
    await expectPage(versions.first()).toContainText('5')
    await expectPage(versions.last()).toContainText('Before its first write')
    await versions.first().getByRole('link').first().click()
    await expectPage(page.locator('#detail')).toContainText('"version": 5')
  })

  it('compares a version with the one before, takes it back and undoes that', async () => {
    const { page, go, send } = await visit()
    const json = { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'new' }] }
    await send('POST', `/acme/resource/${TABLE}`, { json, headers: { 'X-Mock-Scenario': 'conflict-once' } })
    await send('POST', `/acme/resource/${TABLE}`, { json: { ...json, version: 4 } })
    await go(`?view=data&project=acme&resource=${TABLE}`)
    const versions = page.locator('.versions li')
    await expectPage(versions.nth(1)).toContainText('Another writer conflict-once')
    await page.getByRole('link', { name: 'Compare version 5' }).click()
    await expectPage(page.locator('.versions ins').filter({ hasText: '"someProperty": "new"' })).toHaveCount(1)
    await expectPage(page.locator('#comparison')).toHaveCount(0)
    await page.getByRole('button', { name: 'Take back to version 4' }).click()
    await expectPage(page.locator('#resource-name')).toContainText('version 6')
    expect((await send('GET', `/__admin/state/acme/resources/${TABLE}`)).text).toContain('Changed by another writer')
    await expectPage(versions.first()).toContainText('Admin API')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#resource-name')).toContainText('version 5')
  })

  it('keeps versions of projects with different base URLs apart', async () => {
    const { page, go, send } = await visit()
    const json = { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'from afar' }] }
    expect((await send('POST', `/eu/gcp/acme/resource/${TABLE}`, { json })).status).toBe(200)
    await go(`?view=data&project=acme&resource=${TABLE}`)
    await expectPage(page.locator('.versions li')).toHaveCount(1)
    await go(`?view=data&project=acme&base=eu%2Fgcp&resource=${TABLE}`)
    await expectPage(page.locator('.versions li')).toHaveCount(2)
  })

  it('shows uploaded images as pictures', async () => {
    const { page, go, send } = await visit()
    const body = new Uint8Array(toPng(3, 2))
    await send('POST', '/acme/resource/images?filename=front.png&sku=walnut-desk', {
      body,
      headers: { 'Content-Type': 'image/png' },
    })
    await go('?view=data')
    const picture = page.getByRole('img', { name: 'front.png' })
    await expectPage(picture).toBeVisible()
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(3)
    await expectPage(page.locator('#images')).toContainText('png · 3×2')
  })

  it('shows the cart in each locale', async () => {
    const { page, go } = await visit()
    await go('?view=data')
    const cart = page.getByRole('region', { name: 'Cart' })
    await expectPage(cart).toContainText('Oak side table')
    await cart.getByRole('link', { name: 'de-DE' }).click()
    await expectPage(cart).toContainText('Beistelltisch')
  })

  it('takes, compares, restores and deletes snapshots', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await go('?view=data&project=acme')
    await page.getByLabel('Name').fill('before-demo')
    await page.getByRole('button', { name: 'Take' }).click()
    await expectPage(page.locator('#snapshots')).toContainText('before-demo')
    await update(send, 4)
    await send('POST', '/acme/resource', { json: { key: 'brand-new', objectTypeProperty: {} } })
    await send('DELETE', '/acme/resource/716c55f8-ef78-46e2-a052-fcfe094890c1')
    await page.getByRole('link', { name: 'Compare before-demo' }).click()
    const comparison = page.locator('#comparison')
    await expectPage(comparison.locator('.added')).toContainText('brand-new')
    await expectPage(comparison.locator('.removed')).toContainText('walnut-desk')
    await expectPage(comparison.locator('.changed del').first()).toContainText('"version": 4')
    await expectPage(comparison.locator('.changed ins').first()).toContainText('"version": 5')
    await page.getByRole('button', { name: 'Restore before-demo' }).click()
    await expectPage(comparison).toContainText('No differences.')
    expect((await send('GET', '/acme/resource/key=brand-new')).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(comparison.locator('.added')).toContainText('brand-new')
    await page.getByText('Delete before-demo').click()
    await page.getByRole('button', { name: 'Delete permanently – before-demo' }).click()
    await expectPage(page.locator('#snapshots')).not.toContainText('before-demo')
  })

  it('updates the open resource when others change it', async () => {
    const { page, go, send } = await visit()
    await go(`?view=data&project=acme&resource=${TABLE}`)
    await update(send, 3)
    await expectPage(page.locator('#resource-name')).toContainText('version 4')
    await expectPage(page.locator('.versions li')).toHaveCount(2)
    await expectPage(page.getByLabel('Record')).toHaveValue(/"version": 4/)
    await send('DELETE', `/acme/resource/${TABLE}`)
    await expectPage(page.locator('#resource-name')).toContainText('Deleted')
    await expectPage(page.locator('#resource-record')).toContainText(`acme has no resource ${TABLE}`)
    await send('PUT', `/__admin/state/acme/resources/${TABLE}`, { json: { version: 7, objectTypeProperty: {} } })
    await expectPage(page.locator('#resource-name')).toContainText('version 7')
    await expectPage(page.getByLabel('Record')).toHaveValue(/"version": 7/)
  })

  it('keeps unsaved text when others change the resource', async () => {
    const { page, go, send } = await visit()
    await go(`?view=data&project=acme&resource=${TABLE}`)
    const record = page.getByLabel('Record')
    await record.fill('{"version": 9}')
    await page.getByRole('button', { name: 'Save' }).focus()
    await update(send, 3)
    await expectPage(page.locator('#resource-name')).toContainText('version 4')
    await expectPage(record).toHaveValue('{"version": 9}')
  })

  it('keeps showing the same project when requests go to another', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go('?view=data')
    await send('GET', '/other/resource')
    await expectPage(page.locator('#projects li')).toHaveText(['other', 'acme'])
    await expectPage(page.locator('#projects [aria-current]')).toHaveText('acme')
    await page.getByRole('link', { name: 'walnut-desk' }).click()
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await expectPage(page.locator('#notice')).toContainText('walnut-desk deleted.')
    expect((await send('GET', '/acme/resource/key=walnut-desk')).status).toBe(404)
    expect((await send('GET', '/other/resource/key=walnut-desk')).status).toBe(200)
  })

  it.each([
    ['with', true],
    ['without', false],
  ])('asks before replacing a snapshot of the same name, %s JavaScript', async (_with, javaScriptEnabled) => {
    const { page, go, send } = await visit({}, { javaScriptEnabled })
    await send('PUT', '/__admin/snapshots/kept')
    await update(send, 3)
    await go('?view=data&project=acme')
    const version = async (): Promise<unknown> => {
      await send('POST', '/__admin/snapshots/kept/restore')
      return (await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')
    }
    await page.getByLabel('Name').fill('kept')
    await page.getByRole('button', { name: 'Take' }).click()
    await expectPage(page.locator('#notice')).toContainText('"kept" already exists')
    expect(await version()).toBe('"3"')
    await update(send, 3)
    await page.getByRole('button', { name: 'Replace kept' }).click()
    await expectPage(page.locator('#notice')).toContainText('Snapshot taken.')
    expect(await version()).toBe('"4"')
  })

  it('says that the compared snapshot was deleted', async () => {
    const { page, go, send } = await visit()
    await send('PUT', '/__admin/snapshots/first')
    await go('?view=data&project=acme&compare=first')
    await expectPage(page.locator('#comparison')).toContainText('No differences.')
    await send('DELETE', '/__admin/snapshots/first')
    await expectPage(page.locator('#comparison')).toContainText('The session has no snapshot first.')
  })

  it('lists snapshots that another client takes and deletes', async () => {
    const { page, go, send } = await visit()
    await go('?view=data')
    await send('PUT', '/__admin/snapshots/elsewhere')
    await expectPage(page.locator('#snapshots')).toContainText('elsewhere')
    await send('DELETE', '/__admin/snapshots/elsewhere')
    await expectPage(page.locator('#snapshots')).not.toContainText('elsewhere')
  })

  it('shows lines that only moved', async () => {
    const { page, go, send } = await visit()
    // So many that each stands on a line.
    const numbers = Array.from({ length: 40 }, (_, at) => 100 + at)
    const path = `/__admin/state/acme/resources/${TABLE}`
    const keep = (kept: readonly number[]) =>
      send('PUT', path, { json: { version: 3, objectTypeProperty: { arrayOfIntExample: kept } } })
    await keep(numbers)
    await send('PUT', '/__admin/snapshots/before')
    expect((await keep([101, 100, ...numbers.slice(2)])).status).toBe(200)
    await go('?view=data&project=acme&compare=before')
    await expectPage(page.locator('.changed del')).toHaveText('− 100,')
    await expectPage(page.locator('.changed ins')).toHaveText('+ 100,')
  })

  it('undoes a restore, and that undo too', async () => {
    const { page, go, send } = await visit()
    const versionIs = async (version: number): Promise<void> =>
      expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe(`"${version}"`)
    const press = async (name: string, said: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click()
      await expectPage(page.locator('#notice')).toContainText(said)
    }
    await send('PUT', '/__admin/snapshots/first')
    await update(send, 3)
    await go('?view=data&project=acme')
    await press('Restore first', 'Data restored from first.')
    await versionIs(3)
    await press('Restore before-restore', 'Data restored from before-restore.')
    await versionIs(4)
    await press('Undo', 'Undone.')
    await versionIs(3)
    await press('Restore before-restore', 'Data restored from before-restore.')
    await versionIs(4)
    await press('Restore before-that', 'Data restored from before-that.')
    await versionIs(3)
    await press('Undo', 'Undone.')
    await versionIs(4)
  })

  it('lists a replaced image even if the count is the same', async () => {
    const { page, go, send } = await visit()
    const upload = (name: string) =>
      send('POST', `/acme/resource/images?filename=${name}&sku=walnut-desk`, {
        body: new Uint8Array(toPng(3, 2)),
        headers: { 'Content-Type': 'image/png' },
      })
    await send('PUT', '/__admin/snapshots/none')
    await upload('front.png')
    await send('PUT', '/__admin/snapshots/one')
    await send('POST', '/__admin/snapshots/none/restore')
    await upload('back.png')
    await go('?view=data&project=acme&compare=one')
    await expectPage(page.locator('#comparison')).toContainText('Images: 1 added, 1 removed.')
  })

  it('resets the session and undoes the reset', async () => {
    const { page, go, send } = await visit()
    await send('PUT', '/__admin/scenarios/teapot', {
      json: { description: 'Tea', rules: [{ effect: { fault: 'TIMEOUT' } }] },
    })
    await send('PUT', '/__admin/scenarios/active', { json: { active: ['conflict-once'] } })
    await update(send, 3)
    await update(send, 4)
    await go()
    await resetSession(page)
    await expectPage(page.locator('#notice')).toContainText('Session reset.')
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"3"')
    await expectPage(page.locator('#active')).not.toContainText('conflict-once')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#notice')).toContainText('Undone.')
    await expectPage(page.locator('#active')).toContainText('conflict-once')
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"5"')
    expect((await send('GET', '/__admin/scenarios')).text).toContain('"teapot"')
  })
})
