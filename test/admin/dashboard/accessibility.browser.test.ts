import type { Page } from '@playwright/test'
import { expect, it } from 'vitest'
import { toPng } from '../../service/http/image-samples.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { findViolations } from './find-violations.ts'
import { reportRun } from './run-of-tests.ts'
import { TABLE, update, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

/** Every view, and what opens in each. */
const places = [
  ['the first request', '', false],
  ['requests', '', true],
  ['requests of all sessions', '?view=requests&all=true', true],
  ['a conflict and its story', '?view=requests&filter=status:409', true],
  ['no matching request', '?view=requests&filter=nothing-like-it', true],
  ['a malformed filter', '?view=requests&filter=time%3Ex', true],
  ['an unknown request', '?view=requests&request=none', true],
  ['a comparison of requests', '?view=requests&request={conflict}&compare={other}', true],
  ['an archive', '?session=nightly-test-1', true],
  ['tests', '?view=board', true],
  ['a test that failed', '?view=board&run=nightly&search=product+1&test={test}', true],
  ['failures that are new', '?view=board&run=nightly&since=before', true],
  ['requests by operation', '?view=requests&by=operation', true],
  ['scenarios', '?view=scenarios', true],
  ['data', '?view=data', true],
  ['a malformed predicate', '?view=data&where=version+%3E', true],
  ['a resource', `?view=data&project=acme&resource=${TABLE}`, true],
  ['the composer', '?view=send', true],
  ['the composer with a request', '?view=send&from={conflict}', true],
  ['the coverage', '?view=coverage', true],
  ['an invalid session name', '?session=no%20name', false],
] as const

/**
 * Creates something of everything that a view can show.
 *
 * @returns the address of a place, with the ids of what was created
 */
async function fill(send: Send): Promise<(place: string) => string> {
  const body = new Uint8Array(toPng(3, 2))
  await send('PUT', '/__admin/snapshots/before')
  await send('PUT', '/__admin/scenarios/active', { json: { active: ['conflict-once', 'unavailable-twice'] } })
  for (const path of ['/acme/resource?limitt=1', '/acme/resouce', '/acme/resource/key=walnut-desk'])
    await send('GET', path)
  await update(send, 3)
  await update(send, 4)
  await send('POST', '/acme/resource/images?filename=front.png', { body, headers: { 'Content-Type': 'image/png' } })
  await send('GET', '/@worker-1/acme/resource')
  await reportRun(send, 'before', { tests: 2, failing: 3 })
  await reportRun(send, 'nightly', { tests: 2, failing: 2 })
  const findId = async (path: string): Promise<string> =>
    /"id":"([^"]+)"/.exec((await send('GET', `/__admin/${path}`)).text)?.[1] ?? expect.fail(`${path} has no id`)
  const ids: Readonly<Record<string, string>> = {
    conflict: await findId('requests?filter=status:409'),
    other: await findId('requests?filter=status:200'),
    test: await findId('runs/nightly'),
  }
  return (place) => place.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
}

/** The violations of a page in light and in dark colours. */
async function findViolationsInBoth(page: Page): Promise<readonly string[]> {
  const light = await findViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await findViolations(page, ['color-contrast', 'link-in-text-block']))]
}

const openDetails = (page: Page) =>
  page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))

/** Runs in the page. */
const findSmallControls = (): readonly string[] =>
  [...document.querySelectorAll('button, input:not([type=hidden]), select, summary, textarea')]
    .map((control) => ({ html: control.outerHTML.slice(0, 80), ...control.getBoundingClientRect().toJSON() }))
    .filter(({ width, height }) => width > 0 && (width < 24 || height < 24))
    .map(({ html }) => html as string)

describeInChromium('every view', () => {
  const visit = useBrowser()

  it.each(places)('passes axe, light and dark: %s', async (name, place, isFilled) => {
    const { page, go, send } = await visit({}, { colorScheme: 'light' })
    const toAddress = isFilled ? await fill(send) : String
    await go(toAddress(place))
    await page.locator('h1').waitFor()
    if (name === 'a conflict and its story') {
      await page.locator('.rows-body').getByRole('link').first().click()
      await page.locator('svg.story').waitFor()
    }
    await openDetails(page)
    expect(await findViolationsInBoth(page)).toEqual([])
  })

  it.each(['light', 'dark'])('fails axe if it is inaccessible in %s', async (colorScheme) => {
    const { page, go } = await visit({}, { colorScheme: 'light' })
    await go('?view=scenarios')
    await page.locator('h1').waitFor()
    await page.evaluate((scheme) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`@media (prefers-color-scheme: ${scheme}) { h1 { color: #777; background: #888 } }`)
      document.adoptedStyleSheets.push(sheet)
      document.querySelector('h1')?.append(document.createElement('img'))
    }, colorScheme)
    const found = (await findViolationsInBoth(page)).map((violation) => violation.slice(0, violation.indexOf(':')))
    expect(found.toSorted()).toEqual(['color-contrast', 'image-alt'])
  })

  it('passes axe at 320 pixels, and in forced colours', async () => {
    const { page, go, send } = await visit(
      {},
      { viewport: { width: 320, height: 800 }, colorScheme: 'light', forcedColors: 'active' },
    )
    const toAddress = await fill(send)
    for (const [name, place] of places) {
      await go(toAddress(place))
      await page.locator('h1').waitFor()
      // Forced colours are the same in light and dark.
      expect([name, await findViolations(page)]).toEqual([name, []])
    }
  })

  it('shows the edges of panes and chips, and what is chosen, in forced colours', async () => {
    const { page, go, send } = await visit({}, { forcedColors: 'active' })
    const toAddress = await fill(send)
    const styleOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { outlineStyle, borderTopStyle } = getComputedStyle(element)
          return [outlineStyle, borderTopStyle]
        })
    await go(toAddress('?view=requests&request={conflict}'))
    expect(await styleOf('.detail')).toEqual(['solid', 'none'])
    expect(await styleOf('.chip')).toEqual(['none', 'solid'])
    await go('?view=coverage')
    expect(await styleOf('.button[aria-current]')).toEqual(['solid', 'solid'])
    await go('?view=data')
    expect(await styleOf('.chip:has([aria-current])')).toEqual(['solid', 'solid'])
  })

  it('does not scroll horizontally at any width, and has controls of at least 24 pixels', async () => {
    const { page, go, send } = await visit()
    const toAddress = await fill(send)
    for (const [name, place] of places) {
      await go(toAddress(place))
      await page.locator('h1').waitFor()
      expect([name, await page.evaluate(findSmallControls)]).toEqual([name, []])
      for (const width of [360, 390, 900, 1024, 1440, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([name, width, beyond]).toEqual([name, width, 0])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  })

  it.each([
    ['requests', '', '.rows-body .row'],
    ['tests', '?view=board', '.rows-body .row'],
    ['scenarios', '?view=scenarios', '.scenario'],
    ['data', '?view=data', '.table tbody tr'],
    ['coverage', '?view=coverage', '.operation'],
  ])('shows at least six rows of a list at 200 % zoom: %s', async (_name, place, selector) => {
    // A window of 1440 × 900 pixels.
    const { page, go, send } = await visit({}, { viewport: { width: 720, height: 450 } })
    for (let at = 0; at < 12; at += 1) await send('GET', '/acme/resource')
    await reportRun(send, 'nightly', { tests: 12, failing: 2 })
    await go(place)
    await expectPage(page.locator(selector).nth(9)).toBeAttached()
    await page.locator(selector).nth(7).scrollIntoViewIfNeeded()
    const visible = await page.locator(selector).evaluateAll(
      (rows) =>
        rows.filter((row) => {
          const { x, top, bottom } = row.getBoundingClientRect()
          const middle = (y: number) => document.elementFromPoint(x + 30, y)
          return row.contains(middle(top + 3)) && row.contains(middle(bottom - 3))
        }).length,
    )
    expect(visible).toBeGreaterThanOrEqual(6)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(720)
  })

  it('can be reached by keyboard alone', async () => {
    const { page, go, send } = await visit()
    await update(send, 9)
    await go()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('j')
    await expectPage(page.locator('.row[data-open]')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expectPage(page.locator('.row[data-open]')).toHaveCount(0)
    const link = page.locator('.rows-body').getByRole('link')
    for (let at = 0; at < 30 && !(await link.evaluate((one) => one === document.activeElement)); at += 1)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('region', { name: 'Request details' })).toBeVisible()
  })
})
