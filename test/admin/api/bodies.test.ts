import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'

const list = (item: string, count: number): string => `[${`${item},`.repeat(count - 1)}${item}]`
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** The message of the first error in a response. */
async function refusalOf(method: string, path: string, body: BodyInit, headers = {}): Promise<string> {
  const { ask } = await createAsk()
  await ask('GET', '/acme/resource')
  const { requests } = (await ask('GET', '/__admin/requests')).body as { requests: readonly { id: string }[] }
  const target = path.replace('{id}', requests[0]?.id ?? '')
  const answer = await ask(method, target, { body, headers: { ...JSON_TYPE, ...headers } })
  const { errors } = answer.body as { errors: readonly { message: string; detailedErrorMessage?: string }[] }
  return `${answer.status}: ${errors[0]?.message ?? ''} ${errors[0]?.detailedErrorMessage ?? ''}`
}

describe('a body with too many values', () => {
  it.each([
    ['POST', '/acme/resource', 100_000],
    ['PUT', '/__admin/state/acme/resources/r1', 100_000],
    ['PUT', '/__admin/scenarios/own', 5000],
    ['PUT', '/__admin/scenarios/active', 100_000],
    ['PUT', '/__admin/clock', 100_000],
    ['POST', '/__admin/requests/find', 10_000],
    ['POST', '/__admin/requests/count', 10_000],
    ['POST', '/__admin/requests/remove', 10_000],
    ['POST', '/__admin/near-misses/request', 100_000],
    ['POST', '/__admin/near-misses/request-pattern', 10_000],
    ['POST', '/__admin/requests/{id}/resend', 100_000],
    ['POST', '/__admin/mcp', 100_000],
    ['POST', '/_pactSetup', 100_000],
  ])('is refused by %s %s', async (method, path, limit) => {
    expect(await refusalOf(method, path, list('{}', limit + 1))).toContain(
      `400: The JSON text contains more than ${limit} objects and arrays.`,
    )
  })

  it.each(['/__admin/state', '/__admin/state/acme'])('is refused by PUT %s, compressed', async (path) => {
    const body = gzipSync(list(list('{}', 400_000), 6))
    expect(body.byteLength).toBeLessThan(20_000)
    expect(await refusalOf('PUT', path, body, { 'Content-Encoding': 'gzip' })).toContain(
      '400: The JSON text contains more than 2097152 objects and arrays.',
    )
  })

  it('is refused as a list of a state, and as a resource in it', async () => {
    const path = '/__admin/state/acme'
    expect(await refusalOf('PUT', path, `{"resources":[],"posted":${list('""', 500_001)}}`)).toContain(
      '400: The JSON text contains an array with more than 500000 items.',
    )
    const half = `"arrayOfIntExample":${list('1', 300_000)}`
    const record = `{"objectTypeProperty":{${half}},"staged":{"objectTypeProperty":{${half}}}}`
    expect(await refusalOf('PUT', path, list(record, 1))).toContain(
      '400: Malformed state: [0]: a resource may have at most 500000 values, and 100000 objects and arrays. Reduce its size (D97).',
    )
    expect(await refusalOf('PUT', path, `{"resources":[],"action":"${list('[]', 100_001)}"}`)).toContain(
      '400: Malformed state: action: expected JSON text in a string.',
    )
  })
})

it('serves other requests while a state is checked', async () => {
  const { ask } = await createAsk()
  const order: string[] = []
  const put = async () => {
    await ask('PUT', '/__admin/state/acme', { body: list('{"objectTypeProperty":{}}', 20_000), headers: JSON_TYPE })
    order.push('state')
  }
  const get = async () => {
    await ask('GET', '/acme/resource?limit=1')
    order.push('query')
  }
  await Promise.all([put(), get(), get()])
  expect(order).toEqual(['query', 'query', 'state'])
})

it('refuses to resend a request with more than 200 headers', async () => {
  const headers = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, 'a']))
  expect(await refusalOf('POST', '/__admin/requests/{id}/resend', JSON.stringify({ headers }))).toContain(
    'headers: at most 200 headers expected.',
  )
})
