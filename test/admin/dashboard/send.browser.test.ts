import { expect, it } from 'vitest'
import { toPng } from '../../service/http/image-samples.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { findViolations } from './find-violations.ts'
import { TABLE, update, useBrowser } from './visit.ts'
import type { Send } from './visit.ts'

interface Logged {
  readonly id: string
  readonly request: { readonly headers: Readonly<Record<string, string>> }
}

async function lastRequest(send: Send, prefix = ''): Promise<Logged> {
  const { text } = await send('GET', `${prefix}/__admin/requests?limit=1`)
  const { requests } = JSON.parse(text) as { readonly requests: readonly Logged[] }
  return requests[0] ?? expect.fail('The journal is empty.')
}

describeInChromium('the Send view', () => {
  const visit = useBrowser()

  it('sends the example of an operation', async () => {
    const { page, go, send } = await visit()
    await go('?view=coverage&operation=updateResource')
    await page.getByRole('link', { name: 'Try it updateResource' }).click()
    await expectPage(page.getByLabel('Path')).toHaveValue(`/acme/resource/${TABLE}`)
    await expectPage(page.getByLabel('Token')).toHaveValue('manage_test')
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response', exact: true })
    await expectPage(response.locator('.mark')).toHaveText('200')
    await expectPage(response).toContainText('"version": 4')
    expect((await lastRequest(send)).request.headers).toMatchObject({ 'content-type': 'application/json' })
    await response.getByRole('link', { name: 'Open in Requests' }).click()
    await expectPage(page.getByRole('region', { name: 'Request details' })).toContainText('updateResource')
  })

  it('sends with the chosen scopes and scenario', async () => {
    const { page, go } = await visit({ auth: 'strict' })
    await go('?view=send&operation=updateResource')
    const response = page.getByRole('region', { name: 'Response', exact: true })
    await page.getByLabel('Token').selectOption('view_test')
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(response.locator('.mark')).toHaveText(/401|403/)
    await page.getByLabel('Token').selectOption('none')
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(response.locator('.mark')).toHaveText('401')
    await page.getByLabel('Scenario', { exact: true }).selectOption('offline')
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(response).toContainText('CONNECTION_RESET_BY_PEER')
  })

  it('sends in the session of the page', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=send&operation=queryResources&session=worker-1')
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(page.getByRole('link', { name: 'Open in Requests' })).toBeVisible()
    const { requests } = JSON.parse((await send('GET', '/@worker-1/__admin/requests')).text) as { requests: unknown[] }
    expect(requests).toHaveLength(2)
  })

  it('uploads an image', async () => {
    const { page, go } = await visit()
    await go('?view=send&operation=uploadImage')
    await page.getByLabel('Path').fill('/acme/resource/images?filename=front.png&sku=oak-side-table')
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer: toPng(3, 2) })
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(page.getByRole('region', { name: 'Response', exact: true }).locator('.mark')).toHaveText(/20\d/)
  })

  it('resends a request with changes and the current version, and compares the responses', async () => {
    const { page, go, send } = await visit()
    await update(send, 3, { 'X-Own': 'b', Authorization: 'Bearer s3cret' })
    const first = await lastRequest(send)
    await go(`?view=send&from=${first.id}`)
    await expectPage(page.getByRole('textbox', { name: 'Headers' })).toHaveValue(/x-own: b/)
    expect(await page.content()).not.toContain('s3cret')
    const body = page.getByRole('textbox', { name: 'Body' })
    await expectPage(body).toHaveValue(/"version": 4/)
    await expectPage(page.getByText('The version is the current one.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Headers' }).fill('content-type: application/json\nx-other: c:d')
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response', exact: true })
    await expectPage(response.locator('.mark')).toHaveText(['200', '200'])
    await expectPage(page.getByRole('region', { name: 'Changes of the response' }).locator('ins').first()).toBeVisible()
    const { headers } = (await lastRequest(send)).request
    expect(headers).toMatchObject({ 'x-other': 'c:d' })
    expect(headers).not.toHaveProperty('x-own')
    await body.fill('{"version": 3, "actions": []}')
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(response.locator('.mark')).toHaveText(['200', '409'])
  })

  it('says what is wrong and keeps what was typed', async () => {
    const { page, go } = await visit()
    await go('?view=send')
    await page.getByRole('textbox', { name: 'Headers' }).fill('no name')
    await page.getByRole('button', { name: 'Send' }).click()
    await expectPage(page.getByRole('alert')).toContainText('The header "no name" has no name.')
    await expectPage(page.getByRole('textbox', { name: 'Headers' })).toHaveValue('no name')
    await go('?view=send&operation=nope')
    await expectPage(page.getByRole('alert')).toContainText('Unknown operation "nope".')
    await go('?view=send&from=nope')
    await expectPage(page.getByRole('alert')).toContainText('has no request "nope"')
  })
})

describeInChromium('Scenarios, Data, Coverage and Send', () => {
  const visit = useBrowser()

  it.each([
    ['light', 'none'],
    ['dark', 'none'],
    ['light', 'active'],
  ] as const)('have no accessibility violations: %s, forced colours %s', async (colorScheme, forcedColors) => {
    const { page, go, send } = await visit({ scenario: 'conflict-once' }, { colorScheme, forcedColors })
    await send('PUT', '/__admin/snapshots/before')
    await update(send, 3)
    await send('PUT', '/__admin/scenarios/teapot', {
      body: '{"description":"Tea","rules":[{"effect":{"answer":{"status":418}}}]}',
    })
    for (const place of [
      '?view=scenarios&edit=teapot&scenario=conflict-once',
      '?view=data&project=acme',
      `?view=data&project=acme&resource=${TABLE}&compare=before`,
      '?view=coverage&operation=updateResource',
      '?view=send&operation=updateResource',
    ]) {
      await go(place)
      await expectPage(page.locator('.card').first()).toBeVisible()
      if (place.includes('resource=')) await page.getByRole('button', { name: 'Compare version 4' }).click()
      if (place.includes('edit=')) await page.getByLabel('Definition').fill('{')
      expect([place, await findViolations(page)]).toEqual([place, []])
    }
  })

  it('fit into 360 pixels', async () => {
    const { page, go, send } = await visit({}, { viewport: { width: 360, height: 700 } })
    await update(send, 3)
    for (const place of [
      'scenarios&edit=conflict',
      `data&project=acme&resource=${TABLE}`,
      'data',
      'coverage&operation=updateResource',
      'send',
    ]) {
      await go(`?view=${place}`)
      await expectPage(page.locator('.card').first()).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(360)
    }
  })
})
