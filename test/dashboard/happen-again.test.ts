import { describe, expect, it } from 'vitest'
import { create, createAsk, update } from '../admin/ask.ts'
import type { Ask } from '../admin/ask.ts'

const PAGE = { Accept: 'text/html' }

/** The id of the newest request of the journal. */
async function findNewest(ask: Ask): Promise<string> {
  const { requests } = (await ask('GET', '/__admin/requests?limit=1')).body as {
    readonly requests: readonly { readonly id: string }[]
  }
  return requests[0]?.id ?? expect.fail('The journal is empty.')
}

const unescape = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&gt;', '>').replaceAll('&amp;', '&')

interface Offered {
  readonly name: string
  readonly definition: { readonly rules: readonly { readonly match: object; readonly effect: object }[] }
  readonly hits: readonly string[]
  readonly steps: readonly string[]
}

/** What the editor offers for the newest request. */
async function offer(ask: Ask, match = ''): Promise<Offered> {
  const id = await findNewest(ask)
  const { text } = await ask('GET', `/__admin?view=scenarios&again=${id}&match=${match}`, { headers: PAGE })
  const [, definition = ''] = /<textarea[^>]*name="definition"[^>]*>([^<]*)</.exec(text) ?? []
  const [editor = ''] = /<details[^>]*id="editor"[^]*?<\/form>/.exec(text) ?? []
  return {
    name: /<input[^>]*name="name"[^>]*value="([^"]*)"/.exec(editor)?.[1] ?? '',
    definition: JSON.parse(unescape(definition)) as Offered['definition'],
    hits: [...editor.matchAll(/would have hit [\d,]+ of [\d,]+/g)].map(([hit]) => hit),
    steps: Array.from(editor.matchAll(/name="step" value="([^"]*)"/g), ([, step = '']) => step),
  }
}

/** Saves what is offered, as the button does. */
async function save(ask: Ask, { name, definition, steps }: Offered): Promise<void> {
  const fields = [...steps.map((step) => ['step', step]), ['name', name], ['definition', JSON.stringify(definition)]]
  const { status } = await ask('POST', '/__admin?view=scenarios', { body: new URLSearchParams(fields), headers: PAGE })
  expect(status).toBe(303)
}

describe('Make this happen again', () => {
  it('offers a scenario for more and fewer requests, with how many of the journal each would have hit', async () => {
    const { ask } = await createAsk()
    for (const path of [
      '/acme/resource/1',
      '/acme/resource/2',
      '/acme/resource',
      '/acme/resource/1?optionalQueryParameter=a',
    ])
      await ask('GET', path)
    const { name, definition, hits } = await offer(ask, 'request')
    expect(hits).toEqual(['would have hit 3 of 4', 'would have hit 2 of 4', 'would have hit 1 of 4'])
    expect(name).toBe('getResourceById-404')
    expect(definition.rules).toEqual([
      {
        match: { operation: 'getResourceById', path: '/acme/resource/1', query: { optionalQueryParameter: 'a' } },
        effect: {
          answer: {
            status: 404,
            error: { code: 'ResourceNotFound', message: "The Resource with ID '1' was not found." },
          },
        },
      },
    ])
  })

  it('saves the scenario and switches it on, and the response comes again', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await ask('GET', path, { headers: { 'X-Mock-Scenario': 'rate-limited' } })
    await ask('GET', path, { headers: { 'X-Mock-Scenario': 'unavailable' } })
    await save(ask, await offer(ask))
    const { status, headers } = await ask('GET', path)
    expect([status, headers.get('Retry-After'), headers.get('X-Mock-Scenario')]).toEqual([
      503,
      '1',
      'getResourceById-503',
    ])
  })

  it('makes a conflict by another writer, so that the retry can succeed', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    expect(await update(ask, path, 7)).toBe(409)
    const offered = await offer(ask, 'request')
    expect(offered.definition.rules[0]).toMatchObject({
      // The version is not part of what is matched.
      match: { operation: 'updateResource', body: { actions: [{ action: 'doSomeThing' }] } },
      effect: { advanceVersion: 1 },
    })
    expect(offered.hits).toContain('would have hit 1 of 2')
    await save(ask, offered)
    expect(await update(ask, path, 1)).toBe(409)
  })

  it('breaks the connection as it was broken', async () => {
    const { ask } = await createAsk()
    await expect(ask('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'offline' } })).rejects.toThrow(TypeError)
    await save(ask, await offer(ask))
    await expect(ask('GET', '/acme/resource')).rejects.toThrow(TypeError)
  })

  it('repeats the body of a success', async () => {
    const { ask } = await createAsk()
    const first = await ask('GET', '/acme/resource?limit=2')
    await save(ask, await offer(ask, 'operation'))
    await create(ask)
    expect((await ask('GET', '/acme/resource')).body).toEqual(first.body)
  })

  it('is linked from each request that met an operation', async () => {
    const { ask } = await createAsk()
    const show = async () => (await ask('GET', `/__admin?request=${await findNewest(ask)}`, { headers: PAGE })).text
    await ask('GET', '/acme/resource')
    expect(await show()).toContain('Make this happen again')
    await ask('GET', '/acme/nothing')
    expect(await show()).not.toContain('Make this happen again')
  })
})
