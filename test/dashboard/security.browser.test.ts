import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectPage } from '../support/expect-page.ts'
import { TABLE, untilListed, useBrowser } from './visit.ts'

/** What would run if any of it became markup. */
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

    const places = [
      '',
      `?text=${encoded}&operation=${encoded}&status=${encoded}`,
      `?request=${encoded}`,
      '?view=scenarios&edit=evil',
      `?view=scenarios&edit=${encoded}`,
      '?view=data&project=acme',
      `?view=data&project=${encoded}&base=${encoded}`,
      `?view=data&where=${encoded}`,
      `?view=data&compare=${encoded}`,
      `?view=data&project=acme&resource=${encoded}`,
      `?view=data&project=acme&resource=${TABLE}`,
      '?view=sessions',
      `?view=contract&operation=${encoded}`,
      `?view=${encoded}`,
    ]
    for (const place of places) {
      await go(place)
      expect([place, await page.evaluate('window.ran')]).toEqual([place, undefined])
    }
    await go()
    await untilListed(page)
    const lines = page.locator('#rows .row')
    await expectPage(lines).toHaveCount(7)
    for (let at = 0; at < 7; at += 1) {
      await lines.nth(at).getByRole('link').click()
      await expectPage(page.locator('#detail h2')).toBeFocused()
      await expectPage(page.locator('#detail script, #detail img, #detail svg[onload]')).toHaveCount(0)
    }
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  it('blocks foreign scripts, styles and images', async () => {
    const { page, go, server, complaints } = await visit()
    await go()
    const { headers } = await fetch(`${server.url}/__admin`, { headers: { Accept: 'text/html' } })
    const policy = headers.get('Content-Security-Policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/)
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
    // These were asked for.
    ;(complaints as string[]).length = 0
  })

  it('sends requests only to the mock', async () => {
    const { page, go, server } = await visit()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    for (const view of ['requests', 'scenarios', 'data', 'sessions', 'contract']) await go(`?view=${view}`)
    expect([...new Set(asked)]).toEqual([server.url])
  })

  it('asks for the admin token, and works with it in every session', async () => {
    const { page, go, send } = await visit({ adminToken: 'let me in' })
    await send('GET', '/@worker-1/acme/resource')
    await go()
    await expectPage(page.getByRole('heading', { name: 'This mock needs its admin token' })).toBeVisible()
    await page.getByLabel('Admin token (--admin-token)').fill('wrong')
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await expectPage(page.getByText('Wrong admin API token.')).toBeVisible()
    await page.getByLabel('Admin token (--admin-token)').fill('let me in')
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await expectPage(page.locator('#live')).toHaveText('Live')
    expect(page.url()).not.toContain('token')
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: 'Switch to worker-1' }).click()
    await expectPage(page.locator('#rows .row')).toHaveCount(1)
    await expectPage(page.locator('#live')).toHaveText('Live')
  })

  it('keeps the token and the theme for all sessions', async () => {
    const { page, server } = await visit({ adminToken: 'let me in' })
    await page.goto(`${server.url}/@worker-1/__admin?view=sessions`)
    await page.getByLabel('Admin token (--admin-token)').fill('let me in')
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    const dark = page.getByRole('button', { name: 'Dark' })
    await dark.click()
    await expectPage(dark).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('link', { name: 'Switch to default' }).click()
    await expectPage(page.locator('.session-name')).toHaveText('default')
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })

  it('opens the requested view after the token was entered', async () => {
    const { page, go } = await visit({ adminToken: 'let me in' })
    await go('?view=data&project=acme&where=version+%3E+1')
    await page.getByLabel('Admin token (--admin-token)').fill('let me in')
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await expectPage(page.getByRole('heading', { name: 'Data' })).toBeVisible()
    expect(new URL(page.url()).searchParams.toString()).toBe('view=data&project=acme&where=version+%3E+1')
  })
})
