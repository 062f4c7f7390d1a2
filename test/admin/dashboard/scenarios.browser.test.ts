import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { update, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

const TEAPOT = '{"description":"Tea","rules":[{"effect":{"answer":{"status":418}}}]}'

const activeOf = async (send: Send): Promise<unknown> =>
  (JSON.parse((await send('GET', '/__admin/scenarios/active')).text) as { readonly active: unknown }).active

describeInChromium('the Scenarios view', () => {
  const visit = useBrowser()

  it('switches scenarios on and off, also those that another client switches', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    const slow = page.getByRole('switch', { name: 'slow' })
    await slow.press('Space')
    await expectPage(slow).toBeChecked()
    await expectPage(slow).toBeFocused()
    await expectPage(page.getByRole('status')).toContainText('slow is on.')
    expect(await activeOf(send)).toEqual(['slow'])
    await send('PUT', '/__admin/scenarios/active/conflict')
    await expectPage(page.getByRole('switch', { name: 'conflict', exact: true })).toBeChecked()
    await page.getByRole('button', { name: 'All off' }).click()
    await expectPage(slow).not.toBeChecked()
    expect(await activeOf(send)).toEqual([])
  })

  it('lists the active scenarios first, and those that are switched stay where they are', async () => {
    const { page, go } = await visit({ scenario: ['slow', 'conflict'] })
    await go('?view=scenarios')
    const switches = page.getByRole('switch')
    await expectPage(switches.first()).toHaveAccessibleName('conflict')
    await expectPage(switches.nth(1)).toHaveAccessibleName('slow')
    await switches.first().click()
    await expectPage(switches.first()).not.toBeChecked()
    await expectPage(switches.first()).toHaveAccessibleName('conflict')
  })

  it('finds scenarios by a search, with those of the session first', async () => {
    const { page, go, send } = await visit()
    await send('PUT', '/__admin/scenarios/teapot', { body: TEAPOT })
    await go('?view=scenarios')
    const names = page.locator('.scenario h2')
    await expectPage(names.first()).toContainText('teapot')
    await page.getByLabel('Search scenarios').fill('503 twice')
    await expectPage(names).toHaveText([/unavailable-twice/])
    await page.getByLabel('Search scenarios').fill('nothing-like-it')
    await expectPage(page.getByRole('heading', { name: 'No scenario matches the search' })).toBeVisible()
  })

  it('opens the editor below its scenario', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    await page.getByRole('link', { name: 'Edit unavailable', exact: true }).click()
    await expectPage(page.locator('#scenario-unavailable').getByLabel('Definition')).toBeInViewport()
  })

  it('says what each rule does, how often it fired and what is left', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await go('?view=scenarios')
    const item = page.locator('#scenario-conflict-once')
    await expectPage(item).toContainText('Someone else saves first, once')
    await expectPage(item).toContainText('for the next request')
    await item.getByRole('link', { name: 'conflict-once', exact: true }).click()
    await expectPage(item).toContainText('another writer updates first, once')
    await update(send, 3)
    await expectPage(item).toContainText('Fired 1 of 1 match, used up')
  })

  it('writes a scenario for this session, and deletes it', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios')
    await page.getByRole('link', { name: 'New scenario' }).click()
    await page.getByLabel('Name').fill('teapot')
    await page.getByLabel('Definition').fill(TEAPOT)
    await page.getByRole('button', { name: 'Save' }).click()
    const item = page.locator('#scenario-teapot')
    await expectPage(item).toContainText('this session')
    await item.getByRole('switch').click()
    await expectPage(item.getByRole('switch')).toBeChecked()
    expect((await send('GET', '/acme/resource')).status).toBe(418)
    await item.getByRole('button', { name: 'Delete… teapot' }).click()
    await page.getByRole('button', { name: 'Delete scenario' }).click()
    await expectPage(item).toHaveCount(0)
  })

  it('shows an error of the definition while it is typed, with its position', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios&edit=conflict')
    const definition = page.getByLabel('Definition')
    await definition.fill('{\n  "description": "Tea",\n  "rulez": []\n}')
    await expectPage(definition).toHaveAttribute('aria-invalid', 'true')
    await expectPage(page.locator('.excerpt')).toHaveText(/Line 3, column 3\n {2}"rulez": \[\]\n {2}\^/)
    await definition.fill(TEAPOT)
    await expectPage(page.locator('.excerpt')).toHaveCount(0)
  })

  it('shows both definitions if someone else changed it meanwhile', async () => {
    const { page, go, send } = await visit()
    await send('PUT', '/__admin/scenarios/teapot', { body: TEAPOT })
    await go('?view=scenarios&edit=teapot')
    const definition = page.getByLabel('Definition')
    await definition.fill(TEAPOT.replace('418', '500'))
    await send('PUT', '/__admin/scenarios/teapot', { body: TEAPOT.replace('418', '503') })
    const both = page.getByRole('region', { name: 'Both versions' })
    await expectPage(both).toContainText('503')
    await page.getByRole('button', { name: 'Discard mine' }).click()
    await expectPage(definition).toHaveValue(/503/)
    await definition.fill(TEAPOT.replace('418', '500'))
    await send('DELETE', '/__admin/scenarios/teapot')
    await expectPage(both).toContainText('It was deleted while you were editing.')
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await expectPage(page.locator('#scenario-teapot')).toContainText('responds with 500')
  })

  it('keeps focus and text while scenarios change', async () => {
    const { page, go, send } = await visit()
    await go('?view=scenarios&edit=new')
    const name = page.getByLabel('Name')
    await name.fill('tea')
    await send('PUT', '/__admin/scenarios/active/slow')
    await expectPage(page.getByRole('switch', { name: 'slow' })).toBeChecked()
    await expectPage(name).toBeFocused()
    await page.keyboard.type('pot')
    await expectPage(name).toHaveValue('teapot')
  })

  it('says that a scenario does not exist', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios&edit=nope')
    await expectPage(page.getByRole('alert')).toContainText('Unknown scenario "nope".')
  })
})
