import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, it } from 'vitest'
import { toPng } from '../http/image-samples.ts'
import { describeInChromium } from '../support/chromium.ts'
import { TABLE, untilListed, update, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

/** Every view, and what opens in each. */
const places = [
  ['the first request', '', false],
  ['requests', '', true],
  ['requests of all sessions', '?view=requests&from=*', true],
  ['a request and its response', '?view=requests&text=409', true],
  ['nothing found', '?view=requests&text=nothing-like-it', true],
  ['scenarios', '?view=scenarios', true],
  ['the scenario editor', '?view=scenarios&edit=conflict-once', true],
  ['data', '?view=data', true],
  ['a malformed predicate', '?view=data&where=version+%3E', true],
  ['a resource', `?view=data&project=acme&resource=${TABLE}`, true],
  ['a comparison', '?view=data&compare=before', true],
  ['sessions', '?view=sessions', true],
  ['the contract', '?view=contract&operation=updateResource', true],
  ['the contract of a query', '?view=contract&operation=queryResources', true],
  ['the coverage', '?view=coverage', true],
  ['an unknown scenario', '?view=scenarios&edit=nope', true],
  ['an invalid session name', '?session=no%20name', false],
] as const

/** Something of everything that a view can show. */
async function fill(send: Send): Promise<void> {
  const body = new Uint8Array(toPng(3, 2))
  await send('PUT', '/__admin/snapshots/before')
  await send('PUT', '/__admin/scenarios/active', { json: { active: ['conflict-once', 'unavailable-twice'] } })
  for (const path of ['/acme/resource?limitt=1', '/acme/resouce', '/acme/resource/key=walnut-desk'])
    await send('GET', path)
  await update(send, 3)
  await update(send, 4)
  await send('POST', '/acme/resource/images?filename=front.png', { body, headers: { 'Content-Type': 'image/png' } })
  await send('GET', '/@worker-1/acme/resource')
}

/** What axe finds wrong with a page. No page has frames, whose results axe would else put together in a page of its own. */
async function findViolations(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (only === undefined ? axe : axe.withRules([...only])).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** What axe finds wrong with a page in its light colours, and with the dark ones. */
async function findViolationsInBoth(page: Page): Promise<readonly string[]> {
  const light = await findViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await findViolations(page, ['color-contrast', 'link-in-text-block']))]
}

describeInChromium('every view', () => {
  const visit = useBrowser()

  it.each(places)('passes axe, light and dark: %s', async (name, place, isFilled) => {
    const { page, go, send } = await visit({}, { colorScheme: 'light' })
    if (isFilled) await fill(send)
    await go(place)
    if (name === 'a request and its response') {
      await untilListed(page)
      await page.locator('#rows').getByRole('link').first().click()
      await page.locator('#detail h2').waitFor()
    }
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))
    expect(await findViolationsInBoth(page)).toEqual([])
  })

  it.each(['light', 'dark'])('fails axe if it is inaccessible in %s', async (colorScheme) => {
    const { page, go } = await visit({}, { colorScheme: 'light' })
    await go('?view=scenarios')
    await page.evaluate((scheme) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`@media (prefers-color-scheme: ${scheme}) { h1 { color: #777; background: #888 } }`)
      document.adoptedStyleSheets.push(sheet)
      document.querySelector('h1')?.append(document.createElement('img'))
    }, colorScheme)
    const found = (await findViolationsInBoth(page)).map((violation) => violation.slice(0, violation.indexOf(':')))
    expect(found.toSorted()).toEqual(['color-contrast', 'image-alt'])
  })

  it('passes axe at 320 pixels', { timeout: 600_000 }, async () => {
    const { page, go, send } = await visit({}, { viewport: { width: 320, height: 800 } })
    await fill(send)
    for (const [name, place] of places) {
      await go(place)
      expect([name, await findViolations(page)]).toEqual([name, []])
    }
  })

  it('does not scroll horizontally at any width', { timeout: 600_000 }, async () => {
    const { page, go, send } = await visit()
    await fill(send)
    for (const [name, place] of places) {
      await go(place)
      for (const width of [360, 768, 1280, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([name, width, beyond]).toEqual([name, width, 0])
      }
    }
  })

  it('applies the chosen theme before the first paint', async () => {
    const { page, go } = await visit({}, { colorScheme: 'light' })
    await go('?view=scenarios')
    const background = () =>
      page.evaluate(() => getComputedStyle(document.body.parentElement ?? document.body).backgroundColor)
    const light = await background()
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(background).not.toBe(light)
    await go()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('button', { name: 'System colours' }).click()
    await expect.poll(background).toBe(light)
  })
})
