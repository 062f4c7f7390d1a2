import { beforeEach, describe, expect, it } from 'vitest'
import { errorOf } from '../support/client.ts'
import type { Reply } from '../support/client.ts'
import { base, createCollection } from '../support/collection.ts'
import type { Collection } from '../support/collection.ts'

const change = (someProperty: string) => ({ action: 'changeSomeProperty', someProperty })
const nothing = { action: 'doSomeThing' }
const warningOf = ({ headers }: Reply) => headers.get('X-Mock-Warning')

let client: Collection['client']
let create: Collection['create']
let versionOf: Collection['versionOf']
beforeEach(async () => {
  ;({ client, create, versionOf } = await createCollection())
})

describe('an update', () => {
  it('applies its actions in order and increments the version by exactly 1', async () => {
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

  it('with only doSomeThing changes nothing but increments the version', async () => {
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

  it('accepts 1.0 as version 1', async () => {
    const path = await create('abc')
    const body = '{"version": 1.0, "actions": [{"action": "doSomeThing"}]}'
    expect((await client.send('POST', path, { 'Content-Type': 'application/json' }, body)).status).toBe(200)
  })

  it('does not take a fraction for the version that a double would round it to', async () => {
    const path = await create('abc')
    const body = '{"version": 1.00000000000000000000001, "actions": []}'
    expect((await client.send('POST', path, { 'Content-Type': 'application/json' }, body)).status).toBe(400)
    expect((await client.send('DELETE', `${path}?version=1.00000000000000000000001`)).status).toBe(400)
  })

  it.each([2, 0, -1, 9223372036854775807n])('with version %s is refused with the current one', async (version) => {
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

  it('lets exactly one of 50 parallel updates of one version succeed', async () => {
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

  it('of a missing resource is 404', async () => {
    expect(errorOf(await client.post(`${base}/nope`, { version: 1, actions: [] }))).toMatchObject({ status: 404 })
  })

  it.each([
    ['its structure before the version', { version: 7, actions: 'none' }, 400, 'InvalidJsonInput'],
    ['a missing version', { actions: [] }, 400, 'RequiredField'],
    ['missing actions', { version: 1 }, 400, 'RequiredField'],
    ['a version that is a string', { version: '1', actions: [] }, 400, 'InvalidJsonInput'],
    ['a version that is not an integer', { version: 1.5, actions: [] }, 400, 'InvalidJsonInput'],
    [
      'the types of a known action before the version',
      { version: 7, actions: [nothing, { action: 'changeSomeProperty', someProperty: 1 }] },
      400,
      'InvalidJsonInput',
    ],
    [
      'a known action with null instead of a string before the version',
      { version: 7, actions: [{ action: 'changeSomeProperty', someProperty: null }] },
      400,
      'InvalidJsonInput',
    ],
    ['an action without a name', { version: 7, actions: [{}] }, 400, 'RequiredField'],
    ['an action that is not an object', { version: 7, actions: [null] }, 400, 'InvalidJsonInput'],
    ['the version before action names', { version: 7, actions: [{ action: 'nope' }] }, 409, 'ConcurrentModification'],
    [
      'the version before required fields of actions',
      { version: 7, actions: [{ action: 'changeSomeProperty' }] },
      409,
      'ConcurrentModification',
    ],
    ['action names', { version: 1, actions: [change('x'), { action: 'nope' }] }, 400, 'InvalidInput'],
    [
      'required fields of actions',
      { version: 1, actions: [change('x'), { action: 'changeSomeProperty' }] },
      400,
      'RequiredField',
    ],
    [
      'field types of actions',
      { version: 1, actions: [change('x'), { action: 'changeSomeProperty', someProperty: 1 }] },
      400,
      'InvalidJsonInput',
    ],
    ['the number of actions', { version: 1, actions: Array.from({ length: 501 }, () => nothing) }, 400, 'InvalidField'],
  ])('checks %s, and applies nothing if that fails', async (_case, body, status, code) => {
    const path = await create('abc')
    expect(errorOf(await client.post(path, body))).toMatchObject({ status, code })
    const { body: after } = await client.get(path, { Prefer: 'identity=body' })
    expect(after).toMatchObject({ version: 1 })
    expect(after).not.toHaveProperty('someProperty')
  })

  it('lists the known actions, and the position of the unknown one', async () => {
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

  it('reports the position of a missing action member', async () => {
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

  it('accepts 500 actions', async () => {
    const path = await create('abc')
    const reply = await client.post(path, { version: 1, actions: Array.from({ length: 500 }, () => nothing) })
    expect(reply.body).toMatchObject({ version: 2 })
  })

  it('warns about unknown members of an action', async () => {
    const path = await create('abc')
    const reply = await client.post(path, { version: 1, actions: [{ ...nothing, someProperty: 'x' }] })
    expect([reply.status, warningOf(reply)]).toEqual([
      200,
      'D4 Unknown member "actions[0].someProperty" of the body is ignored.',
    ])
  })
})
