import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { resetSession, TABLE, untilListed, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

/** What a client does that knows of versions: reads, updates, and where that is refused reads and updates again. */
async function changeWithRetry(send: Send): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { version } = JSON.parse((await send('GET', `/acme/resource/${TABLE}`)).text) as { readonly version: number }
    const actions = [{ action: 'changeSomeProperty', someProperty: 'reserved' }]
    const { status } = await send('POST', `/acme/resource/${TABLE}`, { json: { version, actions } })
    statuses.push(status)
    if (status === 200) break
  }
  return statuses
}

describeInChromium('a newcomer', () => {
  const visit = useBrowser()

  it('sees why a request failed, forces a conflict, watches the client recover, and resets the session', async () => {
    const { page, go, send } = await visit()
    const { text: untouched } = await send('GET', `/acme/resource/${TABLE}`)
    expect((await send('GET', '/acme/resource/sorted-query-parameters?where=version%20%3E')).status).toBe(400)
    // By the status alone: a time of day may have these digits too.
    const request = (status: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: status, exact: true }) })
        .getByRole('link')
    const detail = page.locator('#detail')
    const link = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })

    // Why did it fail?
    await go()
    await untilListed(page)
    await request('400').click()
    await expectPage(detail.locator('.failure')).toContainText('version >')
    await page.getByRole('link', { name: 'Close' }).click()

    // The next update is to conflict: the list of scenarios says in words which one does that.
    await link('Scenarios').click()
    const line = page.getByRole('listitem').filter({ hasText: 'the retry succeeds' })
    await line.getByRole('switch').click()
    await expectPage(line.getByRole('switch')).toBeChecked()
    await expectPage(page.getByRole('region', { name: 'Active scenarios' })).toContainText('conflict-once')

    // The client, seen from the page.
    await link('Requests').click()
    await expectPage(page.getByText('Live', { exact: true })).toBeVisible()
    expect(await changeWithRetry(send)).toEqual([409, 200])
    await request('409').click()
    await expectPage(detail).toContainText('Expected: 3 - Actual: 4.')
    await expectPage(detail).toContainText('Scenario conflict-once fired.')
    await expectPage(detail.locator('.recovery')).toContainText('200')

    // And back to the start.
    await resetSession(page)
    await expectPage(page.locator('#notice')).toContainText('Session reset.')
    await expectPage(page.getByRole('region', { name: 'Active scenarios' })).toContainText('No active scenarios')
    await expectPage(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
    expect((await send('GET', `/acme/resource/${TABLE}`)).text).toBe(untouched)
    expect(await changeWithRetry(send)).toEqual([200])
  })
})
