import type { Page } from '@playwright/test'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { TABLE, untilListed, update, useBrowser } from './visit.ts'

/** Writes a scenario, and does not send it. */
async function writeScenario(page: Page, name: string, definition?: string): Promise<void> {
  await page.locator('#editor summary').click()
  await page.locator('#scenario-name').fill(name)
  if (definition !== undefined) await page.locator('#definition').fill(definition)
}

type Visit = ReturnType<typeof useBrowser>

/** Opens the page that asks whether to reset a session in which something was written. */
async function openReset(visit: Visit) {
  const visiting = await visit()
  await update(visiting.send, 3)
  await visiting.go('?view=data')
  await visiting.page.getByText('Reset session').click()
  return visiting
}

/** Opens an update that met a conflict. */
async function openConflict(visit: Visit) {
  const visiting = await visit({ scenario: 'conflict-once' })
  const { page, go, send } = visiting
  await go()
  await untilListed(page)
  await update(send, 3)
  await page.locator('#rows .row').click()
  await expectPage(page.locator('#detail')).toContainText('409')
  return visiting
}

async function switchToDark(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dark' }).click()
  await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
}

async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectPage(page.locator('#notice')).toHaveText('Undone.')
}

describeInChromium('a form of the dashboard', () => {
  const visit = useBrowser()

  it('runs once on a double click, so that it can be undone', async () => {
    const { page, send } = await openReset(visit)
    await page.getByRole('button', { name: 'Reset now' }).dblclick()
    await undo(page)
    const { text } = await send('GET', `/acme/resource/${TABLE}`)
    expect(JSON.parse(text)).toMatchObject({ version: 4 })
  })

  it('leaves a URL that opens its result, and a live list', async () => {
    const { page, go, send } = await visit()
    await go(`?view=data&resource=${TABLE}`)
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await expectPage(page.locator('#resources')).not.toContainText('oak-side-table')
    expect(new URL(page.url()).searchParams.has('resource')).toBe(false)
    expect(new URL(page.url()).searchParams.has('done')).toBe(false)
    await send('POST', '/acme/resource', {
      json: { key: 'new-desk', objectTypeProperty: { arrayOfIntExample: [], arrayOfStringExample: [] } },
    })
    await expectPage(page.locator('#main')).toContainText('1–25 of 26')
  })

  it('keeps unsent text in another form', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    await writeScenario(page, 'half-done')
    await page.getByRole('switch', { name: 'slow' }).click()
    await expectPage(page.locator('#notice')).toHaveText('slow is on.')
    await expectPage(page.locator('#scenario-name')).toHaveValue('half-done')
    await switchToDark(page)
    await expectPage(page.locator('#scenario-name')).toHaveValue('half-done')
  })

  it('keeps the open editor when another button is pressed', async () => {
    const { page, go } = await visit({ scenario: 'slow' })
    await go(`?view=data&resource=${TABLE}`)
    const record = page.locator('#main textarea').first()
    await record.fill('{"half": "done"')
    await switchToDark(page)
    await page.getByRole('button', { name: 'Switch slow off' }).click()
    await expectPage(page.locator('#notice')).toHaveText('slow is off.')
    await expectPage(record).toHaveValue('{"half": "done"')
    expect(new URL(page.url()).searchParams.get('resource')).toBe(TABLE)
  })

  it.each([
    ['that was refused', `?view=data&resource=${TABLE}`, '#main textarea', 'no record', 'Save'],
    ['that was tried', '?view=contract&operation=queryResources', '[id="path.projectKey"]', 'other', 'Send'],
  ])('keeps text %s', async (_which, place, field, text, button) => {
    const { page, go } = await visit()
    await go(place)
    const written = page.locator(field).first()
    await written.fill(text)
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: button }).first().click()
    await answered
    await expectPage(page.locator('#main [aria-invalid], #tried').first()).toBeVisible()
    await switchToDark(page)
    await expectPage(written).toHaveValue(text)
  })

  it('keeps the focus in a field where someone types on', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    await page.locator('#editor summary').click()
    const name = page.locator('#scenario-name')
    await name.fill('abc')
    let answer = (): void => undefined
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/__admin*', async (route) => {
      if (route.request().method() === 'POST') await mayAnswer
      await route.continue()
    })
    await page.getByRole('switch', { name: 'slow' }).click()
    await name.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('de')
    answer()
    await expectPage(page.getByRole('switch', { name: 'slow' })).toBeChecked()
    await page.keyboard.type('fg')
    await expectPage(name).toHaveValue('abcdefg')
  })

  it('moves the focus to a neighbour when its button becomes disabled', async () => {
    const { page, go } = await visit({ scenario: ['slow', 'conflict'] })
    await go('?view=scenarios')
    await page.getByRole('button', { name: 'Move conflict earlier' }).click()
    await expectPage(page.locator('#scenario-conflict .position')).toHaveText('1')
    await expectPage(page.getByRole('button', { name: 'Move conflict later' })).toBeFocused()
  })

  it('is sent once while Enter is held down', async () => {
    const { page, send } = await openReset(visit)
    await page.getByRole('button', { name: 'Reset now' }).focus()
    await page.keyboard.down('Enter')
    await expectPage(page.locator('#notice')).toContainText('Session reset.')
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await undo(page)
    expect((await send('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe('"4"')
  })

  it('does not press the next button while Enter is held down', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' })
    await update(send, 3)
    await go('?view=scenarios')
    await page.getByRole('button', { name: 'All off' }).focus()
    await page.keyboard.down('Enter')
    await expectPage(page.getByRole('button', { name: 'Reset counters' })).toBeFocused()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#active')).toContainText('conflict-once')
    await expectPage(page.locator('#scenario-conflict-once .counter').first()).toContainText('used up')
  })

  it('shows a long error without covering the page', async () => {
    const { page, go } = await visit({}, { viewport: { width: 360, height: 700 } })
    await go('?view=scenarios')
    await writeScenario(page, 'wrong', `{ "rules": [], "${'unknown member '.repeat(20)}": {} }`)
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#definition-fault')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const last = await page.locator('#scenarios > li').last().boundingBox()
    const notice = await page.locator('#notice').boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(notice?.y ?? 0)
  })

  it('keeps details open and the text of a search', async () => {
    const { page, go } = await visit({ scenario: 'slow' })
    await go('?view=contract&operation=queryResources')
    const details = page.locator('#main details').nth(1)
    await details.locator('summary').click()
    await page.getByRole('button', { name: 'Switch slow off' }).click()
    await expectPage(page.locator('#notice')).toHaveText('slow is off.')
    await expectPage(details).toHaveAttribute('open')
    await go('?view=data&project=acme')
    await page.getByLabel('Where').fill('version >')
    await page.getByLabel('Another project').fill('other')
    await page.getByRole('textbox', { name: 'Name' }).fill('first')
    await page.getByRole('button', { name: 'Take' }).click()
    await expectPage(page.locator('#notice')).toHaveText('Snapshot taken.')
    await expectPage(page.getByLabel('Where')).toHaveValue('version >')
    await expectPage(page.getByLabel('Another project')).toHaveValue('other')
  })

  it('changes only the theme when a theme is chosen', async () => {
    const { page, go, send } = await visit()
    await go(`?view=data&resource=${TABLE}`)
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await switchToDark(page)
    await expectPage(page.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true')
    await expectPage(page.getByRole('button', { name: 'Dark' })).toBeFocused()
    await undo(page)
    expect((await send('GET', `/acme/resource/${TABLE}`)).status).toBe(200)
  })

  it('moves the cursor to an error once, and not again', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    await writeScenario(page, 'wrong', '{')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.locator('#definition')).toBeFocused()
    const knob = page.getByRole('switch', { name: 'slow' })
    await knob.press('Space')
    await expectPage(page.locator('#notice')).toHaveText('slow is on.')
    await expectPage(knob).toBeChecked()
    await expectPage(knob).toBeFocused()
    await expectPage(page.locator('#definition')).toHaveValue('{')
  })

  it('keeps the page live when it is sent in another tab', async () => {
    const { page, go, send } = await visit()
    await go('?view=sessions')
    await page.getByPlaceholder('worker-1').fill('worker-9')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Open or create' }).click({ modifiers: ['Control'] })
    // Chromium's headless shell often crashes the tab that it opened, and closing a crashed tab may never end. The test is
    // about the page that opened it.
    opened.then((tab) => tab.close()).catch(() => undefined)
    await send('GET', '/@worker-2/acme/resource')
    await expectPage(page.locator('#sessions')).toContainText('worker-2')
  })

  it('moves the focus to the button of a form that closed', async () => {
    const { page, go } = await visit()
    await go('?view=scenarios')
    await writeScenario(page, 'teapot')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await expectPage(page.locator('#scenario-teapot')).toBeVisible()
    await expectPage(page.locator('#editor summary')).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#scenario-teapot')).toHaveCount(0)
  })

  it('shows every field of the tried request again', async () => {
    const { page, go } = await visit()
    await go('?view=contract&operation=queryResources')
    await page.getByText(/^\d+ query parameters$/).click()
    await page.locator('[id="query.limit"]').fill('abc')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await expectPage(page.locator('#tried .status').first()).toHaveText('400')
    await expectPage(page.locator('[id="query.limit"]')).toBeVisible()
    await page.reload()
    await expectPage(page.locator('[id="query.limit"]')).toBeHidden()
  })

  it('shows its notice above the panel, and keeps the rest inert', async () => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' }, { viewport: { width: 360, height: 700 } })
    await go('?view=scenarios')
    await page.getByRole('switch', { name: 'upload-too-large' }).click()
    await expectPage(page.locator('#notice')).toHaveText('upload-too-large is on.')
    await expectPage(page.locator('#notice')).toBeInViewport({ ratio: 1 })
    await update(send, 3)
    await go()
    await untilListed(page)
    await page.locator('#rows .row').click()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await expectPage(page.locator('#notice')).toContainText('conflict-once is off.')
    expect(await page.locator('.side').evaluate((side: HTMLElement) => side.inert)).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('#active')).toContainText('conflict-once')
  })

  it('says that the mock does not respond, and that it is back', async () => {
    const { page, go, server } = await visit()
    await go('?view=scenarios')
    await expectPage(page.locator('#away')).toBeHidden()
    await server.close()
    await expectPage(page.getByText('The mock is not responding. This page will reconnect.')).toBeVisible()
    const again = await startServer({ port: server.port })
    onTestFinished(() => again.close())
    await expectPage(page.locator('#away')).toBeHidden()
  })
})

describeInChromium('the filter of requests', () => {
  const visit = useBrowser()

  it('keeps its text when the session selection changes', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@other/acme/resource/key=one')
    await go()
    await untilListed(page)
    const text = page.getByRole('searchbox')
    await text.fill('key=one')
    await page.getByLabel('Sessions').evaluate((select: HTMLSelectElement) => {
      select.value = '*'
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await page.waitForURL(/from=\*/)
    await expectPage(text).toHaveValue('key=one')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
  })

  it('is part of every link of the list', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource/key=one')
    await go()
    await untilListed(page)
    await page.getByRole('searchbox').fill('one')
    await expectPage(page.locator('#rows .row a')).toHaveAttribute('href', /text=one/)
  })

  it('is restored by the back button', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource/key=one')
    await go('?text=one')
    await untilListed(page)
    await page.locator('#rows .row').click()
    await expectPage(page.locator('#detail')).toContainText('key=one')
    await page.getByRole('searchbox').fill('other')
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
    await page.goBack()
    await expectPage(page.getByRole('searchbox')).toHaveValue('one')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
  })

  it('is part of the URL, and says how many requests it hides', async () => {
    const { page, go, send } = await visit()
    await go()
    await untilListed(page)
    for (const key of ['one', 'two']) await send('GET', `/acme/resource/key=${key}`)
    await expectPage(page.locator('#rows .row')).toHaveCount(2)
    await page.getByRole('searchbox').fill('nothing-like-it')
    await expectPage(page.locator('#none')).toBeVisible()
    await expectPage(page.locator('#none')).toContainText('The filter hides 2 requests.')
    await page.getByRole('searchbox').fill('key=two')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.locator('#rows .row').click()
    await expectPage(page.locator('#detail')).toContainText('key=two')
    await page.reload()
    await expectPage(page.getByRole('searchbox')).toHaveValue('key=two')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
  })
})

describeInChromium('an open request', () => {
  const visit = useBrowser()

  it('shows that its retry succeeded at once', async () => {
    const { page, send } = await openConflict(visit)
    const copy = page.locator('#detail summary', { hasText: 'curl' })
    await copy.click()
    await update(send, 4)
    await expectPage(page.locator('#detail')).toContainText('The retry succeeded')
    await expectPage(page.locator('#detail details', { hasText: 'curl' })).toHaveAttribute('open')
    await expectPage(copy).toBeFocused()
  })

  it('reloads for the first successful retry only', async () => {
    const { page, send } = await openConflict(visit)
    await update(send, 4)
    await expectPage(page.locator('#detail')).toContainText('The retry succeeded')
    let count = 0
    page.on('request', (request) => {
      if (request.url().includes('part=detail')) count += 1
    })
    // A list that is pointed at stands still.
    await page.mouse.move(0, 0)
    await update(send, 5)
    await expectPage(page.locator('#rows .row')).toHaveCount(3)
    expect(count).toBe(0)
  })

  it('is replaced by one that is opened while the mock is away, which then gets the focus', async () => {
    const { page, go, send } = await visit()
    for (const key of ['one', 'two']) await send('GET', `/acme/resource/key=${key}`)
    await go()
    await untilListed(page)
    const detail = page.locator('#detail')
    await page.locator('#rows .row', { hasText: 'key=one' }).click()
    await expectPage(detail).toContainText('key=one')
    await page.route('**/__admin?*part=detail*', (route) => route.abort())
    await page.locator('#rows .row', { hasText: 'key=two' }).click()
    await expectPage(detail).toContainText('The request appears when it does.')
    await expectPage(detail).not.toContainText('key=one')
    await page.unroute('**/__admin?*part=detail*')
    await detail.getByText('Close').focus()
    await send('DELETE', '/__admin/requests?x=1')
    await expectPage(detail.locator('h2')).toBeFocused()
  })

  it('shows an error page that comes instead', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await untilListed(page)
    await page.route('**/__admin?*request=*', (route) =>
      route.fulfill({ status: 401, contentType: 'text/html', body: '<h1>A token is needed</h1>' }),
    )
    await page.locator('#rows .row').click()
    await expectPage(page.getByRole('heading', { name: 'A token is needed' })).toBeVisible()
  })

  it('says why it is not shown while the mock is away, and can be closed', async () => {
    const { page, go, send, server } = await visit()
    await send('GET', '/acme/resource')
    await go()
    await untilListed(page)
    await server.close()
    await page.locator('#rows .row').click()
    await expectPage(page.locator('#detail')).toContainText('The request appears when it does.')
    await page.locator('#detail').getByText('Close').click()
    await expectPage(page.locator('#detail')).toBeHidden()
  })
})
