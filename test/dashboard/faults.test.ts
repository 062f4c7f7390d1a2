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

describe('what is wrong with a request to the admin API', () => {
  it.each([
    ['a session of no name', '/__admin?session=no%20name', 400, 'Invalid session name "no name".'],
    ['a session of no name, below it', '/__admin/requests?session=no%20name', 400, 'Invalid session name "no name".'],
    ['a path that is none', '/__admin/snapshot', 404, 'Did you mean "/snapshots"?'],
    ['a request that is not kept', '/__admin/requests/none', 404, 'has no request "none"'],
    ['a parameter that is malformed', '/__admin/requests?limit=x', 400, 'is no whole number'],
    ['another session', '/@worker-1/__admin/snapshots/none', 404, 'has no snapshot'],
  ])(
    'is told a browser in a page with a way on, and everyone else in JSON: %s',
    async (_what, path, status, sentence) => {
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
    },
  )

  it('is escaped in that page', async () => {
    const { mock } = await createAsk()
    const evil = encodeURIComponent('<script>window.ran=1</script>')
    const response = await mock.fetch(new Request(`http://localhost/__admin?session=${evil}`, { headers: PAGE }))
    expect(await response.text()).not.toContain('<script>')
  })
})

describe('a body that the dashboard is sent', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

  it.each([
    ['is JSON', { 'Content-Type': 'application/json' }, '{"version":1,"actions":[]}', 415, 'application/json is not'],
    ['is text', { 'Content-Type': 'text/plain' }, 'step=POST /reset', 415, 'text/plain is not supported'],
    ['is empty', form, '', 400, 'It has no fields.'],
    ['asks for nothing', form, 'action=reset&done=Done', 400, 'It has action, done.'],
    ['tries what is no operation', form, 'try=updateResourc', 400, 'Did you mean \\"updateResource\\"?'],
    ['asks for colours that are none', form, 'theme=pink', 400, 'Choose one of: auto, light, dark.'],
    ['has a step that is none', form, 'step=TRACE /state', 400, 'Unknown step'],
    [
      'has 101 steps',
      form,
      'step=POST+%2Freset&'.repeat(101),
      400,
      'The form asks for 101 steps; at most 100 are done.',
    ],
    ['has a step that fails', form, 'step=DELETE /snapshots/none', 404, 'has no snapshot'],
  ])('is refused where it %s, and nothing is told to be done', async (_what, headers, body, status, sentence) => {
    const client = await createClient()
    const reply = await client.send('POST', '/__admin', headers, body)
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(sentence)
    expect(reply.headers.get('Location')).toBeNull()
  })

  it('may have 100 steps', async () => {
    const client = await createClient()
    const steps =
      'step=PUT+%2Fscenarios%2Factive+%7B%22active%22%3A%5B%5D%7D&'.repeat(99) +
      'step=PUT+%2Fsnapshots%2Flast&done=Kept.'
    const reply = await client.send('POST', '/__admin', form, steps)
    expect([reply.status, reply.text]).toEqual([303, ''])
    expect((await client.get('/__admin/snapshots')).text).toContain('"last"')
  })

  it('is read whatever the parameters of its type', async () => {
    const client = await createClient()
    const headers = { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' }
    const reply = await client.send('POST', '/__admin?view=data', headers, 'step=PUT+%2Fsnapshots%2Fone&done=Kept.')
    expect([reply.status, reply.text]).toEqual([303, ''])
    expect((await client.get('/__admin/snapshots')).text).toContain('"one"')
  })
})

describe('what the address names and is not there', () => {
  it.each([
    ['?view=scenarios&edit=conflit', 'Unknown scenario "conflit". Did you mean "conflict"?'],
    ['?view=scenarios&edit=nope', 'Unknown scenario "nope".'],
    ['?view=contract&operation=updateResourc', 'Unknown operation "updateResourc". Did you mean "updateResource"?'],
    ['?view=secnarios', 'Unknown view "secnarios". Did you mean "scenarios"?'],
    ['?view=data&compare=nope', 'nope'],
    ['?request=nope', 'Request no longer available'],
  ])('is told: %s', async (place, sentence) => {
    const { ask } = await createAsk()
    expect(toText((await ask('GET', `/__admin${place}`, { headers: PAGE })).text)).toContain(sentence)
  })

  it.each(['', '?view=scenarios&edit=conflict', '?view=contract&operation=updateResource'])(
    'is not told of what is there: %s',
    async (place) => {
      const { ask } = await createAsk()
      expect((await ask('GET', `/__admin${place}`, { headers: PAGE })).text).not.toContain('id="no-')
    },
  )
})
