import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRecordingFolder } from '../../../src/edges/cli/commands/proxy.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import { createMock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { openRecorder } from '../../../src/tools/proxy/recorder.ts'
import type { RecordingFolder } from '../../../src/tools/proxy/recorder.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { UPSTREAM, createAsk, startProxiedMock, startProxy } from './proxying.ts'
import type { Ask, Upstream } from './proxying.ts'

type Files = Map<string, string>

const toFolder = (files: Files): RecordingFolder => ({
  read: async (path) => files.get(path),
  list: async () => [...files.keys()].filter((path) => !path.includes('/')),
  write: async (path, text) => void files.set(path, text),
})

const failing = (fault: unknown): void => {
  throw fault
}

/** Records requests to a mock. */
async function record(ask: (ask: Ask) => Promise<void>, mockOptions: MockOptions = {}, files: Files = new Map()) {
  const recorder = await openRecorder({ folder: toFolder(files), name: 'mine', onFault: failing })
  await ask((await startProxiedMock({ recorder }, mockOptions)).ask)
  await recorder.flush()
  return files
}

async function recordOf(upstream: Upstream, ask: (ask: Ask) => Promise<void>): Promise<Files> {
  const files: Files = new Map()
  const recorder = await openRecorder({ folder: toFolder(files), name: 'mine', onFault: failing })
  await ask((await startProxy(upstream, { recorder })).ask)
  await recorder.flush()
  return files
}

/** The fixture files of a project, as `--fixtures` reads a folder. */
const toFixtures = (files: Files, folder = ''): Record<string, string> =>
  Object.fromEntries(
    [...files]
      .filter(([path]) => path.startsWith(folder) && path.endsWith('.json') && !path.slice(folder.length).includes('/'))
      .map(([path, text]) => [path.slice(folder.length), text]),
  )

const readResources = (files: Files, path = 'resources.json') =>
  parseJson(files.get(path) ?? '[]') as readonly Record<string, unknown>[]

const resource = (key: string, ...numbers: readonly (number | bigint)[]) => ({
  key,
  objectTypeProperty: { arrayOfIntExample: numbers },
})

describe('a recording', () => {
  it('can be the fixtures of another mock', async () => {
    const localised = { Accept: 'application/json', 'Storefront-Locale': 'de_DE' }
    const paths = [
      '',
      '/sorted-query-parameters?sort=id&limit=500',
      '/namespace-action',
      '/namespace-action-with-example',
    ]
    const cart = { headers: localised }
    let path = ''
    const files = await record(async (ask) => {
      const created = await ask('POST', '/acme/resource', { json: resource('chair', 9_223_372_036_854_775_807n) })
      path = created.headers.get('Location') ?? ''
      const update = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'a' }] }
      await ask('POST', path, { json: update })
      await ask('POST', '/acme/resource/namespace-action', { json: { basket: [1.5] } })
      for (const one of paths) await ask('GET', `/acme/resource${one}`)
      await ask('GET', '/acme/resource/namespace-action-with-headers', cart)
      await ask('POST', '/acme/resource/artificially-complex/path/uri-parameter-one=a/b', { json: {} })
    })
    const fixtures = toFixtures(files)
    expect(Object.keys(fixtures).toSorted()).toEqual([
      'action.json',
      'array-test-type.json',
      'cart.de-DE.json',
      'cart.json',
      'resources.json',
    ])
    const recorded = createAsk(await createMock({ fixtures }))
    const list = await recorded('GET', '/acme/resource?limit=500')
    expect(list.text).toContain('9223372036854775807')
    expect((list.body as { results: unknown[] }).results).toEqual(readResources(files))
    expect((await recorded('GET', path)).body).toMatchObject({ version: 2 })
    expect((await recorded('GET', '/acme/resource/namespace-action')).body).toEqual({ basket: [1.5] })
    expect(
      (await recorded('GET', '/acme/resource/namespace-action-with-headers', cart)).headers.get('Content-Language'),
    ).toBe('de-DE')
  })

  it('has each resource once, in its latest version, with all observed members', async () => {
    const files = await record(
      async (ask) => {
        const path = (await ask('POST', '/acme/resource', { json: resource('chair', 1) })).headers.get('Location') ?? ''
        await ask('GET', '/acme/resource')
        for (const version of [1, 2])
          await ask('POST', path, { json: { version, actions: [{ action: 'doSomeThing' }] } })
        await ask('PUT', '/acme/resource', { json: resource('chair', 2) })
        await ask('GET', '/acme/resource/key=chair')
      },
      { fixtures: { 'resources.json': '[]' } },
    )
    expect(readResources(files)).toEqual([
      {
        ...resource('chair', 2),
        id: expect.any(String),
        version: 4,
        createdAt: expect.any(String),
        lastModifiedAt: expect.any(String),
      },
    ])
  })

  it('omits deleted resources, and does not replace a newer version with an older one', async () => {
    const answers = [
      { id: '1', key: 'chair', version: 3, objectTypeProperty: {} },
      { id: '1', version: 2, objectTypeProperty: { arrayOfIntExample: [2] } },
      { id: '2', key: 'table', version: 1, objectTypeProperty: {} },
    ]
    const files = await recordOf(
      ({ method }) => Response.json(method === 'DELETE' ? { version: 1, objectTypeProperty: {} } : answers.shift()),
      async (ask) => {
        for (const id of ['1', '1', '2']) await ask('GET', `/acme/resource/${id}`)
        await ask('DELETE', '/acme/resource/2')
      },
    )
    expect(readResources(files)).toEqual([{ key: 'chair', version: 3, objectTypeProperty: {} }])
  })

  it('omits errors, and everything that does not match the contract', async () => {
    const answers = [
      Response.json({ statusCode: 404, message: 'M', errors: [{ code: 'C', message: 'M' }] }, { status: 404 }),
      Response.json({ version: 'one', objectTypeProperty: {} }),
      Response.json({ version: 1, objectTypeProperty: { arrayOfIntExample: [1], more: 2 }, links: {} }),
    ]
    const id = '00000000-0000-4000-8000-0000000000aa'
    const files = await recordOf(
      () => answers.shift() ?? Response.error(),
      async (ask) => {
        for (let at = 0; at < 3; at += 1) await ask('GET', `/acme/resource/${id}`)
      },
    )
    expect(readResources(files)).toEqual([{ id, version: 1, objectTypeProperty: { arrayOfIntExample: [1] } }])
  })

  it('separates projects: the first uses the folder, each other one a folder in it', async () => {
    const files = await record(async (ask) => {
      await ask('POST', '/acme/resource', { json: resource('chair', 1) })
      await ask('POST', '/..%2Fbeta/resource', { json: resource('chair', 2) })
      await ask('POST', '/.hidden/resource', { json: resource('chair', 3) })
    })
    expect([...files.keys()].toSorted()).toEqual([
      '%2E%2E%2Fbeta/resources.json',
      '%2Ehidden/resources.json',
      '.recorded-project',
      'resources.json',
    ])
    const beta = createAsk(await createMock({ fixtures: toFixtures(files, '%2E%2E%2Fbeta/') }))
    expect((await beta('GET', '/any/resource/key=chair')).body).toMatchObject({
      objectTypeProperty: { arrayOfIntExample: [2] },
    })
  })

  it('separates projects whose keys differ only in case, or are names of files or folders', async () => {
    const keys = ['acme', 'ACME', 'Acme', '%41cme', 'resources.json', 'größe', 'GRÖSSE', 'a~b']
    const files = await record(async (ask) => {
      for (const key of keys) {
        await ask('POST', `/${encodeURIComponent(key)}/resource`, { json: resource('chair', keys.indexOf(key)) })
      }
    })
    const paths = [...files.keys()].filter((path) => path.endsWith('resources.json'))
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(keys.length)
    expect(paths.map((path) => path.split('/').length)).toEqual([1, ...keys.slice(1).map(() => 2)])
    const numbers = paths.map((path) => readResources(files, path)[0]?.['objectTypeProperty'])
    expect(numbers).toEqual(keys.map((_key, at) => ({ arrayOfIntExample: [at] })))
  })

  it('separates projects with keys longer than a file name may be', async () => {
    const path = await createTemporaryFolder()
    const keys = ['first', 'a'.repeat(300), `${'a'.repeat(299)}b`, 'größe'.repeat(60)]
    for (const time of [1, 2]) {
      const recorder = await openRecorder({ folder: openRecordingFolder(path), name: path, onFault: failing })
      const { ask } = await startProxiedMock({ recorder })
      for (const key of keys) {
        const address = `/${encodeURIComponent(key)}/resource`
        expect((await ask('POST', address, { json: resource(`chair-${time}`, keys.indexOf(key)) })).status).toBe(201)
      }
      await recorder.flush()
    }
    const found = (await readdir(path, { recursive: true })).filter((file) => file.endsWith('resources.json'))
    expect(found).toHaveLength(keys.length)
    for (const file of found) expect(JSON.parse(await readFile(join(path, file), 'utf8'))).toHaveLength(2)
  })

  it('continues an earlier recording', async () => {
    const files = await record(async (ask) => {
      await ask('POST', '/acme/resource', { json: resource('chair', 1) })
    })
    await record(
      async (ask) => {
        await ask('POST', '/beta/resource', { json: resource('lamp', 3) })
        await ask('POST', '/acme/resource', { json: resource('table', 2) })
      },
      {},
      files,
    )
    expect(readResources(files).map(({ key }) => key)).toEqual(['chair', 'table'])
    expect(readResources(files, 'beta/resources.json').map(({ key }) => key)).toEqual(['lamp'])
  })

  it.each([
    [{ projects: 2, characters: 1_000_000 }, 'has reached 2 projects', ['a', 'b']],
    [{ projects: 9, characters: 1 }, 'has reached 1 characters', ['a']],
  ])('stops at a limit, and reports that once: %j', async (limits, sentence, recorded) => {
    const faults: unknown[] = []
    const files: Files = new Map()
    const onFault = (fault: unknown) => void faults.push(fault)
    const recorder = await openRecorder({ folder: toFolder(files), name: 'mine', onFault, limits })
    const { ask } = await startProxiedMock({ recorder })
    for (const project of ['a', 'b', 'c', 'd']) {
      expect((await ask('POST', `/${project}/resource`, { json: resource('chair', 1) })).status).toBe(201)
      await recorder.flush()
    }
    const paths = recorded.map((project, at) => (at === 0 ? 'resources.json' : `${project}/resources.json`))
    expect([...files.keys()].filter((path) => path.endsWith('.json'))).toEqual(paths)
    expect(faults.map(String)).toEqual([expect.stringContaining(sentence)])
  })

  it('counts replaced and forgotten resources only once towards its limit', async () => {
    const files: Files = new Map()
    const limits = { projects: 1, characters: 2000 }
    const recorder = await openRecorder({ folder: toFolder(files), name: 'mine', onFault: failing, limits })
    const { ask } = await startProxiedMock({ recorder })
    for (let at = 0; at < 20; at += 1) {
      const path =
        (await ask('POST', '/a/resource', { json: resource(`chair-${at}`, at) })).headers.get('Location') ?? ''
      await ask('POST', '/a/resource', { json: resource(`chair-${at}`, at, at) })
      await ask('DELETE', path)
      await recorder.flush()
    }
    expect(readResources(files)).toEqual([])
  })

  it('refuses a folder with fixtures that were not recorded', async () => {
    const files: Files = new Map([['resources.json', '[]']])
    await expect(openRecorder({ folder: toFolder(files), name: 'mine', onFault: failing })).rejects.toThrow(
      '--record is "mine", which has resources.json, but not from a recording. Use an empty folder, or that of an earlier recording.',
    )
  })

  it('leaves out a response that is not UTF-8, which the check reports', async () => {
    const text = '{"version":1,"objectTypeProperty":{"arrayOfStringExample":["Bücher"]}}'
    const upstream: Upstream = () =>
      new Response(Buffer.from(text, 'latin1'), {
        headers: { 'Content-Type': 'application/json', 'Content-Location': '/acme/resource/1' },
      })
    const files = await recordOf(upstream, async (ask) => {
      expect((await ask('GET', '/acme/resource/key=books')).violations).toContain('Error response.body')
    })
    expect([...files.keys()]).toEqual([])
  })

  it.each([
    ['not UTF-8', Buffer.from('[{"key":"Bücher"}]', 'latin1'), ':1:11: the byte 0xFC is not UTF-8.'],
    ['not JSON', '[\n  oops', ':2:3: unexpected "o".'],
  ])('reports the position of an earlier recording that is %s', async (_what, content, sentence) => {
    const folder = await createTemporaryFolder({ '.recorded-project': 'acme\n', 'resources.json': content })
    const faults: unknown[] = []
    const onFault = (fault: unknown) => void faults.push(fault)
    const recorder = await openRecorder({ folder: openRecordingFolder(folder), name: folder, onFault })
    const { ask } = await startProxiedMock({ recorder })
    await ask('POST', '/acme/resource', { json: resource('chair', 1) })
    await recorder.flush()
    expect(String(faults[0])).toContain(`${folder}/resources.json${sentence}`)
  })

  it('continues an earlier recording with a byte order mark', async () => {
    const folder = await createTemporaryFolder({ 'resources.json': '\uFEFF[]' })
    expect(await openRecordingFolder(folder).read('resources.json')).toBe('[]')
  })

  it('does not overwrite a file that was edited into something invalid, and reports it', async () => {
    const faults: unknown[] = []
    const files: Files = new Map([
      ['.recorded-project', 'acme\n'],
      ['resources.json', '{"mine":1}'],
    ])
    const recorder = await openRecorder({
      folder: toFolder(files),
      name: 'mine',
      onFault: (fault) => void faults.push(fault),
    })
    const { ask } = await startProxiedMock({ recorder })
    await ask('POST', '/acme/resource', { json: resource('chair', 1) })
    await recorder.flush()
    expect(files.get('resources.json')).toBe('{"mine":1}')
    expect(String(faults[0])).toContain('mine/resources.json is not a valid recording')
  })
})

describe('the secrets of a recording', () => {
  it('are redacted as in the journal: members with a secret name, and users in URLs', async () => {
    const json = { authToken: 'other', nested: [{ password: 'p' }], link: 'https://me:pw@example.com/a', size: 1n }
    const files = await record(async (ask) => {
      await ask('POST', '/acme/resource/namespace-action', { json })
    })
    expect(parseJson(files.get('action.json') ?? '')).toEqual({
      authToken: '[redacted]',
      nested: [{ password: '[redacted]' }],
      link: 'https://[redacted]@example.com/a',
      size: 1,
    })
  })

  it('include members with a name of --redact', async () => {
    const files: Files = new Map()
    const redact = ['iban', 'content', 'record']
    const recorder = await openRecorder({ folder: toFolder(files), name: 'mine', redact, onFault: failing })
    const { ask } = await startProxiedMock({ recorder, redact })
    await ask('POST', '/acme/resource/namespace-action', { json: { iban: 5, other: { tenant: 'kept' } } })
    await recorder.flush()
    expect(parseJson(files.get('action.json') ?? '')).toEqual({ iban: '[redacted]', other: { tenant: 'kept' } })
  })
})

it('responses do not wait for the recording', async () => {
  const files: Files = new Map()
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const folder: RecordingFolder = {
    ...toFolder(files),
    write: (path, text) => gate.then(() => void files.set(path, text)),
  }
  const recorder = await openRecorder({ folder, name: 'mine', onFault: failing })
  const { ask } = await startProxiedMock({ recorder, upstream: UPSTREAM })
  for (const key of ['aa', 'bb', 'cc']) await ask('POST', '/acme/resource', { json: resource(key) })
  expect(files.size).toBe(0)
  open()
  await recorder.flush()
  expect(readResources(files)).toHaveLength(3)
})
