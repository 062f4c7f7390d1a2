import { describe, expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'

const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const FORM = { ...PAGE, 'Content-Type': 'application/x-www-form-urlencoded' }

/** The body of a form that takes these steps. */
const steps = (...all: readonly string[]): string => String(new URLSearchParams(all.map((step) => ['step', step])))

describe('GET /__admin', () => {
  it.each([
    ['a browser', '/__admin', PAGE, 'text/html'],
    ['a browser with a trailing slash', '/__admin/', PAGE, 'text/html'],
    ['a browser in a session', '/@worker-1/__admin', PAGE, 'text/html'],
    ['a browser in a region', '/eu/gcp/__admin', PAGE, 'text/html'],
    ['a client that accepts anything', '/__admin', { Accept: '*/*' }, 'application/json'],
    ['a client that accepts JSON', '/__admin', { Accept: 'application/json' }, 'application/json'],
    ['a client that does not accept HTML', '/__admin', { Accept: 'text/html;q=0, */*' }, 'application/json'],
    ['a client without Accept', '/__admin/', {}, 'application/json'],
  ])('gives %s at %s the type it accepts', async (_who, path, headers, type) => {
    const { ask } = await createAsk()
    const reply = await ask('GET', path, { headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('Content-Type')).toContain(type)
  })

  it.each([
    ['must not be cached', 'Cache-Control', 'no-store'],
    ['must not be framed', 'X-Frame-Options', 'DENY'],
    ['sends no Referer to other sites', 'Referrer-Policy', 'same-origin'],
    ['must not be sniffed', 'X-Content-Type-Options', 'nosniff'],
    ['is cached separately from the JSON at its path', 'Vary', 'Accept, Sec-Fetch-Site'],
  ])('gives a page that %s', async (_what, name, value) => {
    const { ask } = await createAsk()
    expect((await ask('GET', '/__admin', { headers: PAGE })).headers.get(name)).toBe(value)
  })

  it.each([
    ['loads nothing by default', 'default-src', "'none'"],
    ['runs only its own scripts', 'script-src', "'self'"],
    ['shows only its own images', 'img-src', "'self'"],
    ['calls only its own server', 'connect-src', "'self'"],
    ['sends forms only to its own server', 'form-action', "'self'"],
    ['cannot be given another base URL', 'base-uri', "'none'"],
    ['must not be framed', 'frame-ancestors', "'none'"],
    ['never parses text as markup', 'require-trusted-types-for', "'script'"],
    ['creates markup through one policy only', 'trusted-types', 'dashboard'],
  ])('gives a page that %s', async (_what, directive, value) => {
    const { ask } = await createAsk()
    const { headers } = await ask('GET', '/__admin', { headers: PAGE })
    expect(headers.get('Content-Security-Policy')?.split('; ')).toContain(`${directive} ${value}`)
  })

  it.each([
    ['from the address bar', 'none', null],
    ['from a link in the dashboard', 'same-origin', null],
    ['from a page on another port', 'same-site', 'same-origin'],
    ['from a page on another site', 'cross-site', 'same-origin'],
    ['in a browser without Sec-Fetch-Site', '', 'same-origin'],
  ])('isolates a page opened %s', async (_how, site, expected) => {
    const { ask } = await createAsk()
    const visit = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    const headers = { ...PAGE, ...visit, ...(site === '' ? {} : { 'Sec-Fetch-Site': site }) }
    const reply = await ask('GET', '/__admin', { headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('Cross-Origin-Opener-Policy')).toBe(expected)
  })

  it.each(['js', 'css', 'svg', 'json'])('serves dashboard.%s, which is not listed as an API path', async (ending) => {
    const { ask } = await createAsk()
    expect((await ask('GET', `/__admin/dashboard.${ending}`)).status).toBe(200)
    expect((await ask('GET', '/__admin')).text).not.toContain('dashboard')
  })
})

describe('the query parameter session', () => {
  it('selects the session of any request, before path and header', async () => {
    const { ask } = await createAsk()
    const headers = { 'X-Mock-Session': 'header' }
    await ask('PUT', '/@path/__admin/scenarios/active?session=query', { json: { active: ['slow'] }, headers })
    const activeOf = async (path: string) => (await ask('GET', `${path}/__admin/scenarios/active`)).body
    expect(await activeOf('/@query')).toEqual({ active: ['slow'] })
    expect(await activeOf('/@path')).toEqual({ active: [] })
    expect(await activeOf('/@header')).toEqual({ active: [] })
  })

  it('is refused if it is not a valid name', async () => {
    const { ask } = await createAsk()
    expect((await ask('GET', '/__admin/scenarios?session=no%20name')).status).toBe(400)
  })
})

describe('a form of the dashboard', () => {
  it('runs its steps in order, redirects, and shows its notice once', async () => {
    const { ask } = await createAsk()
    const body = `${steps('PUT /scenarios/active {"active":["slow"]}', 'PUT /snapshots/{name}')}&name=one&done=Both+are+done.`
    const reply = await ask('POST', '/__admin?view=data', { headers: FORM, body })
    expect(reply.status).toBe(303)
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: ['slow'] })
    expect((await ask('GET', '/__admin/snapshots')).text).toContain('"one"')
    const to = reply.headers.get('Location') ?? ''
    expect(to).toMatch(/^\/__admin\?view=data&done=[-\w]+$/)
    expect((await ask('GET', to, { headers: PAGE })).text).toContain('Both are done.')
    expect((await ask('GET', to, { headers: PAGE })).text).not.toContain('Both are done.')
  })

  it.each([
    ['is invalid', 'PUT /scenarios/active {"active":["nonsense"]}', 400, 'Unknown scenario'],
    ['names an unknown item', 'DELETE /snapshots/none', 404, 'has no snapshot'],
    ['is unknown', 'TRACE /state', 400, 'Unknown step'],
    ['is outside the admin API', 'PUT /../acme/resource {}', 400, 'Unknown step'],
    ['is badly encoded', 'DELETE /snapshots/%E0%A4%A', 404, 'has no snapshot'],
  ])('ends with an error page if a step %s', async (_what, step, status, sentence) => {
    const { mock } = await createAsk()
    const request = new Request('http://localhost/__admin', {
      method: 'POST',
      headers: FORM,
      body: steps(step, 'PUT /snapshots/after'),
    })
    const response = await mock.fetch(request)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(sentence)
    const after = await mock.fetch(new Request('http://localhost/__admin/snapshots'))
    expect(await after.json()).toEqual({ snapshots: [] })
  })

  it.each([
    ['of another site', { Origin: 'https://evil.example' }],
    [
      'of another site with a hidden origin',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    ],
  ])('is refused from a page %s', async (_what, headers) => {
    const { mock } = await createAsk()
    const request = new Request('http://localhost/__admin', {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: steps('PUT /snapshots/evil'),
    })
    expect((await mock.fetch(request)).status).toBe(403)
  })
})

describe('a client that may not see the dashboard', () => {
  it.each([
    ['a browser without the token', { adminToken: 'secret' }, {}, 401, 'type="password"'],
    [
      'a browser with a wrong token',
      { adminToken: 'secret' },
      { Authorization: 'Bearer wrong' },
      401,
      'type="password"',
    ],
    ['a browser under another host name', {}, { Host: 'evil.example' }, 403, 'does not accept the host name'],
  ])('gets an error page: %s', async (_who, options, headers, status, text) => {
    const { mock } = await createAsk(options)
    const response = await mock.fetch(new Request('http://localhost/__admin', { headers: { ...PAGE, ...headers } }))
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toContain('text/html')
    const page = await response.text()
    expect(page).toContain(text)
    expect(page.includes('type="password"')).toBe(status === 401)
  })

  it('gets JSON if it is not a browser, and can load only the style of the error page', async () => {
    const { ask } = await createAsk({ adminToken: 'secret' })
    expect((await ask('GET', '/__admin')).status).toBe(401)
    expect((await ask('GET', '/__admin/dashboard.svg')).status).toBe(200)
    expect((await ask('GET', '/__admin/dashboard.css')).status).toBe(401)
    expect((await ask('GET', '/__admin/dashboard.json')).status).toBe(401)
  })
})
