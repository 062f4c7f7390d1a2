import { expect, it } from 'vitest'
import { toPng } from '../../service/http/image-samples.ts'
import { serve } from '../../support/serve.ts'
import { start } from './command.ts'

const JSON_HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

/** Sends requests to a running mock, over a socket. */
function createCaller(url: string) {
  return async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(`${url}/acme/resource${path}`, {
      method,
      headers: JSON_HEADERS,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  }
}

it('takes a client through the whole life of a resource, over a socket', async () => {
  const url = await start(['--port', '0', '--log', 'silent']).ready
  const call = createCaller(url)

  const created = await call('POST', '', { key: 'mine', objectTypeProperty: { arrayOfIntExample: [1] } })
  expect(created.status).toBe(201)
  const path = `/${created.headers.get('Location')?.split('/').at(-1)}`
  expect(await call('GET', path)).toMatchObject({ status: 200, text: created.text })
  expect(await call('GET', '/key=mine')).toMatchObject({ status: 200, text: created.text })
  expect((await call('GET', '?where=key = "mine"')).text).toContain('"total":1')
  expect((await call('HEAD', '?integerParameter=1')).status).toBe(200)

  const actions = [{ action: 'changeSomeProperty', someProperty: 'changed' }]
  expect(await call('POST', path, { version: 1, actions })).toMatchObject({ status: 200 })
  const stale = await call('POST', path, { version: 1, actions })
  expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('"currentVersion":2')])
  expect(await call('PUT', '', { key: 'mine', objectTypeProperty: { arrayOfStringExample: ['put'] } })).toMatchObject({
    status: 201,
    text: '{"version":3,"objectTypeProperty":{"arrayOfStringExample":["put"]}}',
  })
  const uploaded = await fetch(`${url}/acme/resource/images?sku=mine`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'Content-Type': 'image/png' },
    body: new Uint8Array(toPng(4, 3)),
  })
  expect([uploaded.status, uploaded.headers.get('ETag')]).toEqual([200, '"4"'])
  expect(await call('DELETE', `${path}?version=4`)).toMatchObject({ status: 200 })
  expect((await call('GET', path)).status).toBe(404)
})

it('accepts exactly one of fifty parallel updates with the same version', async () => {
  const call = createCaller(await serve())
  const created = await call('POST', '', { objectTypeProperty: {} })
  const path = `/${created.headers.get('Location')?.split('/').at(-1)}`
  const update = (writer: number) =>
    call('POST', path, { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: `writer ${writer}` }] })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, writer) => update(writer)))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
  expect((await call('GET', path)).headers.get('ETag')).toBe('"2"')
})

it('responds to HEAD with the Content-Length of GET', async () => {
  const call = createCaller(await serve())
  const { text } = await call('GET', '/namespace-action-with-example')
  const { status, headers } = await call('HEAD', '/namespace-action-with-example')
  expect([status, headers.get('Content-Length')]).toEqual([200, String(Buffer.byteLength(text))])
})
