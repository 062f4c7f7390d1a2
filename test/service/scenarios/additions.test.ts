import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'

const PLAYING = {
  'limited.json':
    '{ "description": "For a test", "rules": [{ "effect": { "rateLimit": { "requests": 9, "perSeconds": 9 } } }] }',
  'dribbling.json':
    '{ "description": "For a test", "rules": [{ "effect": { "chunkedDribbleDelay": { "numberOfChunks": 3, "totalDuration": 3 } } }] }',
}

interface RequestCase extends RequestInit {
  readonly path: string
}

const AUTHORIZED = { Authorization: 'Bearer any' }
const JSON_HEADERS = { ...AUTHORIZED, 'Content-Type': 'application/json' }
const REQUESTS: readonly (readonly [what: string, status: number, asked: RequestCase])[] = [
  ['a success', 200, { path: '/acme/resource', headers: AUTHORIZED }],
  ['a 404', 404, { path: '/acme/resource/none', headers: AUTHORIZED }],
  ['a 403', 403, { path: '/acme/resource', headers: { Authorization: 'Bearer view_test:other' } }],
  ['a 401', 401, { path: '/acme/resource' }],
  ['a 400 for a malformed parameter', 400, { path: '/acme/resource?limit=many', headers: AUTHORIZED }],
  ['a 400 for a malformed body', 400, { path: '/acme/resource', method: 'POST', headers: JSON_HEADERS, body: '{' }],
]

async function countPieces({ body }: Response): Promise<number> {
  const pieces = []
  for await (const piece of body ?? []) pieces.push(piece)
  return pieces.length
}

describe('a scenario that adds to responses', () => {
  it.each(REQUESTS)('sends rate limit headers with %s', async (_what, status, { path, ...init }) => {
    const mock = await createMock({ scenarios: PLAYING, scenario: 'limited' })
    const response = await mock.fetch(path, init)
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'ratelimit-limit': '9', 'ratelimit-remaining': '8' })
  })

  it.each(REQUESTS)('sends in pieces %s', async (_what, status, { path, ...init }) => {
    const mock = await createMock({ scenarios: PLAYING, scenario: 'dribbling' })
    const response = await mock.fetch(path, init)
    expect(response.status).toBe(status)
    expect(await countPieces(response)).toBe(3)
  })

  it('uses the number of pieces of the first of two rules', async () => {
    const rules = [2, 3].map((numberOfChunks) => ({
      effect: { chunkedDribbleDelay: { numberOfChunks, totalDuration: 2 } },
    }))
    const twice = JSON.stringify({ description: 'For a test', rules })
    const mock = await createMock({ scenarios: { 'twice.json': twice }, scenario: 'twice' })
    const response = await mock.fetch('/acme/resource', { headers: AUTHORIZED })
    expect(await countPieces(response)).toBe(2)
  })
})
