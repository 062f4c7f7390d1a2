import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { TABLE, useBrowser } from './visit.ts'

/** Would run if any of it became markup. */
const EVIL = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload="window.ran=1">'
const QUOTES = `"'><script>window.ran=1</script>`

describeInChromium('the dashboard', () => {
  const visit = useBrowser()

  it('runs no code from requests, scenarios, sessions or resources', async () => {
    const { page, go, send } = await visit()
    const encoded = encodeURIComponent(EVIL)
    const defined = {
      description: EVIL,
      rules: [
        {
          match: { path: `/**/${EVIL}`, body: EVIL },
          effect: { answer: { status: 500, error: { code: QUOTES, message: EVIL } } },
        },
      ],
    }
    await send('PUT', '/__admin/scenarios/evil', { json: defined })
    await send('GET', `/acme/resource?${encoded}=${encoded}`, { headers: { 'X-Evil': EVIL, 'User-Agent': QUOTES } })
    await send('GET', `/${encoded}/resource`)
    await send('GET', `/acme/resource/${encoded}`)
    await send('GET', `/acme/${encoded}`)
    await send('POST', '/acme/resource', {
      json: { [EVIL]: EVIL, objectTypeProperty: { arrayOfStringExample: [EVIL, QUOTES] } },
    })
    await send('POST', '/acme/resource/namespace-action', { body: JSON.stringify({ html: `</script></pre>${EVIL}` }) })
    await send('POST', `/acme/resource/${TABLE}`, {
      json: { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: EVIL }] },
    })
    for (const place of [
      `?filter=${encoded}`,
      `?request=${encoded}`,
      `?request=${encoded}&of=${encoded}&compare=${encoded}`,
      '?view=scenarios',
      `?view=scenarios&scenario=${encoded}`,
      '?view=data&project=acme',
      `?view=data&project=${encoded}&where=${encoded}`,
      `?view=data&project=acme&resource=${TABLE}`,
      '?view=board',
      '?view=coverage&operation=updateResource',
      `?view=${encoded}`,
    ]) {
      await go(place)
      expect([place, await page.evaluate('window.ran')]).toEqual([place, undefined])
    }
    await go()
    const rows = page.locator('.rows-body .row')
    await expectPage(rows).toHaveCount(7)
    for (let at = 0; at < 7; at += 1) {
      await rows.nth(at).getByRole('link').click()
      await expectPage(page.locator('.detail-body').getByRole('region', { name: 'Request', exact: true })).toBeVisible()
      await expectPage(page.locator('.detail script, .detail img, .detail svg[onload]')).toHaveCount(0)
    }
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  it('blocks foreign scripts, styles and images', async () => {
    const { page, go, complaints } = await visit()
    await go()
    const blocked = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const directives: string[] = []
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            directives.push(effectiveDirective)
            if (directives.length === 3) resolve(directives)
          })
          const script = document.createElement('script')
          try {
            script.textContent = 'window.ran = 1'
          } catch {
            // Refused before it can be added.
          }
          const image = document.createElement('img')
          image.src = 'https://example.invalid/pixel.png'
          document.body.append(image)
          const style = document.createElement('style')
          style.textContent = 'body { display: none }'
          document.body.append(style)
        }),
    )
    expect(blocked.toSorted()).toEqual(['img-src', 'require-trusted-types-for', 'style-src-elem'])
    expect(await page.evaluate('window.ran')).toBeUndefined()
    // The test caused these.
    ;(complaints as string[]).length = 0
  })

  it('sends requests only to the mock', async () => {
    const { page, go, server } = await visit()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    for (const view of ['requests', 'board', 'sessions', 'scenarios', 'data', 'contract', 'coverage'])
      await go(`?view=${view}`)
    expect([...new Set(asked)]).toEqual([server.url])
  })

  it('asks for the admin token, and works with it in every session', async () => {
    const { page, go, send, server } = await visit({ adminToken: 'let me in' })
    await send('GET', '/@worker-1/acme/resource')
    await go('?view=requests&filter=status%3A200')
    await expectPage(page.getByRole('heading', { name: 'This mock needs its admin token' })).toBeVisible()
    await page.getByLabel('Admin token (--admin-token)').fill('wrong')
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await expectPage(page.getByText('Wrong admin API token.')).toBeVisible()
    await page.getByLabel('Admin token (--admin-token)').fill('let me in')
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await expectPage(page.getByText('Live', { exact: true })).toBeVisible()
    expect(new URL(page.url()).search).toBe('?view=requests&filter=status%3A200')
    await page.goto(`${server.url}/__admin?session=worker-1`)
    await expectPage(page.locator('.rows-body .row')).toHaveCount(1)
    await expectPage(page.getByText('Live', { exact: true })).toBeVisible()
  })

  it('keeps the chosen colours for all sessions', async () => {
    const { page, go, server } = await visit()
    await go()
    await page.getByRole('button', { name: 'Dark colours' }).click()
    await page.goto(`${server.url}/@worker-1/__admin`)
    await expectPage(page.locator('html')).toHaveAttribute('data-opposite', '')
    await expectPage(page.getByRole('button', { name: 'Light colours' })).toBeVisible()
  })
})
