import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock, startServer } from '../../src/node.ts'

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

type Ask = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>

async function askInProcess(): Promise<Ask> {
  const mock = await createMock()
  return (path, headers = {}) => mock.fetch(`http://mock${path}`, { headers })
}

async function askSocket(): Promise<Ask> {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  return (path, headers = {}) => fetch(`${server.url}${path}`, { headers })
}

describe.each([
  ['in-process', askInProcess],
  ['over a socket', askSocket],
])('the root, %s', (_transport, start) => {
  it.each([
    ['/', '/__admin'],
    ['/@s1', '/@s1/__admin'],
    ['/@s1/', '/@s1/__admin'],
  ])('shows a browser that opens %s a page with a link to the dashboard', async (path, link) => {
    const ask = await start()
    const response = await ask(path, BROWSER)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
    expect(await response.text()).toContain(`href="${link}"`)
    expect((await ask(link, BROWSER)).status).toBe(200)
  })

  it('leaves no request in the journal when a browser opens it', async () => {
    const ask = await start()
    await ask('/', BROWSER)
    expect(await (await ask('/__admin/requests')).json()).toMatchObject({ requests: [] })
  })

  it.each([
    ['/', 'application/json'],
    ['/', '*/*'],
    ['/@s1', '*/*'],
  ])('%s responds with 200 to a tool that waits for the server and accepts %s', async (path, accept) => {
    const ask = await start()
    const response = await ask(path, { Accept: accept })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      message: `resource-mock is running. Paths start with /{projectKey}/resource; tokens come from /oauth/token. The dashboard is at ${path === '/' ? '' : path}/__admin.`,
    })
  })

  it('links to the dashboard of a session', async () => {
    const ask = await start()
    const { message } = (await (await ask('/@s1/acme/resouce')).json()) as { message: string }
    expect(message).toContain('Did you mean "/acme/resource"?')
    expect(message).toContain('The dashboard is at /@s1/__admin.')
  })
})

it('the page at the root escapes markup from the request', async () => {
  const mock = await createMock()
  const response = await mock.fetch('http://mock/@"><script>/', { headers: BROWSER })
  expect(await response.text()).not.toContain('<script>')
})
