import { expect, it } from 'vitest'
import { toPng } from '../../service/http/image-samples.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { TABLE, update, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

const RECORD = `/__admin/state/acme/resources/${TABLE}`
const OPEN = `?view=data&project=acme&resource=${TABLE}`

const versionOf = async (send: Send): Promise<string | null> =>
  (await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')

describeInChromium('the Data view', () => {
  const visit = useBrowser()

  it('lists the resources of the last project and follows changes', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go('?view=data')
    const row = page.getByRole('row', { name: /oak-side-table/ })
    await expectPage(row).toContainText('3')
    await update(send, 3)
    await expectPage(row).toContainText('from 3')
    await expectPage(page.getByRole('link', { name: 'acme changed' })).toHaveAttribute('aria-current', 'true')
  })

  it('keeps showing the same project when requests go to another', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go('?view=data')
    await page.waitForURL(/project=acme/)
    await send('GET', '/other/resource')
    await expectPage(page.getByRole('link', { name: 'other' })).toBeVisible()
    await expectPage(page.getByRole('link', { name: 'acme' })).toHaveAttribute('aria-current', 'true')
  })

  it('searches by the where language and shows an error below the predicate', async () => {
    const { page, go } = await visit()
    await go('?view=data&project=acme')
    const where = page.getByRole('textbox', { name: 'Search' })
    await where.fill('key = "walnut-desk"')
    await where.press('Enter')
    await expectPage(page.getByRole('table', { name: 'Resources' }).locator('tbody tr')).toHaveCount(1)
    await where.fill('version >')
    await where.press('Enter')
    await expectPage(where).toHaveAttribute('aria-invalid', 'true')
    await expectPage(page.getByText('line 1, column 10')).toBeVisible()
    await expectPage(page.locator('.excerpt')).toHaveText(/version >\n {9}\^$/)
    await where.fill('version > 1000')
    await where.press('Enter')
    await expectPage(page.getByRole('heading', { name: 'No matching resources' })).toBeVisible()
    await where.fill('desk WALNUT')
    await where.press('Enter')
    await expectPage(page.getByRole('table', { name: 'Resources' }).locator('tbody tr')).toHaveText([/walnut-desk/])
  })

  it('finds a deleted resource and brings it back', async () => {
    const { page, go, send } = await visit()
    await send('DELETE', `/acme/resource/${TABLE}?version=3`)
    await go('?view=data&project=acme')
    await page.getByText('1 deleted resource').click()
    await page.getByRole('link', { name: 'oak-side-table' }).click()
    await page.getByRole('button', { name: 'Restore version 3' }).click()
    await expectPage(page.getByRole('heading', { name: 'oak-side-table' })).toBeVisible()
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(200)
  })

  it('has pages in the chosen order, and goes back to the last page', async () => {
    const { page, go } = await visit({ generate: 60 })
    await go('?view=data&project=acme')
    await page.getByRole('link', { name: 'Next' }).click()
    await expectPage(page.getByRole('navigation', { name: 'Pages' })).toContainText('26–50 of')
    await page.getByLabel('Order').selectOption('By key')
    await page.getByRole('button', { name: 'Search' }).click()
    await expectPage(page.locator('tbody td').first()).toHaveText('beech-chair')
    await go('?view=data&project=acme&page=999')
    await page.waitForURL(/page=\d(?:&|$)/)
    await expectPage(page.getByRole('link', { name: 'Next' })).toHaveCount(0)
  })

  it('saves a record with all its digits as the next version, or as the version that is written', async () => {
    const { page, go, send } = await visit()
    await go(OPEN)
    const record = page.getByLabel('Record')
    await expectPage(record).toHaveValue(/"version": 3/)
    await record.fill((await record.inputValue()).replace('[14, 6, 0]', '[9223372036854775807]'))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByText('version 4', { exact: true })).toBeVisible()
    expect((await send('GET', `/acme/resource/${TABLE}`)).text).toContain('"arrayOfIntExample":[9223372036854775807]')
    await expectPage(record).toHaveValue(/"version": 4/)
    await record.fill((await record.inputValue()).replace('"version": 4', '"version": 40'))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByText('version 40', { exact: true })).toBeVisible()
  })

  it('shows both versions when two clients save one record, and never lowers the version', async () => {
    const { page, go, send } = await visit()
    await go(OPEN)
    const record = page.getByLabel('Record')
    await expectPage(record).toHaveValue(/"oak"/)
    await record.fill((await record.inputValue()).replace('"oak"', '"mine"'))
    await update(send, 3)
    const both = page.getByRole('region', { name: 'Both versions' })
    await expectPage(both.locator('del').filter({ hasText: 'from 3' })).toBeVisible()
    await expectPage(both.locator('ins').filter({ hasText: '"mine"' })).toBeVisible()
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await expectPage(page.getByText('version 5', { exact: true })).toBeVisible()
    await expectPage(both).toHaveCount(0)
    expect((await send('GET', RECORD)).text).toContain('"mine"')
  })

  it('refuses a save over a version that it has not seen, and discards on request', async () => {
    const { page, go, send } = await visit()
    await go(OPEN)
    const record = page.getByLabel('Record')
    await expectPage(record).toHaveValue(/"oak"/)
    await record.fill((await record.inputValue()).replace('"oak"', '"mine"'))
    // The other client saves between the click and the write.
    let isFirst = true
    await page.route('**/resources/**', async (route) => {
      if (route.request().method() === 'PUT' && isFirst) {
        isFirst = false
        await update(send, 3)
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByRole('region', { name: 'Both versions' })).toBeVisible()
    expect(await versionOf(send)).toBe('"4"')
    await page.getByRole('button', { name: 'Discard mine' }).click()
    await expectPage(record).toHaveValue(/from 3/)
    await expectPage(page.getByRole('button', { name: /^Discard/ })).toHaveCount(0)
    expect(await versionOf(send)).toBe('"4"')
    expect((await send('GET', RECORD)).text).not.toContain('"mine"')
  })

  it('shows where a record is malformed', async () => {
    const { page, go } = await visit()
    await go(OPEN)
    const record = page.getByLabel('Record')
    await record.fill('{\n  "objectTypeProperty": {\n    "arrayOfIntExample": [1, "two"]\n  }\n}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('.excerpt')).toHaveText(/Line 3, column 30\n.*"two"\]\n {29}\^/)
    await expectPage(record).toBeFocused()
    await expectPage(record).toHaveAttribute('aria-invalid', 'true')
  })

  it('updates the open resource when others change, delete and recreate it', async () => {
    const { page, go, send } = await visit()
    await go(OPEN)
    const record = page.getByLabel('Record')
    await update(send, 3)
    await expectPage(record).toHaveValue(/"version": 4/)
    await expectPage(page.locator('.versions > li')).toHaveCount(2)
    await send('DELETE', `/acme/resource/${TABLE}`)
    await expectPage(page.getByRole('heading', { name: 'Not stored' })).toBeVisible()
    await send('PUT', RECORD, { json: { version: 7, objectTypeProperty: {} } })
    await expectPage(record).toHaveValue(/"version": 7/)
  })

  it('creates and deletes a resource', async () => {
    const { page, go, send } = await visit()
    await go('?view=data&project=acme')
    await page.getByRole('link', { name: 'New resource' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByRole('heading', { name: 'new-resource' })).toBeVisible()
    expect((await send('GET', '/acme/resource/key=new-resource')).status).toBe(200)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete resource' }).click()
    await expectPage(page.getByRole('table', { name: 'Resources' })).not.toContainText('new-resource')
    expect((await send('GET', '/acme/resource/key=new-resource')).status).toBe(404)
  })

  it('compares a version with the one before, and restores it', async () => {
    const { page, go, send } = await visit()
    const json = { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'new' }] }
    await send('POST', `/acme/resource/${TABLE}`, { json, headers: { 'X-Mock-Scenario': 'conflict-once' } })
    await send('POST', `/acme/resource/${TABLE}`, { json: { ...json, version: 4 } })
    await go(OPEN)
    const versions = page.locator('.versions > li')
    await expectPage(versions.nth(0)).toContainText('Your app')
    await expectPage(versions.nth(1)).toContainText('Another writer conflict-once')
    await expectPage(versions.nth(2)).toContainText('Same as the fixtures')
    await expectPage(versions.nth(0)).toContainText('someProperty: "Changed by another writer" → "new"')
    await page.getByRole('button', { name: 'Compare version 5' }).click()
    await expectPage(versions.locator('ins').filter({ hasText: '"someProperty": "new"' })).toHaveCount(1)
    await page.getByRole('button', { name: 'Restore version 4' }).click()
    await expectPage(page.getByText('version 6', { exact: true })).toBeVisible()
    expect((await send('GET', RECORD)).text).toContain('Changed by another writer')
    await versions.last().scrollIntoViewIfNeeded()
    await versions.nth(1).getByRole('link', { name: 'Request' }).click()
    await expectPage(page.getByRole('region', { name: 'Request details' })).toContainText('"version": 5')
  })

  it('keeps versions of projects with different base URLs apart', async () => {
    const { page, go, send } = await visit()
    const json = { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'from afar' }] }
    await send('POST', `/eu/gcp/acme/resource/${TABLE}`, { json })
    await go(OPEN)
    await expectPage(page.locator('.versions > li')).toHaveCount(1)
    await go(`${OPEN}&base=eu%2Fgcp`)
    await expectPage(page.locator('.versions > li')).toHaveCount(2)
  })

  it('shows the images of a resource', async () => {
    const { page, go, send } = await visit()
    const body = new Uint8Array(toPng(3, 2))
    const headers = { 'Content-Type': 'image/png' }
    await send('POST', '/acme/resource/images?filename=front.png&sku=oak-side-table', { body, headers })
    await go(OPEN)
    const link = page.getByRole('link', { name: 'front.png' })
    await expectPage(link).toHaveAttribute('href', /\/__admin\/images\//)
    const picture = link.locator('img')
    await expectPage(picture).toBeVisible()
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(3)
  })

  it('takes, compares, restores and deletes snapshots', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await go('?view=data&project=acme')
    await page.getByLabel('New snapshot').fill('before-demo')
    await page.getByRole('button', { name: 'Take' }).click()
    await expectPage(page.getByRole('status')).toContainText('Snapshot taken.')
    await update(send, 4)
    await send('POST', '/acme/resource', { json: { key: 'brand-new', objectTypeProperty: {} } })
    await page.getByRole('link', { name: 'Compare before-demo' }).click()
    const comparison = page.getByRole('region', { name: 'Changes since before-demo' })
    await expectPage(comparison).toContainText('brand-new added')
    await expectPage(comparison.locator('ins').filter({ hasText: '"version": 5' })).toBeVisible()
    await page.getByRole('button', { name: 'Restore… before-demo' }).click()
    await page.getByRole('button', { name: 'Restore snapshot' }).click()
    await expectPage(comparison).toContainText('No differences')
    expect(await versionOf(send)).toBe('"4"')
    await page.getByRole('button', { name: 'Delete… before-demo' }).click()
    await page.getByRole('button', { name: 'Delete snapshot' }).click()
    await expectPage(comparison).toContainText('has no snapshot "before-demo"')
  })

  it('asks before it replaces a snapshot of the same name', async () => {
    const { page, go, send } = await visit()
    await send('PUT', '/__admin/snapshots/kept')
    await update(send, 3)
    await go('?view=data&project=acme')
    await page.getByLabel('New snapshot').fill('kept')
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('button', { name: 'Replace snapshot' }).click()
    await expectPage(page.getByRole('status')).toContainText('Snapshot taken.')
    await send('POST', '/__admin/reset')
    await send('POST', '/__admin/snapshots/kept/restore')
    expect(await versionOf(send)).toBe('"4"')
  })

  it('leaves the snapshot before-reset when the session is reset', async () => {
    const { page, go, send } = await visit()
    await update(send, 3)
    await go('?view=data&project=acme')
    await page.getByRole('button', { name: 'Reset session…' }).click()
    await page.getByRole('button', { name: 'Reset session', exact: true }).click()
    await page.getByRole('button', { name: 'Restore… before-reset' }).click()
    await page.getByRole('button', { name: 'Restore snapshot' }).click()
    await expectPage(page.getByRole('status')).toContainText('before-reset restored.')
    expect(await versionOf(send)).toBe('"4"')
  })

  it('shows the clock as it goes on, and when a resource was deleted', async () => {
    const { page, go, send } = await visit()
    await send('DELETE', `/acme/resource/${TABLE}`)
    await go(`?view=data&project=acme&resource=${TABLE}`)
    const clock = page.getByRole('region', { name: 'Clock' }).locator('time')
    const start = (await clock.getAttribute('datetime')) ?? ''
    await expectPage(clock).not.toHaveAttribute('datetime', start)
    const deleted = page.locator('.versions > li').first()
    await expectPage(deleted).toContainText('deleted')
    await expectPage(deleted.locator('time')).toHaveAttribute('datetime', new RegExp(`^${start.slice(0, 10)}`))
  })

  it('names the snapshot that a version was restored from', async () => {
    const { page, go, send } = await visit()
    await send('PUT', '/__admin/snapshots/before')
    await update(send, 3)
    await send('POST', '/__admin/snapshots/before/restore')
    await go(`?view=data&project=acme&resource=${TABLE}`)
    await expectPage(page.locator('.versions > li')).toContainText(['Snapshot before, restored'])
    await update(send, 4)
    await go('?filter=status:409')
    await page.locator('.rows-body a').first().click()
    const story = page.getByRole('region', { name: 'Story of the conflict' })
    await expectPage(story).toContainText(/version 3 had been current since .*, when the snapshot before was restored/)
    await expectPage(story.getByRole('img')).toContainText('from the snapshot before')
  })

  it('moves and resets the clock', async () => {
    const { page, go, send } = await visit({ clock: '2026-01-31T12:00:00Z' })
    await go('?view=data&project=acme')
    const clock = page.getByRole('region', { name: 'Clock' })
    for (const [button, time] of [
      ['+ 1 minute', '2026-01-31T12:01:00.000Z'],
      ['+ 1 hour', '2026-01-31T13:01:00.000Z'],
      ['+ 2 days', '2026-02-02T13:01:00.000Z'],
      ['Reset clock', '2026-01-31T12:00:00.000Z'],
    ] as const) {
      await clock.getByRole('button', { name: button }).click()
      await expectPage(clock.locator('time')).toHaveAttribute('datetime', time)
    }
    expect(JSON.parse((await send('GET', '/__admin/clock')).text)).toEqual({ now: '2026-01-31T12:00:00.000Z' })
  })
})
