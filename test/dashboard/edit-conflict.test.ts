import { describe, expect, it } from 'vitest'
import type { Mock } from '../../src/mock.ts'
import { createAsk, update } from '../admin/ask.ts'
import type { Ask } from '../admin/ask.ts'
import { TABLE } from './visit.ts'

const PLACE = `/__admin?view=data&project=acme&resource=${TABLE}`
const PAGE = { Accept: 'text/html' }

/** Reads the hidden fields of the first form with a field of that name, as a browser would send them. */
function fieldsOf(page: string, name: string): URLSearchParams {
  const form = page.split('<form').find((one) => one.includes(`name="${name}"`)) ?? ''
  const toText = (html: string) =>
    html
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  return new URLSearchParams(
    [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, field = '', value = '']) => [
      field,
      toText(value),
    ]),
  )
}

const open = async (ask: Ask): Promise<URLSearchParams> =>
  fieldsOf((await ask('GET', PLACE, { headers: PAGE })).text, 'record')

/** Sends a form; its page comes back with 409 if it was refused. */
async function post(mock: Mock, place: string, fields: URLSearchParams) {
  const headers = { ...PAGE, 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await mock.fetch(place, { method: 'POST', body: String(fields), headers })
  return { status: response.status, text: await response.text() }
}

/** Saves the record of an editor as it was opened, with another text in it. */
async function save(mock: Mock, fields: URLSearchParams, someProperty: string) {
  const record = JSON.stringify({ ...JSON.parse(fields.get('base') ?? ''), version: 3, someProperty })
  return post(mock, PLACE, new URLSearchParams([...fields, ['record', record]]))
}

const read = async (ask: Ask) => (await ask('GET', `/__admin/state/acme/resources/${TABLE}`)).body

describe('a record that someone else has changed since', () => {
  it('is overwritten as the version after theirs', async () => {
    const { ask, mock } = await createAsk()
    const mine = await open(ask)
    expect(await update(ask, `/acme/resource/${TABLE}`, 3)).toBe(200)
    const refused = await save(mock, mine, 'mine')
    expect(refused.status).toBe(409)
    expect((await save(mock, fieldsOf(refused.text, 'record'), 'mine')).status).toBe(303)
    expect(await read(ask)).toMatchObject({ version: 5, someProperty: 'mine' })
  })

  it('is not overwritten unseen by the second of two that save at once', async () => {
    const { ask, mock } = await createAsk()
    const [one, other] = [await open(ask), await open(ask)]
    const replies = await Promise.all([save(mock, one, 'one'), save(mock, other, 'other')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409])
    expect(await read(ask)).toMatchObject({ someProperty: replies[0]?.status === 303 ? 'one' : 'other' })
  })
})

describe('a new scenario', () => {
  it('does not replace one that is saved under its name at the same time', async () => {
    const { ask, mock } = await createAsk()
    const define = (description: string) => {
      const definition = JSON.stringify({ description, rules: [{ effect: { answer: { status: 503 } } }] })
      const fields = { step: 'PUT /scenarios/{name} {definition}', base: '', baseOf: '', name: 'mine', definition }
      return post(mock, '/__admin?view=scenarios', new URLSearchParams(fields))
    }
    const replies = await Promise.all([define('One'), define('Other')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409])
    const saved = replies[0]?.status === 303 ? 'One' : 'Other'
    expect((await ask('GET', '/__admin/scenarios')).text).toContain(`"description":"${saved}"`)
  })
})

describe('a version of a resource', () => {
  it('is compared without asking for a snapshot of that name', async () => {
    const { ask } = await createAsk()
    await update(ask, `/acme/resource/${TABLE}`, 3)
    const { text } = await ask('GET', PLACE, { headers: PAGE })
    const [, link = ''] = /href="([^"]+)"[^>]*>\s*Compare<span class="sr"> version 4/.exec(text) ?? []
    const compared = await ask('GET', link.replaceAll('&amp;', '&'), { headers: PAGE })
    expect(compared.text).toContain('What version 4 changed')
    expect(compared.text).not.toContain('The session has no snapshot')
  })
})
