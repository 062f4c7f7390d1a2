import { expect, it } from 'vitest'
import { reachMock } from '../support/transport.ts'

const COLLECTION = 'http://mock/acme/resource'

/** Reaches a mock with enough resources that their list is sent as bytes. */
async function reachMany() {
  const { mock, send } = await reachMock({ auth: 'off', generate: 40 })
  const list = async () => (await send(new Request(`${COLLECTION}?limit=40`))).arrayBuffer()
  return { mock, send, list }
}

const decode = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes)

it('sends the same list again after a client has changed the bytes that it got', async () => {
  const { list } = await reachMany()
  const bytes = await list()
  const text = decode(bytes)
  new Uint8Array(bytes).fill(0)
  expect(text.length).toBeGreaterThan(4096)
  expect(decode(await list())).toBe(text)
})

it('keeps each list in the journal as it was sent', async () => {
  const { mock, send, list } = await reachMany()
  const sent = [decode(await list())]
  const headers = { 'Content-Type': 'application/json' }
  await send(new Request(COLLECTION, { method: 'POST', headers, body: '{"objectTypeProperty":{}}' }))
  sent.push(decode(await list()), decode(await list()))
  const requests = await mock.session('default').requests({ operation: 'queryResources' })
  expect(requests.map(({ response }) => response.body)).toEqual(sent)
  expect(sent[0]).not.toBe(sent[1])
})
