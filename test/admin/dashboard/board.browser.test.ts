import type { Page } from '@playwright/test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { reportRun, RUN } from './run-of-tests.ts'
import { findViolations } from './find-violations.ts'
import { useBrowser } from './visit.ts'

describeInChromium('the board of tests', () => {
  const visit = useBrowser()

  it('leads from a run of 200 tests to the request that failed, and to a file that opens without a mock', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'nightly')
    await go('?view=board')
    const tests = page.getByRole('table', { name: 'Tests' })
    await expectPage(tests).toHaveAttribute('aria-rowcount', String(RUN.tests + 1))
    const first = tests.locator('.rows-body .row').first()
    await expectPage(first).toContainText('saves product 19')
    await expectPage(first).not.toContainText('shop')
    await expectPage(first).toContainText('409 not retried · expected 200, got 409')
    await expectPage(page.getByRole('list', { name: 'Causes of failures' })).toHaveText('409 not retried 10 failed')
    await expectPage(page.getByText('200 tests, 10 failed · all in shop')).toBeVisible()
    await page.getByLabel('Search tests').fill('product 39')
    await expectPage(tests).toHaveAttribute('aria-rowcount', '3')
    await expectPage(page.getByText('2 of 200 tests, 2 failed')).toBeVisible()
    await first.getByRole('link').click()
    const detail = page.getByRole('region', { name: 'Test details' })
    await expectPage(detail).toContainText('Expected: 200')
    await expectPage(detail).toContainText('scenario conflict, not retried')
    const story = page.getByRole('region', { name: 'Story of the conflict' })
    await expectPage(story).toContainText('You sent version 3, but version 4 had been current since')
    await detail.getByRole('link', { name: 'updateResource' }).click()
    await expectPage(page.getByRole('region', { name: 'Request details' })).toContainText('ConcurrentModification')
    await page.getByRole('link', { name: '← shop › saves product 39' }).click()
    await expectPage(detail).toContainText('Expected: 200')
    await detail.getByRole('link', { name: 'All requests' }).click()
    await expectPage(page.getByText('This is its archive, which is read-only.')).toBeVisible()
    await expectPage(page.getByRole('button', { name: /Reset|Clear/ })).toHaveCount(0)

    const folder = await mkdtemp(join(tmpdir(), '@share-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'run.html')
    await writeFile(file, (await send('GET', '/__admin/share.html?run=nightly')).text)
    await page.context().setOffline(true)
    await page.goto(pathToFileURL(file).href)
    await expectPage(tests).toHaveAttribute('aria-rowcount', String(RUN.tests + 1))
    await expectPage(page.getByText('It has the requests of the tests that did not pass.')).toBeVisible()
    await first.getByRole('link').click()
    await detail.getByRole('link', { name: 'updateResource' }).click()
    await expectPage(story).toContainText('You sent version 3, but version 4 had been current since')
    await expectPage(story.getByRole('img')).toContainText('conflict: wrote version 4')
    await expectPage(page.getByRole('button', { name: 'Copy as curl' })).toBeVisible()
    await expectPage(page.getByRole('region', { name: 'Request', exact: true })).toContainText('from 3')
    await page.getByRole('link', { name: '← shop › saves product 19' }).click()
    await detail.getByRole('link', { name: 'All requests' }).click()
    await expectPage(page.getByRole('img', { name: 'Requests over time' })).toBeVisible()
    await page.locator('.requests .rows-body a').last().click()
    await expectPage(page.getByRole('region', { name: 'Response', exact: true })).toContainText('"version"')
    await expectPage(page.locator('form')).toHaveCount(0)
    await expectPage(page.getByRole('alert')).toHaveCount(0)
    expect(await findViolations(page)).toEqual([])
  })

  it('shows which failures are new since another run', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'before', { tests: 4, failing: 4 })
    await reportRun(send, 'now', { tests: 4, failing: 2 })
    await go('?view=board')
    const rows = page.locator('.tests .rows-body .row')
    await expectPage(rows).toHaveText([
      /failedsaves product 1new/,
      /failedsaves product 3failed in 2 of the last 2 runs/,
      /passed/,
      /passed/,
    ])
    await page.getByLabel('New since').selectOption('before')
    await expectPage(rows).toHaveText([/saves product 1/])
    await expectPage(page.getByRole('list', { name: 'Causes of failures' })).toHaveText('409 not retried 1 failed')
  })

  it('starts its rows within 220 pixels of a screen, and gives them three quarters of a phone', async () => {
    const { page, go, send } = await visit({}, { viewport: { width: 1440, height: 900 } })
    await reportRun(send, 'nightly', { tests: 20, failing: 2 })
    await go('?view=board')
    const row = page.locator('.tests .rows-body .row').first()
    await expectPage(row).toBeVisible()
    await expectPage(page.getByRole('list', { name: 'Causes of failures' })).toBeVisible()
    expect((await row.boundingBox())?.y).toBeLessThanOrEqual(220)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectPage(page.locator('.tests .rows-head')).toBeHidden()
    expect((await page.locator('.tests').boundingBox())?.height).toBeGreaterThanOrEqual(0.75 * 844)
  })

  it('shows why a test failed next to a title of any length', async () => {
    const { page, go, send } = await visit()
    const test = { title: ['shop', 'saves a product '.repeat(20)], file: 'shop.spec.ts', line: 12, duration: 1 }
    await send('PUT', '/__admin/sessions/b/test', {
      json: { ...test, run: 'now', status: 'failed', error: 'Error: lost' },
    })
    await go('?view=board')
    await expectPage(page.locator('.why-failed')).toBeInViewport({ ratio: 1 })
  })

  it('sorts by a column, and copies the command that runs the failed tests again', async () => {
    const { page, go, send } = await visit({}, { permissions: ['clipboard-read', 'clipboard-write'] })
    const test = { run: 'r', title: ['slow'], file: 'a.spec.ts', line: 3, status: 'failed', duration: 90 }
    await send('PUT', '/__admin/sessions/a/test', { json: test })
    await send('PUT', '/__admin/sessions/b/test', { json: { ...test, title: ['quick'], line: 9, duration: 1 } })
    await go('?view=board')
    const rows = page.locator('.tests .rows-body .row')
    await expectPage(rows).toHaveText([/slow/, /quick/])
    await page.getByRole('columnheader', { name: 'Took' }).getByRole('link').click()
    await expectPage(rows).toHaveText([/quick/, /slow/])
    await page.getByRole('button', { name: 'Copy the command that runs the failed tests again' }).click()
    await expectPage(page.getByRole('status')).toContainText('Command copied.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'npx playwright test a.spec.ts:9 a.spec.ts:3',
    )
  })

  it('opens the file of a test in the editor that the reader chose', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'r', { tests: 1 })
    await go('?view=board')
    await page.locator('.tests .rows-body a').click()
    await page.getByRole('button', { name: 'Editor…' }).click()
    await page.getByLabel('Link to a line').fill('vscode://file/shop/{file}:{line}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByRole('link', { name: 'shop.spec.ts:12' })).toHaveAttribute(
      'href',
      'vscode://file/shop/shop.spec.ts:12',
    )
  })

  it('shows a test once with its attempts, and filters by how tests went', async () => {
    const { page, go, send } = await visit()
    const test = { run: 'r', title: ['saves'], file: 'a.spec.ts', line: 1, status: 'passed', duration: 1 }
    const lost = { status: 'failed', error: 'lost' }
    const variant = 'updateResource conflict'
    await send('PUT', '/__admin/sessions/a/test', { json: { ...test, ...lost } })
    await send('PUT', '/__admin/sessions/b/test', { json: { ...test, retry: 1 } })
    await send('PUT', '/__admin/sessions/c/test', { json: { ...test, title: ['lists'], worker: 1 } })
    await send('PUT', '/__admin/sessions/d/test', { json: { ...test, ...lost, variant, status: 'timedOut' } })
    await go('?view=board')
    const rows = page.locator('.tests .rows-body .row')
    await expectPage(rows).toHaveText([
      /failedsaves.*updateResource conflict.*lost/,
      /flakysaves.*2× attempts.*lost/,
      /passedlists/,
    ])
    await rows.first().getByRole('link').click()
    const detail = page.getByRole('region', { name: 'Test details' })
    await expectPage(detail).toContainText('timed out')
    await page.getByRole('button', { name: 'flaky 1' }).click()
    await expectPage(rows).toHaveCount(1)
    await expectPage(page.getByText('1 of 3 tests, 1 flaky')).toBeVisible()
    await rows.getByRole('link').click()
    await expectPage(detail.getByRole('link', { name: 'Attempt 1 failed' })).toHaveAttribute('aria-current', 'true')
    await detail.getByRole('link', { name: 'Attempt 2 passed' }).click()
    await expectPage(detail).not.toContainText('lost')
    await page.getByRole('button', { name: 'all 3' }).click()
    await page.getByLabel('Search tests').fill('w1')
    await expectPage(rows).toHaveText([/lists/])
    await page.getByRole('list', { name: 'Causes of failures' }).getByRole('button').waitFor({ state: 'detached' })
    await page.getByLabel('Search tests').fill('')
    await page.getByRole('button', { name: 'lost 1 failed, 1 flaky' }).click()
    await expectPage(rows).toHaveCount(2)
    expect(await findViolations(page)).toEqual([])
  })

  it.each([390, 900, 1024, 1440])('has no overflow at %i px, with a title of any length', async (width) => {
    const { page, go, send } = await visit({}, { viewport: { width, height: 900 } })
    const test = { run: 'r', title: ['shop', 'saves a product '.repeat(20)], file: 'a.spec.ts', line: 1, duration: 1 }
    await send('PUT', '/__admin/sessions/a/test', { json: { ...test, status: 'failed', error: 'lost '.repeat(100) } })
    await send('PUT', '/__admin/sessions/b/test', { json: { ...test, title: ['shop', 'lists'], status: 'passed' } })
    await go('?view=board')
    await expectPage(page.locator('.rows-body .row').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.locator('.tests .rows-body a').first().click()
    await expectPage(page.getByRole('region', { name: 'Test details' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    // On a phone, the detail replaces the list.
    await expectPage(page.locator('.row[data-open]')).toBeVisible({ visible: width > 860 })
  })

  it('offers in the file of a session only what it contains', async () => {
    const { page, send } = await visit()
    await send('GET', '/@a/acme/resouce')
    const folder = await mkdtemp(join(tmpdir(), '@share-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'session.html')
    await writeFile(file, (await send('GET', '/__admin/share.html?session=a')).text)
    await page.goto(pathToFileURL(file).href)
    await expectPage(page.getByRole('navigation', { name: 'Views' }).getByRole('link')).toHaveText([
      'Requests',
      'Coverage',
    ])
    await page.locator('.rows-body a').click()
    const why = page.getByRole('list', { name: 'Explanation' })
    await expectPage(why).toContainText('No operation has the path of GET /acme/resouce.')
    await expectPage(why.getByText('/{projectKey}/resource (queryResources)')).toHaveCount(1)
  })

  it('opens the archive of an ended session by its name, and changes nothing in it', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'r', { tests: 1, failing: 1 })
    await go('?session=r-test-0')
    await expectPage(page.getByText('This is its archive, which is read-only.')).toBeVisible()
    await expectPage(page.locator('.rows-body .row')).toHaveCount(2)
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('"name":"r-test-0"')
  })

  it('shows the versions of a resource in the story of a test that has ended', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'r', { tests: 1, failing: 1 })
    await go('?session=r-test-0&view=data')
    await expectPage(page.getByRole('heading', { name: 'Requests' })).toBeVisible()
    await page.locator('.rows-body .row', { hasText: '409' }).click()
    await page.getByText('What each version changed').click()
    const versions = page.locator('.versions > li')
    await expectPage(versions).toHaveCount(2)
    await expectPage(versions.first()).toContainText('Another writer conflict')
    await expectPage(page.getByRole('alert')).toHaveCount(0)
  })

  it('opens tests by keys', async () => {
    const { page, go, send } = await visit()
    await reportRun(send, 'r', { tests: 3, failing: 2 })
    await go('?view=board')
    await expectPage(page.locator('.tests .rows-body .row')).toHaveCount(3)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expectPage(page.locator('.row[data-open]')).toContainText('saves product 0')
    await expectPage(page.getByRole('heading', { name: 'saves product 0' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(page.getByRole('region', { name: 'Test details' })).toBeHidden()
  })

  it('shows tests of another client as they are reported', async () => {
    const { page, go, send } = await visit()
    await go('?view=board')
    await expectPage(page.getByText('No tests yet')).toBeVisible()
    await reportRun(send, 'r', { tests: 2 })
    await expectPage(page.locator('.tests .rows-body .row')).toHaveCount(2)
    await expectPage(page.getByText('2 tests · all in shop')).toBeVisible()
  })

  it.each(['light', 'dark'] as const)('is accessible in %s colours', async (colorScheme) => {
    const { page, go, send } = await visit({}, { colorScheme })
    await reportRun(send, 'r', { tests: 4, failing: 2 })
    await go('?view=board')
    await expectPage(page.locator('.tests .rows-body .row')).toHaveCount(4)
    expect(await findViolations(page)).toEqual([])
    await page.locator('.tests .rows-body a').first().click()
    await expectPage(page.getByRole('table', { name: 'Requests of the test' })).toBeVisible()
    expect(await findViolations(page)).toEqual([])
  })

  it('has only the visible rows of 800 tests and 800 sessions in the page', async () => {
    const { page, go, server, send } = await visit({ maxSessions: 2000 })
    const put = (name: string, json: object) => send('PUT', `/__admin/sessions/${name}/test`, { json })
    for (let number = 0; number < 800; number += 1) {
      await put(`t${number}`, { run: 'r', title: [`test ${number}`], file: 'a.spec.ts', line: 1, worker: number % 4 })
      await server.mock.fetch(new Request(`http://mock/@s${number}/acme/resource`))
    }
    await go('?view=board')
    await expectPage(page.getByRole('table', { name: 'Tests' })).toHaveAttribute('aria-rowcount', '801')
    expect(await page.locator('.rows-body .row').count()).toBeLessThan(60)
    await page.getByLabel('Search tests').fill('test 79')
    await expectPage(page.getByRole('table', { name: 'Tests' })).toHaveAttribute('aria-rowcount', '19')
    await page.getByRole('button', { name: 'default' }).click()
    await expectPage(page.getByText('801 sessions without a test, the last 50 of them listed')).toBeVisible()
    await expectPage(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(50)
  })
})

describeInChromium('the menu of sessions', () => {
  const visit = useBrowser()
  const openMenu = async (page: Page, session = 'default') => {
    await page.getByRole('button', { name: session, exact: true }).click()
    return page.getByRole('list', { name: 'Sessions' })
  }

  it('creates a session by name, and switches back', async () => {
    const { page, go } = await visit()
    await go()
    await openMenu(page)
    await expectPage(page.getByLabel('Search or create a session')).toBeFocused()
    await page.keyboard.type('demo')
    await expectPage(page.getByRole('link', { name: 'Create session demo' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expectPage(page.locator('.session-name')).toHaveText('demo')
    await (await openMenu(page, 'demo')).getByRole('link', { name: 'default' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
  })

  it('leads from a session whose name is in the path to one whose name starts alike', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@worker-1/acme/resource/key=walnut-desk')
    await page.goto(`${server.url}/@worker-10/__admin`)
    await (await openMenu(page, 'worker-10')).getByRole('link', { name: 'worker-1', exact: true }).click()
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
    await expectPage(page.locator('.rows-body .row')).toContainText('key=walnut-desk')
  })

  it('says that the session comes from a cookie, and leads to the default one', async () => {
    const { page, go, server } = await visit()
    const notice = page.locator('.notice', { hasText: 'cookie mock-session' })
    await go()
    await expectPage(page.locator('.session-name')).toHaveText('default')
    await expectPage(notice).toHaveCount(0)
    await page.context().addCookies([{ name: 'mock-session', value: 'visitor', url: server.url }])
    await go('?session=worker-1')
    await expectPage(page.locator('.session-name')).toHaveText('worker-1')
    await expectPage(notice).toHaveCount(0)
    await go('?view=data')
    await expectPage(page.locator('.session-name')).toHaveText('visitor')
    await notice.getByRole('link', { name: 'Open default' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
    await expectPage(page.getByRole('heading', { name: 'Data' })).toBeVisible()
    await expectPage(notice).toHaveCount(0)
  })

  it('follows sessions that other clients start and delete', async () => {
    const { page, go, send } = await visit()
    await go()
    const sessions = await openMenu(page)
    await send('GET', '/@worker-9/acme/resource')
    await expectPage(sessions).toContainText('worker-9')
    await send('DELETE', '/__admin/sessions/worker-9')
    await expectPage(sessions).not.toContainText('worker-9')
  })

  it('deletes a session after a confirmation', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@worker-1/acme/resource')
    await go()
    const sessions = await openMenu(page)
    await page.getByRole('button', { name: 'Delete… worker-1' }).click()
    await page.getByRole('button', { name: 'Delete session' }).click()
    await expectPage(page.getByText('Session worker-1 deleted.')).toBeAttached()
    await expectPage(sessions).not.toContainText('worker-1')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('worker-1')
  })

  it('searches names and active scenarios', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/@a1/acme/resource')
    await send('PUT', '/@b2/__admin/scenarios/active/slow')
    await go()
    const names = (await openMenu(page)).locator('li > a')
    await expectPage(names).toHaveText(['default', 'b2', 'a1'])
    await page.getByLabel('Search or create a session').fill('slow')
    await expectPage(names).toHaveText(['Create session slow', 'b2'])
    expect(await findViolations(page)).toEqual([])
  })

  it('says that the session has ended, and does not start it again', async () => {
    const { page, server, send } = await visit()
    await send('GET', '/@gone/acme/resource')
    await page.goto(`${server.url}/@gone/__admin?view=coverage`)
    await expectPage(page.locator('html')).toHaveAttribute('data-hears')
    await send('DELETE', '/__admin/sessions/gone')
    await expectPage(page.getByRole('alert')).toContainText('Session gone has ended.')
    expect((await send('GET', '/__admin/sessions')).text).not.toContain('gone')
  })
})

describeInChromium('coverage', () => {
  const visit = useBrowser()

  it('leads from what was met to its requests, and causes what was not', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go('?view=coverage')
    const operation = page.locator('.operation', { hasText: 'queryResources' })
    await operation.locator('summary').first().click()
    await operation.getByRole('button', { name: '503' }).click()
    await expectPage(page.getByText('unavailable is on.')).toBeVisible()
    expect((await send('GET', '/acme/resource')).status).toBe(503)
    await operation.getByRole('link', { name: '503 1' }).click()
    await expectPage(page.getByRole('heading', { name: 'Requests' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('filter')).toBe('operation:queryResources status:503')
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
  })

  it('has the contract of each operation, and shows only what is missing', async () => {
    const { page, go, send } = await visit()
    await send('GET', '/acme/resource')
    await go('?view=coverage')
    const operations = page.locator('.operation')
    await expectPage(operations).toHaveCount(18)
    await expectPage(page.getByText('Paths without /{projectKey}/resource.')).toBeVisible()
    const operation = operations.filter({ hasText: 'updateResource' })
    await operation.locator('summary').first().click()
    await expectPage(operation).toContainText('manage_test')
    await expectPage(operation).toContainText('If-Match header')
    await expectPage(operation.getByRole('region', { name: 'Example body of updateResource' })).toContainText(
      '"version"',
    )
    await page.getByRole('button', { name: 'Only missing' }).click()
    const query = operations.filter({ hasText: 'queryResources' })
    await expectPage(query.locator('.tag.met')).toHaveCount(0)
    await expectPage(query.locator('.tag', { hasText: '400' })).toHaveCount(1)
  })

  it('is shown for all sessions, and cleared', async () => {
    const { page, go, send } = await visit()
    for (const session of ['a', 'b']) await send('GET', `/@${session}/acme/resource`)
    await go('?view=coverage')
    await page.getByRole('link', { name: 'All sessions' }).click()
    await expectPage(page.locator('.operation', { hasText: 'queryResources' }).locator('.items')).toContainText([
      '200 2',
    ])
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear…' }).click()
    await page.getByRole('button', { name: 'Clear coverage' }).click()
    await expectPage(page.getByText('Coverage cleared.')).toBeVisible()
    expect((await send('GET', '/__admin/coverage?session=*')).text).toContain('"summary":{"met":0,')
  })
})
