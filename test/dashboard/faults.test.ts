import { describe, expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'
import { createClient } from '../support/client.ts'

const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** The text of a page, without its markup. */
const toText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')

describe('an error of the admin API', () => {
  it.each([
    ['an invalid session name', '/__admin?session=no%20name', 400, 'Invalid session name "no name".'],
    [
      'an invalid session name, on a subpath',
      '/__admin/requests?session=no%20name',
      400,
      'Invalid session name "no name".',
    ],
    ['an unknown path', '/__admin/snapshot', 404, 'Did you mean "/__admin/snapshots"?'],
    ['an unknown request', '/__admin/requests/none', 404, 'has no request "none"'],
    ['a malformed parameter', '/__admin/requests?limit=x', 400, 'is not a non-negative integer'],
    ['another session', '/@worker-1/__admin/snapshots/none', 404, 'has no snapshot'],
  ])('is a page with a link for browsers, and JSON for others: %s', async (_what, path, status, sentence) => {
    const { mock, ask } = await createAsk()
    const response = await mock.fetch(new Request(`http://localhost${path}`, { headers: PAGE }))
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const page = await response.text()
    expect(toText(page)).toContain(sentence)
    const [, home = ''] = /<a class="button" href="([^"]+)"/.exec(page) ?? []
    expect((await ask('GET', home, { headers: PAGE })).status).toBe(200)
    expect((await ask('GET', path)).text).toContain('"errors":')
  })

  it('is escaped in the page', async () => {
    const { mock } = await createAsk()
    const evil = encodeURIComponent('<script>window.ran=1</script>')
    const response = await mock.fetch(new Request(`http://localhost/__admin?session=${evil}`, { headers: PAGE }))
    expect(await response.text()).not.toContain('<script>')
  })
})

describe('a form sent to the dashboard', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

  it.each([
    ['is JSON', { 'Content-Type': 'application/json' }, '{"version":1,"actions":[]}', 415, 'application/json is not'],
    ['is text', { 'Content-Type': 'text/plain' }, 'step=POST /reset', 415, 'text/plain is not supported'],
    ['is empty', form, '', 400, 'It has no fields.'],
    ['requests no operation', form, 'action=reset&done=Done', 400, 'It has action, done.'],
    ['requests an unknown operation', form, 'try=updateResourc', 400, 'Did you mean \\"updateResource\\"?'],
    ['has an unknown theme', form, 'theme=pink', 400, 'Choose one of: auto, light, dark.'],
    ['has an unknown step', form, 'step=TRACE /state', 400, 'Unknown step'],
    ['has 101 steps', form, 'step=POST+%2Freset&'.repeat(101), 400, 'The form has 101 steps; the limit is 100.'],
    ['has a step that fails', form, 'step=DELETE /snapshots/none', 404, 'has no snapshot'],
  ])('is refused if it %s, without a success notice', async (_what, headers, body, status, sentence) => {
    const client = await createClient()
    const reply = await client.send('POST', '/__admin', headers, body)
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(sentence)
    expect(reply.headers.get('Location')).toBeNull()
  })

  it('may have up to 100 steps', async () => {
    const client = await createClient()
    const steps =
      'step=PUT+%2Fscenarios%2Factive+%7B%22active%22%3A%5B%5D%7D&'.repeat(99) +
      'step=PUT+%2Fsnapshots%2Flast&done=Kept.'
    const reply = await client.send('POST', '/__admin', form, steps)
    expect([reply.status, reply.text]).toEqual([303, ''])
    expect((await client.get('/__admin/snapshots')).text).toContain('"last"')
  })

  it('is read whatever the parameters of its media type', async () => {
    const client = await createClient()
    const headers = { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' }
    const reply = await client.send('POST', '/__admin?view=data', headers, 'step=PUT+%2Fsnapshots%2Fone&done=Kept.')
    expect([reply.status, reply.text]).toEqual([303, ''])
    expect((await client.get('/__admin/snapshots')).text).toContain('"one"')
  })
})

describe('an unknown name in the URL', () => {
  it.each([
    ['?view=scenarios&edit=conflit', 'Unknown scenario "conflit". Did you mean "conflict"?'],
    ['?view=scenarios&edit=nope', 'Unknown scenario "nope".'],
    ['?view=contract&operation=updateResourc', 'Unknown operation "updateResourc". Did you mean "updateResource"?'],
    ['?view=secnarios', 'Unknown view "secnarios". Did you mean "scenarios"?'],
    ['?view=data&compare=nope', 'nope'],
    ['?request=nope', 'Request no longer available'],
  ])('gets an error: %s', async (place, sentence) => {
    const { ask } = await createAsk()
    expect(toText((await ask('GET', `/__admin${place}`, { headers: PAGE })).text)).toContain(sentence)
  })

  it.each(['', '?view=scenarios&edit=conflict', '?view=contract&operation=updateResource'])(
    'is not reported for valid names: %s',
    async (place) => {
      const { ask } = await createAsk()
      expect((await ask('GET', `/__admin${place}`, { headers: PAGE })).text).not.toContain('id="no-')
    },
  )
})
