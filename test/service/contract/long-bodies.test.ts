import { expect, it, vi } from 'vitest'
import { createMock } from '../../../src/mock.ts'

/** Longer than the part that is processed without a pause. */
const LONG = 200_000

const list = (value: string): string => `[${`${value},`.repeat(LONG / (value.length + 1)).slice(0, -1)}]`
const draft = (members: string): string => `{"objectTypeProperty":{${members}}}`
const actions = (members: string): string =>
  `{"version":1,"actions":[${`{"action":"doSomeThing",${members}},`.repeat(500).slice(0, -1)}]}`

const RESOURCE = '/acme/resource'
const ID = '00000000-0000-4000-8000-000000000001'
const RECORD = `/__admin/state/acme/resources/${ID}`

/** How often a request pauses, and the status of its response. */
async function send(method: string, path: string, body: string): Promise<[status: number, pauses: number]> {
  const mock = await createMock({ fixtures: { 'resources.json': `[{"id":"${ID}","objectTypeProperty":{}}]` } })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  try {
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
    const { status } = await mock.fetch(new Request(`http://mock${path}`, { method, headers, body }))
    return [status, timers.mock.calls.filter(([, delay]) => delay === 0).length]
  } finally {
    timers.mockRestore()
  }
}

it.each([
  ['values of the wrong type', 'POST', RESOURCE, draft(`"arrayOfIntExample":${list('"a"')}`), [400, 4]],
  ['fractions', 'POST', RESOURCE, draft(`"arrayOfIntExample":${list('1.5')}`), [400, 4]],
  ['unknown members', 'POST', RESOURCE, draft(`"arrayOfObjectType":${list('{"x":1}')}`), [201, 5]],
  ['unknown members of actions', 'POST', `${RESOURCE}/${ID}`, actions(`"x":"${'x'.repeat(LONG / 500)}"`), [200, 5]],
  ['a wrong resource', 'PUT', RECORD, draft(`"arrayOfIntExample":${list('1')},"arrayOfStringExample":[1]`), [400, 4]],
  ['an imported project', 'PUT', '/__admin/state/acme', `[${draft(`"arrayOfIntExample":${list('1')}`)}]`, [200, 6]],
  ['a request pattern', 'POST', '/__admin/requests/find', `{"urlPath":"/${'x'.repeat(LONG)}"}`, [200, 4]],
] as const)(
  'yields to other requests between the steps of a long body: %s',
  async (_case, method, path, body, expected) => {
    expect(await send(method, path, body)).toEqual(expected)
  },
)

it.each([
  ['POST', RESOURCE, draft('"arrayOfIntExample":["a"]'), 400],
  ['POST', RESOURCE, draft('"arrayOfIntExample":[1]'), 201],
  ['POST', `${RESOURCE}/${ID}`, '{"version":1,"actions":[]}', 200],
  ['PUT', RECORD, draft('"arrayOfIntExample":["a"]'), 400],
])('does not pause for a short body: %s %s %s', async (method, path, body, status) => {
  expect(await send(method, path, body)).toEqual([status, 0])
})
