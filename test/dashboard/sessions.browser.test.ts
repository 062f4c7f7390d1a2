import type { Page, Request } from '@playwright/test'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { createGate, setHidden, untilListed, useBrowser } from './visit.ts'
import type { Visit } from './visit.ts'

/** Deletes the session `gone` at a page that is in it, which leads to that which is everyone's. */
async function deleteOwn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
  const line = page.locator('#sessions tr', { hasText: 'gone' })
  await line.getByText('Delete').click()
  await line.getByRole('button', { name: 'Yes' }).click()
  await expectPage(page.locator('#notice')).toContainText('Session gone deleted.')
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
  await expectPage(page.locator('.session-name')).toHaveText('default')
}

/** Begins the session `gone` and opens a page of it. */
async function openGone({ page, server, send }: Visit, path: string): Promise<void> {
  await send('GET', '/@gone/acme/resource')
  await page.goto(`${server.url}/@gone${path}`)
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
}

describeInChromium('the view of sessions', () => {
  const visit = useBrowser()

  it('has links that are at least 24 pixels high', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=sessions')
    for (const link of await page.locator('#sessions a, .session-name').all()) {
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    }
  })

  it('lists them with what each is doing, as it happens', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/nothing')
    await go('?view=sessions')
    const line = page.locator('#sessions tr', { hasText: 'worker-1' })
    await expectPage(line).toContainText('404')
    await expectPage(line).toContainText('/@worker-1/acme/nothing')
    await line.locator('.last').click()
    await expectPage(page.locator('#detail')).toContainText('session worker-1')
  })

  it('switches to another, whose scenarios and data are changed from then on', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=sessions')
    await page.getByRole('link', { name: 'Switch to worker-1' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByRole('switch', { name: 'not-found' }).click()
    await expectPage(page.getByRole('switch', { name: 'not-found' })).toBeChecked()
    expect((await send('GET', '/@worker-1/acme/resource/key=walnut-desk')).status).toBe(404)
    expect((await send('GET', '/acme/resource/key=walnut-desk')).status).toBe(200)
  })

  it('is in the session that the path names', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@worker-2/acme/resource')
    await page.goto(`${server.url}/@worker-2/__admin/`)
    await expectPage(page.locator('.session-name')).toHaveText('worker-2')
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: 'default', exact: true }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
    await expectPage(page.locator('#rows .row')).toHaveCount(0)
  })

  it('shows one that another client begins', async () => {
    const { page, go, send } = await visit()
    await go('?view=sessions')
    await send('GET', '/@worker-9/acme/resource')
    const line = page.locator('#sessions tr', { hasText: 'worker-9' })
    await line.getByText('Delete').click()
    await send('GET', '/@worker-10/acme/resource')
    await expectPage(page.locator('#sessions')).toContainText('worker-10')
    await expectPage(line.getByRole('button', { name: 'Yes' })).toBeVisible()
  })

  it('is in the session that is chosen, though its name begins as that of the path does', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@worker-1/acme/resource/key=walnut-desk')
    await page.goto(`${server.url}/@worker-10/__admin?view=sessions`)
    await page.getByRole('link', { name: 'Switch to worker-1', exact: true }).click()
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
    await expectPage(page.locator('#rows .row')).toContainText('key=walnut-desk')
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
  })

  it('leaves the focus at the session that was about to be deleted, whatever comes', async () => {
    const { page, go, send } = await visit()
    for (const name of ['worker-1', 'worker-2']) await send('GET', `/@${name}/acme/resource`)
    await go('?view=sessions')
    for (const name of ['worker-2', 'worker-1']) {
      await page.locator('#sessions tr', { hasText: name }).getByText('Delete').click()
    }
    const yes = page.getByRole('button', { name: 'Yes, with data and requests – worker-1' })
    await yes.focus()
    await send('GET', '/@worker-2/acme/resource/key=walnut-desk')
    await expectPage(page.locator('#sessions')).toContainText('key=walnut-desk')
    await expectPage(yes).toBeFocused()
  })

  it('no longer lists one that another client deletes', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=sessions')
    await expectPage(page.locator('#sessions')).toContainText('worker-1')
    await send('DELETE', '/__admin/sessions/worker-1')
    await expectPage(page.locator('#sessions')).not.toContainText('worker-1')
  })

  it.each([
    '/@gone/__admin?view=sessions',
    '/@gone/eu/gcp/__admin?view=sessions',
    '/__admin?view=sessions&session=gone',
  ])('deletes the one that it is in, for good: %s', async (address) => {
    const { page, server, send } = await visit()
    await send('GET', '/@gone/acme/resource')
    await deleteOwn(page, server.url + address)
    await page.reload()
    await expectPage(page.locator('#sessions')).not.toContainText('gone')
  })

  it.each([
    ['the page', (request: Request) => request.isNavigationRequest()],
    ['a refresh', (request: Request) => request.headers()['accept'] === 'text/html'],
    ['the event stream', (request: Request) => request.url().includes('/events')],
    ['the rows of the list', (request: Request) => request.url().includes('/dashboard.json')],
  ])('stays deleted when %s was requested before and arrives after', async (_what, isHeld) => {
    const { page, server, send } = await visit()
    await send('GET', '/@gone/acme/resource')
    const [requested, deleted] = [createGate(), createGate()]
    await page.route('**/@gone/__admin**', async (route) => {
      if (!isHeld(route.request())) return route.fallback()
      requested.open()
      await deleted.isOpen
      const isStream = route.request().url().includes('/events')
      await (isStream ? route.fallback() : route.fulfill({ response: await route.fetch() }))
    })
    const opening = page.goto(`${server.url}/@gone/__admin`)
    await requested.isOpen
    await send('DELETE', '/__admin/sessions/gone')
    const answered = page.waitForResponse((response) => isHeld(response.request()))
    deleted.open()
    await Promise.all([opening, answered])
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })

  it('deletes the one that the path named, from the page of another', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@gone/acme/resource')
    await page.goto(`${server.url}/@gone/__admin?view=sessions`)
    await page.getByRole('link', { name: 'Switch to default' }).click()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await expectPage(page.locator('html')).toHaveAttribute('data-hears')
    await page.locator('#sessions tr', { hasText: 'gone' }).getByText('Delete').click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expectPage(page.locator('#notice')).toContainText('Session gone deleted.')
    await expectPage(page.locator('#sessions')).not.toContainText('gone')
    await send('GET', '/@other/acme/resource')
    await expectPage(page.locator('#sessions')).toContainText('other')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })

  it.each(['', '?final=true'])('is told that its own has ended, and does not start it again: %s', async (query) => {
    const visited = await visit()
    const { page, send } = visited
    await openGone(visited, '/__admin?view=scenarios')
    await expectPage(page.locator('#ended')).toBeHidden()
    await send('DELETE', `/__admin/sessions/gone${query}`)
    await expectPage(page.locator('#ended')).toContainText('Session gone has ended.')
    await expectPage(page.getByRole('link', { name: 'start it again' })).toBeVisible({ visible: query === '' })
    for (const isHidden of [true, false]) await setHidden(page, isHidden)
    await expectPage(page.locator('#away')).toBeHidden()
    await page.getByRole('link', { name: 'default', exact: true }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })

  it('is told that its own ended while it was out of sight', async () => {
    const visited = await visit()
    const { page, send } = visited
    await openGone(visited, '/__admin')
    await untilListed(page)
    await setHidden(page, true)
    await send('DELETE', '/__admin/sessions/gone')
    await setHidden(page, false)
    await expectPage(page.locator('#ended')).toBeVisible()
    await expectPage(page.locator('#live')).toHaveText('Not live')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })

  it('opens no request of its own after that has ended', async () => {
    const visited = await visit()
    const { page, send } = visited
    await openGone(visited, '/__admin')
    await untilListed(page)
    await send('DELETE', '/__admin/sessions/gone')
    await expectPage(page.locator('#live')).toHaveText('Not live')
    await page.locator('#rows .row').click()
    await expectPage(page.locator('#detail')).toContainText('The session has ended and its requests are gone.')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })

  it('begins nothing by a form that does not reach the mock', async () => {
    const visited = await visit()
    const { page, send } = visited
    await openGone(visited, '/__admin?view=scenarios')
    await send('DELETE', '/__admin/sessions/gone')
    await expectPage(page.locator('#ended')).toBeVisible()
    await page.route('**/__admin*', (route) => route.abort())
    await page.getByRole('switch', { name: 'slow' }).click()
    await expectPage(page.locator('#announcer')).toContainText('The mock is not responding.')
    await expectPage(page.locator('#ended')).toBeVisible()
  })

  it('goes on where everyone is, though that session ended', async () => {
    const { page, go, send } = await visit({ scenario: 'slow' })
    await go('?view=scenarios')
    await send('PUT', '/__admin/scenarios/active/flaky')
    await expectPage(page.locator('#active .chip')).toHaveText(['slow', 'flaky'])
    await send('DELETE', '/__admin/sessions/default')
    await expectPage(page.locator('#active .chip')).toHaveText(['slow'])
    await expectPage(page.locator('#away')).toBeHidden()
  })

  it('goes on with its own after that has ended, as soon as someone does something there', async () => {
    const visited = await visit()
    const { page, send } = visited
    await openGone(visited, '/__admin?view=scenarios')
    await send('DELETE', '/__admin/sessions/gone')
    await expectPage(page.locator('#ended')).toBeVisible()
    await page.getByRole('switch', { name: 'slow' }).click()
    await expectPage(page.locator('#notice')).toContainText('slow is on.')
    await expectPage(page.locator('#ended')).toBeHidden()
    await send('PUT', '/@gone/__admin/scenarios/active/flaky')
    await expectPage(page.locator('#active .chip')).toHaveText(['slow', 'flaky'])
  })

  it('says why the mock refuses to be heard, until it is loaded anew', async () => {
    const { page, server } = await visit()
    const refuse = (status: number) =>
      page.route('**/__admin/events*', (route) => route.fulfill({ status, json: { message: `Refused: ${status}.` } }))
    await refuse(503)
    await page.goto(`${server.url}/__admin?view=sessions`)
    await expectPage(page.locator('#away')).toContainText('Refused: 503. Reload this page')
    await refuse(401)
    await expectPage(page.locator('#away')).toContainText('Refused: 401. Reload this page')
    await page.unrouteAll()
    await page.reload()
    await expectPage(page.locator('html')).toHaveAttribute('data-hears')
    await expectPage(page.locator('#away')).toBeHidden()
  })

  it('leaves the focus on the last request of a session, whatever the session is asked next', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource/key=one')
    await go('?view=sessions')
    const last = page.locator('#sessions tr', { hasText: 'worker-1' }).locator('.last')
    await last.focus()
    await send('GET', '/@worker-1/acme/resource/key=two')
    await expectPage(last).toContainText('key=two')
    await expectPage(last).toBeFocused()
  })

  it("is in the one that is everyone's after the deletion of one that a cookie names", async () => {
    const { page, server, send } = await visit()
    await page.context().addCookies([{ name: 'mock-session', value: 'gone', url: server.url }])
    await send('GET', '/@gone/acme/resource')
    await deleteOwn(page, `${server.url}/__admin?view=sessions`)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
  })

  it('begins one by its name', async () => {
    const { page, go } = await visit()
    await go('?view=sessions')
    await page.getByLabel('Session name').fill('demo')
    await page.getByRole('button', { name: 'Open or create' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('demo')
    await expectPage(page.locator('#first code')).toContainText('/@demo/acme/resource')
  })

  it('has pages of 25', async () => {
    const { page, go, send } = await visit()
    for (let count = 1; count <= 30; count += 1) await send('GET', `/@worker-${count}/acme/resource`)
    await go('?view=sessions')
    await expectPage(page.locator('#sessions tr')).toHaveCount(25)
    await expectPage(page.locator('#session-pages')).toContainText('1–25 of 31')
    await page.getByRole('link', { name: 'Next' }).click()
    await expectPage(page.locator('#sessions tr')).toHaveCount(6)
    await expectPage(page.locator('#sessions')).toContainText('worker-30')
  })

  it('deletes one, once that is confirmed', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=sessions')
    const line = page.locator('#sessions tr', { hasText: 'worker-1' })
    await line.getByText('Delete').click()
    await line.getByRole('button', { name: 'Yes, with data and requests' }).click()
    await expectPage(line).toHaveCount(0)
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('worker-1')
  })
})
