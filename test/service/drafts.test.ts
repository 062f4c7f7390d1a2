import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, draft, errorOf, resultsOf } from '../support/client.ts'
import type { Client, Reply } from '../support/client.ts'

const base = '/acme/resource'
const warningOf = ({ headers }: Reply) => headers.get('X-Mock-Warning')

let client: Client
beforeEach(async () => {
  client = await createClient()
})

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
    await client.post(base, draft({}, 'abc'))
    await client.post('/other/resource', draft({}, 'abc'))
    expect((await client.get(`${base}/key=abc`)).body).toMatchObject({ version: 1 })
  })
})

describe('the rules that array names imply', () => {
  const broken = draft({ arrayOfUniqueIntExample: [1, 2, 1], arrayOfTwonumbersExample: [1, 2, 3] })
  const unique = 'D1 objectTypeProperty.arrayOfUniqueIntExample must contain unique numbers, but repeats one.'
  const two = 'D1 objectTypeProperty.arrayOfTwonumbersExample must contain two numbers, but has 3.'

  it('cause a warning if broken', async () => {
    const reply = await client.post(base, broken)
    expect([reply.status, warningOf(reply)]).toEqual([201, `${unique}, ${two}`])
  })

  it.each([
    ['POST', 'key'],
    ['PUT', 'key'],
    ['PATCH', 'key'],
  ])('refuse a %s under --strict, with nothing written', async (method) => {
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
      message: `--strict turns this warning into an error: ${unique}`,
      decision: 'D1',
    })
    expect(resultsOf(await strict.get(base))).toMatchObject([{ version: 1, objectTypeProperty: all }])
  })

  it('are exact for int64', async () => {
    const near = draft({ arrayOfUniqueIntExample: [9223372036854775806n, 9223372036854775807n] })
    expect(warningOf(await client.post(base, near))).toBeNull()
    const same = draft({ arrayOfUniqueIntExample: [9223372036854775807n, 9223372036854775807n] })
    expect(warningOf(await client.post(base, same))).toBe(unique)
  })
})

it('require all seven arrays under --strict', async () => {
  const strict = await createClient({ strict: true })
  const { body } = await strict.post(base, draft({ arrayOfIntExample: [] }))
  expect(body).toMatchObject({
    statusCode: 400,
    message: 'objectTypeProperty.arrayOfUniqueIntExample: Missing required value.',
    errors: Array.from({ length: 6 }, () => expect.objectContaining({ code: 'RequiredField' })),
  })
})
