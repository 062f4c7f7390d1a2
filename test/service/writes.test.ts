import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, draft, errorOf, idOf, keysOf, resultsOf } from '../support/client.ts'
import type { Client, Reply } from '../support/client.ts'

const base = '/acme/resource'
const change = (someProperty: string) => ({ action: 'changeSomeProperty', someProperty })
const nothing = { action: 'doSomeThing' }
const warningOf = ({ headers }: Reply) => headers.get('X-Mock-Warning')

let client: Client
beforeEach(async () => {
  client = await createClient()
})

/** Creates a resource of that key, and gives its path. */
const create = async (key: string, arrays: object = {}) =>
  `${base}/${idOf(await client.post(base, draft(arrays, key)))}`
const versionOf = async (key: string) => ((await client.get(`${base}/key=${key}`)).body as { version: number }).version

describe('a key', () => {
  it.each(['ab', 'A_-9', 'x'.repeat(256), '__proto__', 'constructor'])('may be %.20s', async (key) => {
    const reply = await client.post(base, draft({}, key))
    expect([reply.status, warningOf(reply)]).toEqual([201, null])
    expect((await client.get(`${base}/key=${key}`)).status).toBe(200)
  })

  it.each(['', 'a', 'x'.repeat(257), 'a b', 'ä_', 'a/b', 'ab\n'])('may not be %j', async (key) => {
    expect(errorOf(await client.post(base, draft({}, key)))).toMatchObject({
      status: 400,
      code: 'InvalidField',
      message: 'key: 2 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.',
      field: 'key',
    })
  })

  it('names a resource of its own project only', async () => {
    await create('abc', { arrayOfIntExample: [1] })
    await client.post('/other/resource', draft({}, 'abc'))
    expect(await versionOf('abc')).toBe(1)
  })
})

describe('what the names of arrays promise', () => {
  const broken = draft({ arrayOfUniqueIntExample: [1, 2, 1], arrayOfTwonumbersExample: [1, 2, 3] })
  const unique = 'D1 objectTypeProperty.arrayOfUniqueIntExample promises unique numbers and repeats one.'
  const two = 'D1 objectTypeProperty.arrayOfTwonumbersExample promises two numbers and has 3.'

  it('is warned of where it is not kept', async () => {
    const reply = await client.post(base, broken)
    expect([reply.status, warningOf(reply)]).toEqual([201, `${unique}, ${two}`])
  })

  it.each([
    ['POST', 'key'],
    ['PUT', 'key'],
    ['PATCH', 'key'],
  ])('is refused by a %s under --strict, with nothing written', async (method) => {
    const all = {
      arrayOfIntExample: [],
      arrayOfUniqueIntExample: [],
      arrayOfTwonumbersExample: [1, 2],
      arrayOfFloatExample: [],
      arrayOfNumberNoDefaultsExample: [],
      arrayOfStringExample: [],
      arrayOfObjectType: [],
    }
    const strict = await createClient({ strict: true })
    await strict.post(base, draft(all, 'abc'))
    const body = JSON.stringify(draft({ ...all, arrayOfUniqueIntExample: [1, 1] }, 'abc'))
    expect(errorOf(await strict.send(method, base, { 'Content-Type': 'application/json' }, body))).toMatchObject({
      status: 400,
      message: `--strict refuses what is only warned of otherwise: ${unique}`,
      decision: 'D1',
    })
    expect(resultsOf(await strict.get(base))).toMatchObject([{ version: 1, objectTypeProperty: all }])
  })

  it('holds for int64 to the digit', async () => {
    const near = draft({ arrayOfUniqueIntExample: [9223372036854775806n, 9223372036854775807n] })
    expect(warningOf(await client.post(base, near))).toBeNull()
    const same = draft({ arrayOfUniqueIntExample: [9223372036854775807n, 9223372036854775807n] })
    expect(warningOf(await client.post(base, same))).toBe(unique)
  })
})

it('requires all seven arrays under --strict', async () => {
  const strict = await createClient({ strict: true })
  const { body } = await strict.post(base, draft({ arrayOfIntExample: [] }))
  expect(body).toMatchObject({
    statusCode: 400,
    message: 'objectTypeProperty.arrayOfUniqueIntExample: Missing required value.',
    errors: Array.from({ length: 6 }, () => expect.objectContaining({ code: 'RequiredField' })),
  })
})

describe('POST', () => {
  it('creates, however often the same draft comes without a key', async () => {
    const ids = [idOf(await client.post(base, draft())), idOf(await client.post(base, draft()))]
    expect(new Set(ids).size).toBe(2)
    expect(resultsOf(await client.get(base)).map(({ id }) => id)).toEqual(ids)
  })

  it('updates the resource whose key the draft has', async () => {
    const path = await create('abc', { arrayOfIntExample: [1] })
    const reply = await client.post(base, draft({ arrayOfStringExample: ['new'] }, 'abc'))
    expect([reply.status, reply.headers.get('Location')]).toEqual([201, path])
    expect(reply.body).toEqual({ version: 2, objectTypeProperty: { arrayOfStringExample: ['new'] } })
    expect(resultsOf(await client.get(base))).toHaveLength(1)
  })
})

describe('PUT', () => {
  it('creates where no resource has the key, and overwrites where one has', async () => {
    const created = await client.put(base, draft({}, 'abc'))
    const overwritten = await client.put(base, draft({ arrayOfIntExample: [1] }, 'abc'))
    expect([created.status, overwritten.status, idOf(created) === idOf(overwritten)]).toEqual([201, 201, true])
    expect(overwritten.body).toEqual({ version: 2, objectTypeProperty: { arrayOfIntExample: [1] } })
  })

  it('creates in a project that has no resources', async () => {
    const reply = await client.put(base, draft())
    expect([reply.status, reply.body]).toEqual([201, { version: 1, objectTypeProperty: {} }])
  })
})

describe('PATCH', () => {
  it('finds nothing to overwrite where no resource has the key', async () => {
    await create('abc')
    expect(errorOf(await client.patch(base, draft({}, 'other')))).toEqual({
      status: 404,
      code: 'ResourceNotFound',
      message: "The Resource with key 'other' was not found.",
    })
  })

  it('finds nothing to overwrite in a project that has no resources', async () => {
    expect(errorOf(await client.patch(base, draft()))).toEqual({
      status: 404,
      code: 'ResourceNotFound',
      message: 'The project has no resource to overwrite. Create one first: POST /{projectKey}/resource.',
    })
  })
})

describe.each(['PUT', 'PATCH'] as const)('%s without a key', (method) => {
  const overwrite = () =>
    client.send(
      method,
      base,
      { 'Content-Type': 'application/json' },
      '{"objectTypeProperty":{"arrayOfIntExample":[9]}}',
    )

  it('addresses the last resource of the fixtures', async () => {
    const objectTypeProperty = {}
    client = await createClient({
      resources: [
        { key: 'first', objectTypeProperty },
        { key: 'last', objectTypeProperty },
      ],
    })
    expect((await overwrite()).status).toBe(201)
    expect([await versionOf('first'), await versionOf('last')]).toEqual([1, 2])
  })

  it('addresses the one written last, by whatever write', async () => {
    const a = await create('aa')
    await create('bb')
    await client.post(a, { version: 1, actions: [nothing] })
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([3, 1])
    await client.post(base, draft({}, 'bb'))
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([3, 3])
  })

  it('is not led elsewhere by reads and by updates that change nothing', async () => {
    const a = await create('aa')
    await create('bb')
    await client.get(a)
    await client.post(a, { version: 1, actions: [] })
    await client.post(a, { version: 7, actions: [nothing] })
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([1, 2])
  })

  it('addresses the one written before, once the last is deleted', async () => {
    await create('aa')
    const b = await create('bb')
    await client.put(base, draft({}, 'aa'))
    const c = await create('cc')
    await client.delete(c)
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([3, 1])
    await client.delete(`${base}/${idOf(await client.put(base, draft({}, 'aa')))}`)
    await overwrite()
    expect(await versionOf('bb')).toBe(2)
    await client.delete(b)
    expect((await overwrite()).status).toBe(method === 'PUT' ? 201 : 404)
  })
})

describe('an update', () => {
  it('applies its actions in order and raises the version by exactly 1', async () => {
    const path = await create('abc', { arrayOfIntExample: [1] })
    const actions = [change('one'), nothing, change('two')]
    const reply = await client.post(path, { version: 1, actions }, { Prefer: 'identity=body' })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      version: 2,
      someProperty: 'two',
      objectTypeProperty: { arrayOfIntExample: [1] },
    })
  })

  it('of doSomeThing alone changes nothing but counts', async () => {
    const path = await create('abc', { arrayOfIntExample: [1] })
    expect((await client.post(path, { version: 1, actions: [nothing] })).body).toEqual({
      version: 2,
      objectTypeProperty: { arrayOfIntExample: [1] },
    })
  })

  it('without actions changes nothing', async () => {
    const path = await create('abc')
    const reply = await client.post(path, { version: 1, actions: [] })
    expect([reply.status, reply.body]).toEqual([200, { version: 1, objectTypeProperty: {} }])
    expect(reply.headers.get('ETag')).toBe('"1"')
  })

  it('takes 1.0 for the version 1', async () => {
    const path = await create('abc')
    const body = '{"version": 1.0, "actions": [{"action": "doSomeThing"}]}'
    expect((await client.send('POST', path, { 'Content-Type': 'application/json' }, body)).status).toBe(200)
  })

  it.each([2, 0, -1, 9223372036854775807n])('of the version %s is refused with the actual one', async (version) => {
    const path = await create('abc')
    const reply = await client.post(path, { version, actions: [change('x')] })
    const id = path.split('/').at(-1)
    expect(errorOf(reply)).toEqual({
      status: 409,
      code: 'ConcurrentModification',
      message: `Object ${id} has a different version than expected. Expected: ${version} - Actual: 1.`,
      currentVersion: 1,
    })
  })

  it('lets exactly one of 50 parallel ones of one version win', async () => {
    const path = await create('abc')
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_none, at) => client.post(path, { version: 1, actions: [change(`${at}`)] })),
    )
    const won = replies.filter(({ status }) => status === 200)
    const lost = replies.filter(({ status }) => status === 409)
    expect([won.length, lost.length]).toEqual([1, 49])
    for (const reply of lost) expect(errorOf(reply)).toMatchObject({ currentVersion: 2 })
    expect(await versionOf('abc')).toBe(2)
  })

  it('of what is not there is 404', async () => {
    expect(errorOf(await client.post(`${base}/nope`, { version: 1, actions: [] }))).toMatchObject({ status: 404 })
  })

  it.each([
    ['its shape before the version', { version: 7, actions: 'none' }, 400, 'InvalidJsonInput'],
    ['a missing version', { actions: [] }, 400, 'RequiredField'],
    ['missing actions', { version: 1 }, 400, 'RequiredField'],
    ['a version that is a text', { version: '1', actions: [] }, 400, 'InvalidJsonInput'],
    ['a version that is no whole number', { version: 1.5, actions: [] }, 400, 'InvalidJsonInput'],
    ['an action without a name', { version: 7, actions: [{}] }, 400, 'RequiredField'],
    ['an action that is no object', { version: 7, actions: [null] }, 400, 'InvalidJsonInput'],
    [
      'the version before whether actions are known',
      { version: 7, actions: [{ action: 'nope' }] },
      409,
      'ConcurrentModification',
    ],
    [
      'the version before whether actions are complete',
      { version: 7, actions: [{ action: 'changeSomeProperty' }] },
      409,
      'ConcurrentModification',
    ],
    ['whether actions are known', { version: 1, actions: [change('x'), { action: 'nope' }] }, 400, 'InvalidInput'],
    [
      'whether actions are complete',
      { version: 1, actions: [change('x'), { action: 'changeSomeProperty' }] },
      400,
      'RequiredField',
    ],
    [
      'the types of their fields',
      { version: 1, actions: [change('x'), { action: 'changeSomeProperty', someProperty: 1 }] },
      400,
      'InvalidJsonInput',
    ],
    ['their number', { version: 1, actions: Array.from({ length: 501 }, () => nothing) }, 400, 'InvalidField'],
  ])('checks %s, and applies nothing where it fails', async (_case, body, status, code) => {
    const path = await create('abc')
    expect(errorOf(await client.post(path, body))).toMatchObject({ status, code })
    const { body: after } = await client.get(path, { Prefer: 'identity=body' })
    expect(after).toMatchObject({ version: 1 })
    expect(after).not.toHaveProperty('someProperty')
  })

  it('names the known actions, and the place of the unknown one', async () => {
    const path = await create('abc')
    expect(errorOf(await client.post(path, { version: 1, actions: [nothing, { action: 'doSomething' }] }))).toEqual({
      status: 400,
      code: 'InvalidInput',
      message:
        'actions[1].action: unknown action "doSomething". Did you mean "doSomeThing"? Known actions: doSomeThing, changeSomeProperty.',
      field: 'actions[1].action',
      invalidValue: 'doSomething',
      allowedValues: ['doSomeThing', 'changeSomeProperty'],
    })
  })

  it('names the place of what an action lacks', async () => {
    const path = await create('abc')
    expect(
      errorOf(
        await client.post(path, { version: 1, actions: [nothing, { action: 'changeSomeProperty', someProperty: 1 }] }),
      ),
    ).toEqual({
      status: 400,
      code: 'InvalidJsonInput',
      message: 'Request body does not contain valid JSON.',
      detailedErrorMessage: 'actions[1].someProperty: JSON String expected.',
    })
  })

  it('takes 500 actions', async () => {
    const path = await create('abc')
    const reply = await client.post(path, { version: 1, actions: Array.from({ length: 500 }, () => nothing) })
    expect(reply.body).toMatchObject({ version: 2 })
  })

  it('warns of members that an action does not have', async () => {
    const path = await create('abc')
    const reply = await client.post(path, { version: 1, actions: [{ ...nothing, someProperty: 'x' }] })
    expect([reply.status, warningOf(reply)]).toEqual([
      200,
      'D4 Unknown member "actions[0].someProperty" of the body is ignored.',
    ])
  })
})

describe('a deletion', () => {
  it('answers the resource as it was, and takes it away', async () => {
    const path = await create('abc', { arrayOfIntExample: [1] })
    const reply = await client.delete(path)
    expect([reply.status, reply.body]).toEqual([200, { version: 1, objectTypeProperty: { arrayOfIntExample: [1] } }])
    for (const gone of [path, `${base}/key=abc`]) expect((await client.get(gone)).status).toBe(404)
    expect((await client.delete(path)).status).toBe(404)
    expect(keysOf(await client.get(base))).toEqual([])
  })

  it('frees the key', async () => {
    const path = await create('abc')
    await client.delete(path)
    expect(await create('abc')).not.toBe(path)
    expect(await versionOf('abc')).toBe(1)
  })

  it.each(['?version=1', '?version=1.0', ''])('takes the actual version or none: %j', async (search) => {
    expect((await client.delete((await create('abc')) + search)).status).toBe(200)
  })

  it.each(['0', '2', '9223372036854775807'])('of the stale version %s is refused', async (version) => {
    const path = await create('abc')
    expect(errorOf(await client.delete(`${path}?version=${version}`))).toMatchObject({ status: 409, currentVersion: 1 })
    expect((await client.get(path)).status).toBe(200)
  })

  it.each(['abc', '', '1.5', '1&version=1'])('of the version "%s" is refused for what it is', async (version) => {
    const path = await create('abc')
    expect(errorOf(await client.delete(`${path}?version=${version}`))).toMatchObject({ status: 400, field: 'version' })
  })

  it('ignores a body', async () => {
    const path = await create('abc')
    expect((await client.send('DELETE', path, { 'Content-Type': 'text/plain' }, 'anything')).status).toBe(200)
  })
})

it('keeps nothing live: what a client was answered does not change', async () => {
  const path = await create('abc', { arrayOfIntExample: [1] })
  const before = await client.get(path)
  await client.put(base, draft({ arrayOfIntExample: [2] }, 'abc'))
  expect(before.body).toEqual({ version: 1, objectTypeProperty: { arrayOfIntExample: [1] } })
})
