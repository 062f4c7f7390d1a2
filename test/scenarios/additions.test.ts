import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/mock.ts'

const PLAYING = {
  'limited.json':
    '{ "description": "For a test", "rules": [{ "effect": { "rateLimit": { "requests": 9, "perSeconds": 9 } } }] }',
  'dribbling.json':
    '{ "description": "For a test", "rules": [{ "effect": { "chunkedDribbleDelay": { "numberOfChunks": 3, "totalDuration": 3 } } }] }',
}

interface ScenarioRule extends RequestInit {
  readonly path: string
}

const AUTHORIZED = { Authorization: 'Bearer any' }
const JSON_HEADERS = { ...AUTHORIZED, 'Content-Type': 'application/json' }
const ASKED: readonly (readonly [what: string, status: number, asked: ScenarioRule])[] = [
  ['an answer', 200, { path: '/acme/resource', headers: AUTHORIZED }],
  ['what is not found', 404, { path: '/acme/resource/none', headers: AUTHORIZED }],
  ['what may not be', 403, { path: '/acme/resource', headers: { Authorization: 'Bearer view_test:other' } }],
  ['who is not known', 401, { path: '/acme/resource' }],
  ['what is malformed', 400, { path: '/acme/resource?limit=many', headers: AUTHORIZED }],
  ['a body that is none', 400, { path: '/acme/resource', method: 'POST', headers: JSON_HEADERS, body: '{' }],
]

describe('what a scenario adds to an answer', () => {
  it.each(ASKED)('of rate limits stands on %s, too', async (_what, status, { path, ...init }) => {
    const mock = await createMock({ scenarios: PLAYING, scenario: 'limited' })
    const response = await mock.fetch(path, init)
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'ratelimit-limit': '9', 'ratelimit-remaining': '8' })
  })

  it.each(ASKED)('of pieces makes pieces of %s, too', async (_what, status, { path, ...init }) => {
    const mock = await createMock({ scenarios: PLAYING, scenario: 'dribbling' })
    const response = await mock.fetch(path, init)
    expect(response.status).toBe(status)
    const pieces = []
    for await (const piece of response.body ?? []) pieces.push(piece)
    expect(pieces).toHaveLength(3)
  })
})
