import type { Page, Request } from '@playwright/test'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { createGate, setHidden, untilListed, useBrowser } from './visit.ts'
import type { Visit } from './visit.ts'

/** Deletes the session `gone` from its own page, which leads to the default session. */
async function deleteOwn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
  const line = page.locator('#sessions tr', { hasText: 'gone' })
  await line.locator('summary').click()
  await line.getByRole('button', { name: 'Delete data' }).click()
  await expectPage(page.locator('#notice')).toContainText('Session gone deleted.')
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
  await expectPage(page.locator('.session-name')).toHaveText('default')
}

/** Starts the session `gone` and opens a page of it. */
async function openGone({ page, server, send }: Visit, path: string): Promise<void> {
  await send('GET', '/@gone/acme/resource')
  await page.goto(`${server.url}/@gone${path}`)
  await expectPage(page.locator('html')).toHaveAttribute('data-hears')
}

describeInChromium('the Sessions view', () => {
  const visit = useBrowser()

  it('has links that are at least 24 pixels high', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=sessions')
    for (const link of await page.locator('#sessions a, .session-name').all()) {
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    }
  })

  it('lists sessions with their activity live', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/nothing')
    await go('?view=sessions')
    const line = page.locator('#sessions tr', { hasText: 'worker-1' })
    await expectPage(line).toContainText('404')
    await expectPage(line).toContainText('/@worker-1/acme/nothing')
    await line.locator('.last').click()
    await expectPage(page.locator('#detail')).toContainText('session worker-1')
  })

  it('switches to another session, which the dashboard then changes', async () => {
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

  it('shows the session in the path', async () => {
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

  it('lists a session that another client starts', async () => {
    const { page, go, send } = await visit()
    await go('?view=sessions')
    await send('GET', '/@worker-9/acme/resource')
    const line = page.locator('#sessions tr', { hasText: 'worker-9' })
    await line.locator('summary').click()
    await send('GET', '/@worker-10/acme/resource')
    await expectPage(page.locator('#sessions')).toContainText('worker-10')
    await expectPage(line.getByRole('button', { name: 'Delete data' })).toBeVisible()
  })

  it('shows the chosen session even if the path names one with the same prefix', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@worker-1/acme/resource/key=walnut-desk')
    await page.goto(`${server.url}/@worker-10/__admin?view=sessions`)
    await page.getByRole('link', { name: 'Switch to worker-1', exact: true }).click()
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
    await expectPage(page.locator('#rows .row')).toContainText('key=walnut-desk')
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
  })

  it('keeps the focus on the delete button of a session during updates', async () => {
    const { page, go, send } = await visit()
    for (const name of ['worker-1', 'worker-2']) await send('GET', `/@${name}/acme/resource`)
    await go('?view=sessions')
    for (const name of ['worker-2', 'worker-1']) {
      await page.locator('#sessions tr', { hasText: name }).locator('summary').click()
    }
    const yes = page.getByRole('button', { name: 'Delete data and requests – worker-1' })
    await yes.focus()
    await send('GET', '/@worker-2/acme/resource/key=walnut-desk')
    await expectPage(page.locator('#sessions')).toContainText('key=walnut-desk')
    await expectPage(yes).toBeFocused()
  })

  it('removes a session that another client deletes', async () => {
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
  ])('deletes its own session permanently: %s', async (address) => {
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
    ["the list's rows", (request: Request) => request.url().includes('/dashboard.json')],
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

  it('deletes the session in the path from the page of another', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@gone/acme/resource')
    await page.goto(`${server.url}/@gone/__admin?view=sessions`)
    await page.getByRole('link', { name: 'Switch to default' }).click()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await expectPage(page.locator('html')).toHaveAttribute('data-hears')
    await page.locator('#sessions tr', { hasText: 'gone' }).locator('summary').click()
    await page.getByRole('button', { name: 'Delete data' }).click()
    await expectPage(page.locator('#notice')).toContainText('Session gone deleted.')
    await expectPage(page.locator('#sessions')).not.toContainText('gone')
    await send('GET', '/@other/acme/resource')
    await expectPage(page.locator('#sessions')).toContainText('other')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })

  it.each(['', '?final=true'])('says that its session has ended, and does not start it again: %s', async (query) => {
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

  it('says that its session ended while the page was hidden', async () => {
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

  it('does not open requests of an ended session', async () => {
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

  it('does not start a session by a form that fails', async () => {
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

  it('continues when the default session was deleted', async () => {
    const { page, go, send } = await visit({ scenario: 'slow' })
    await go('?view=scenarios')
    await send('PUT', '/__admin/scenarios/active/flaky')
    await expectPage(page.locator('#active .chip')).toHaveText(['slow', 'flaky'])
    await send('DELETE', '/__admin/sessions/default')
    await expectPage(page.locator('#active .chip')).toHaveText(['slow'])
    await expectPage(page.locator('#away')).toBeHidden()
  })

  it('starts its session again when a form is sent', async () => {
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

  it('says why the event stream is refused', async () => {
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

  it('keeps the focus on the last request of a session when another arrives', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource/key=one')
    await go('?view=sessions')
    const last = page.locator('#sessions tr', { hasText: 'worker-1' }).locator('.last')
    await last.focus()
    await send('GET', '/@worker-1/acme/resource/key=two')
    await expectPage(last).toContainText('key=two')
    await expectPage(last).toBeFocused()
  })

  it('shows the default session after the session in the cookie was deleted', async () => {
    const { page, server, send } = await visit()
    await page.context().addCookies([{ name: 'mock-session', value: 'gone', url: server.url }])
    await send('GET', '/@gone/acme/resource')
    await deleteOwn(page, `${server.url}/__admin?view=sessions`)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
  })

  it('creates a session by name', async () => {
    const { page, go } = await visit()
    await go('?view=sessions')
    await page.getByLabel('Session name').fill('demo')
    await page.getByRole('button', { name: 'Open or create' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('demo')
    await expectPage(page.locator('#first code')).toContainText('/@demo/acme/resource')
  })

  it('shows 25 sessions per page', async () => {
    const { page, go, send } = await visit()
    for (let count = 1; count <= 30; count += 1) await send('GET', `/@worker-${count}/acme/resource`)
    await go('?view=sessions')
    await expectPage(page.locator('#sessions tr')).toHaveCount(25)
    await expectPage(page.locator('#session-pages')).toContainText('1–25 of 31')
    await page.getByRole('link', { name: 'Next' }).click()
    await expectPage(page.locator('#sessions tr')).toHaveCount(6)
    await expectPage(page.locator('#sessions')).toContainText('worker-30')
  })

  it('deletes a session after confirmation', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=sessions')
    const line = page.locator('#sessions tr', { hasText: 'worker-1' })
    await line.locator('summary').click()
    await line.getByRole('button', { name: 'Delete data and requests' }).click()
    await expectPage(line).toHaveCount(0)
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('worker-1')
  })
})
