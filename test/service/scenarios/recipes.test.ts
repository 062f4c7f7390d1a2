import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { RunningServer, ServerOptions } from '../../../src/node.ts'
import { resilienceMatchers } from '../../../src/resilience.ts'
import { faultNames } from '../../../src/service/http/connection.ts'
import { createCatalog } from '../../../src/service/scenarios/engine.ts'
import { effectSchema } from '../../../src/service/scenarios/effect-table.ts'
import { loadAllScenarios, parseScenarioText } from '../../../src/service/scenarios/load.ts'
import { matchSchema, ruleSchema } from '../../../src/service/scenarios/schema.ts'
import { image } from './visitor.ts'

const page = ['scenarios', 'writing-scenarios', 'recipes']
  .map((name) => readFileSync(join(import.meta.dirname, `../../../docs/${name}.md`), 'utf8'))
  .join('\n')

interface Block {
  readonly language: string
  readonly text: string
}

const blocksOf = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, text: code }))

/** The part of the page below a heading. */
const sectionOf = (heading: string): string =>
  page.split(/^#{2,3} /m).find((section) => section.startsWith(`${heading}\n`)) ?? expect.fail(`no section ${heading}`)

/** The exports of all code below a heading; the page shows their types. */
async function importRecipe<Recipe>(heading: string): Promise<Recipe> {
  const blocks = blocksOf(sectionOf(heading)).filter(({ language }) => language === 'js')
  if (blocks.length === 0) expect.fail(`no code under ${heading}`)
  const code = blocks.map(({ text }) => text).join('\n')
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as Recipe
}

async function start(scenario: string, options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, scenario, ...options })
  onTestFinished(() => server.close())
  return server
}

const headers = { Authorization: 'Bearer any' }
const untouched = { ...headers, 'X-Mock-Scenario': 'none', 'Content-Type': 'application/json' }

type Send = (url: string, init?: object, more?: unknown) => Promise<Response>

describe('the page on scenarios', () => {
  it('lists the built-in ones with their descriptions', async () => {
    const rows = [...sectionOf('Built-in scenarios').matchAll(/^\| `(\S+)` \| (.*) \|$/gm)].map(
      ([, name, description]) => ({ name, description }),
    )
    const builtIn = createCatalog(await loadAllScenarios({})).all()
    expect(rows).toEqual(builtIn.map(({ name, description }) => ({ name, description })))
  })

  it('shows valid scenarios in JSON and YAML', async () => {
    const files = blocksOf(page).filter(({ language }) => language === 'json' || language === 'yaml')
    expect(files.map(({ language }) => language)).toEqual(['json', 'yaml', 'json'])
    const scenarios = await Promise.all(files.map(({ language, text }) => parseScenarioText(`page.${language}`, text)))
    expect(scenarios.filter(({ rules }) => rules.length === 0)).toEqual([])
  })

  it.each([
    ...Object.keys(matchSchema.shape),
    ...Object.keys(effectSchema.shape),
    ...Object.keys(ruleSchema.shape),
    ...faultNames,
  ])('explains %s', (member) => {
    expect(page).toMatch(new RegExp(`\`${member}\\b`))
  })
})

describe('409: someone else was first', () => {
  interface Recipe {
    readonly update: (url: string, headers: object, version: number, actions: readonly object[]) => Promise<Response>
    readonly updateMerged: (
      url: string,
      headers: object,
      version: number,
      actions: readonly object[],
      merge: (current: { readonly someProperty: string }) => readonly object[] | undefined,
    ) => Promise<Response>
  }

  it.each([
    ['conflict-once', 200],
    ['conflict', 409],
  ])('ends with %s in %i', async (scenario, status) => {
    const { update } = await importRecipe<Recipe>('409: someone else was first')
    const { url } = await start(scenario)
    const created = await fetch(`${url}/acme/resource`, {
      method: 'POST',
      headers: untouched,
      body: '{"objectTypeProperty":{}}',
    })
    const path = created.headers.get('Location') ?? ''
    const response = await update(url + path, headers, 1, [{ action: 'changeSomeProperty', someProperty: 'mine' }])
    expect(response.status).toBe(status)
    expect(await (await fetch(url + path, { headers: untouched })).json()).toMatchObject({ version: 3 })
  })

  const id = 'df3775a4-90ef-4965-b751-d48698f3949f'
  const change = (someProperty: string) => [{ action: 'changeSomeProperty', someProperty }]

  /** Updates a resource of version 3 that another writer updates first, and returns what became of it. */
  async function updateAfterOther(send: (recipe: Recipe, url: string) => Promise<Response>) {
    const recipe = await importRecipe<Recipe>('409: someone else was first')
    const { url, mock } = await start('conflict-once')
    const response = await send(recipe, `${url}/acme/resource/${id}`)
    const { resource } = (await mock.session('default').versions(id))[0] ?? {}
    const kept = await resilienceMatchers.toHaveKeptOtherChanges(mock)
    return { status: response.status, version: resource?.version, text: resource?.someProperty, kept: kept.pass }
  }

  it('loses the other change, which the page says of the first recipe', async () => {
    const outcome = await updateAfterOther(({ update }, url) => update(url, headers, 3, change('mine')))
    expect(outcome).toEqual({ status: 200, version: 5, text: 'mine', kept: false })
  })

  it('keeps both changes if the user can merge them', async () => {
    const outcome = await updateAfterOther(({ updateMerged }, url) =>
      updateMerged(url, headers, 3, change('mine'), ({ someProperty }) => change(`${someProperty}, and mine`)),
    )
    const text = 'Changed by another writer, and mine'
    expect(outcome).toEqual({ status: 200, version: 5, text, kept: true })
  })

  it('changes nothing if the decision is left to the user', async () => {
    const outcome = await updateAfterOther(({ updateMerged }, url) =>
      updateMerged(url, headers, 3, change('mine'), () => undefined),
    )
    expect(outcome).toEqual({ status: 409, version: 4, text: 'Changed by another writer', kept: true })
  })

  it('reads nothing if nobody was first', async () => {
    const { updateMerged } = await importRecipe<Recipe>('409: someone else was first')
    const { url, mock } = await start('none')
    const merge = vi.fn(() => undefined)
    expect((await updateMerged(`${url}/acme/resource/${id}`, headers, 3, change('mine'), merge)).status).toBe(200)
    expect(merge).not.toHaveBeenCalled()
    expect(await mock.session('default').requests()).toHaveLength(1)
  })
})

describe('401: the token has expired', () => {
  interface Recipe {
    readonly fetchWithToken: (
      tokens: { current: string; renew: () => Promise<string> },
      url: string,
    ) => Promise<Response>
    readonly renewToken: (baseUrl: string, clientId: string, secret: string) => Promise<string>
  }

  it.each([
    ['expired-token', 200],
    ['unauthorized', 401],
    ['none', 200],
  ])('ends with %s in %i', async (scenario, status) => {
    const { fetchWithToken, renewToken } = await importRecipe<Recipe>('401: the token has expired')
    const { url } = await start(scenario, { auth: 'strict' })
    const renew = vi.fn(() => renewToken(url, 'my-client', 'my-secret'))
    const tokens = { current: await renewToken(url, 'my-client', 'my-secret'), renew }
    expect((await fetchWithToken(tokens, `${url}/acme/resource`)).status).toBe(status)
    expect(renew).toHaveBeenCalledTimes(scenario === 'none' ? 0 : 1)
  })
})

describe('503 and 429: not now', () => {
  interface Recipe {
    readonly fetchPatiently: Send
  }
  const load = () => importRecipe<Recipe>('503 and 429: not now')

  it.each<readonly [string, number, readonly number[]]>([
    ['unavailable-twice', 200, [1000, 1000]],
    ['unavailable', 503, [1000, 1000, 1000]],
    ['none', 200, []],
  ])('ends with %s in %i', async (scenario, status, waits) => {
    const { fetchPatiently } = await load()
    const { url } = await start(scenario)
    const wait = vi.fn(() => Promise.resolve())
    expect((await fetchPatiently(`${url}/acme/resource`, { headers }, wait)).status).toBe(status)
    expect(wait.mock.calls.flat()).toEqual(waits)
  })

  it('waits longer each time if no response says how long', async () => {
    const { fetchPatiently } = await load()
    const always = { description: 'Always', rules: [{ effect: { answer: { status: 503 } } }] }
    const { url } = await start('always', { scenarios: { 'always.json': JSON.stringify(always) } })
    const wait = vi.fn(() => Promise.resolve())
    await fetchPatiently(`${url}/acme/resource`, { headers }, wait)
    expect(wait.mock.calls.flat()).toEqual([200, 400, 800])
  })

  it('succeeds under flaky and rate-limited', async () => {
    const { fetchPatiently } = await load()
    const { url } = await start('flaky')
    const wait = () => Promise.resolve()
    const statuses = []
    for (let at = 0; at < 10; at += 1)
      statuses.push((await fetchPatiently(`${url}/acme/resource`, { headers }, wait)).status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(8)
    const limited = await start('rate-limited')
    for (let at = 0; at < 6; at += 1) {
      expect((await fetchPatiently(`${limited.url}/acme/resource`, { headers })).status).toBe(200)
    }
  })
})

describe('502: a page instead of JSON', () => {
  const load = () =>
    importRecipe<{ readonly readJson: (response: Response) => Promise<unknown> }>('502: a page instead of JSON')

  it('reads JSON, and says what happened under gateway-html', async () => {
    const { readJson } = await load()
    const { url } = await start('gateway-html')
    expect(await readJson(await fetch(`${url}/acme/resource`, { headers: untouched }))).toHaveProperty('results')
    const response = await fetch(`${url}/acme/resource`, { headers })
    expect(() => readJson(response)).toThrow('The service is not available (502).')
  })
})

describe('400, 413, 415: the upload is damaged, too large, or of a wrong type', () => {
  interface Recipe {
    readonly uploadImage: (url: string, headers: object, file: Blob) => Promise<{ readonly kind: string }>
  }

  it.each<readonly [string, object]>([
    ['upload-too-large', { kind: 'too-large', limit: 10_485_760 }],
    ['upload-rejected', { kind: 'wrong-format', formats: ['image/jpeg', 'image/png', 'image/gif'] }],
    ['upload-corrupt', { kind: 'damaged' }],
    ['none', { kind: 'uploaded' }],
  ])('%s is %j', async (scenario, expected) => {
    const { uploadImage } = await importRecipe<Recipe>(
      '400, 413, 415: the upload is damaged, too large, or of a wrong type',
    )
    const { url } = await start(scenario)
    const file = new Blob([image], { type: 'image/png' })
    expect(await uploadImage(`${url}/acme/resource/images`, headers, file)).toMatchObject(expected)
  })
})

describe('a truncated body', () => {
  interface Recipe {
    readonly readJson: (url: string, init: object) => Promise<unknown>
  }

  it('recovers from one failure, and gives up if it always fails', async () => {
    const { readJson } = await importRecipe<Recipe>('The body breaks off')
    const once = blocksOf(sectionOf('The body breaks off')).find(({ language }) => language === 'json')?.text ?? ''
    const { url } = await start('once', { scenarios: { 'once.json': once } })
    expect(await readJson(`${url}/acme/resource?limit=1`, { headers })).toMatchObject({ limit: 1 })
    const always = readJson(`${url}/acme/resource`, { headers: { ...headers, 'X-Mock-Scenario': 'truncated' } })
    await expect(always).rejects.toThrow('The response was incomplete.')
  })
})

describe('Offline', () => {
  interface Recipe {
    readonly load: (
      url: string,
      init: object,
      cache: Map<string, unknown>,
    ) => Promise<{ readonly data: unknown; readonly isStale: boolean }>
  }

  it('returns the cached data with a mark', async () => {
    const { load } = await importRecipe<Recipe>('Offline')
    const { url } = await start('none')
    const cache = new Map<string, unknown>()
    const path = `${url}/acme/resource?limit=1`
    const { data, isStale } = await load(path, { headers }, cache)
    expect(isStale).toBe(false)
    await fetch(`${url}/__admin/scenarios/active`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"active":["offline"]}',
    })
    expect(await load(path, { headers }, cache)).toEqual({ data, isStale: true })
    await expect(load(`${url}/acme/resource`, { headers }, cache)).rejects.toThrow('fetch failed')
  })
})
