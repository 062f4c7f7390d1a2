import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { findInOrder, isComplete, toInOrderText } from '../../../src/edges/playwright/matchers.ts'

const POST = { method: 'POST' }
const GET = { method: 'GET' }
const HEAD = { method: 'HEAD' }

/** A session that received requests with these methods, in order. */
async function openSession(methods: readonly string[]) {
  const session = (await createMock()).session('s')
  for (const method of methods) {
    const body = method === 'POST' ? '{}' : null
    // oxlint-disable-next-line no-await-in-loop -- requests must be in order
    await session.fetch('/acme/resource', { method, body, headers: { Authorization: 'Bearer any' } })
  }
  return session
}

describe('requests in order', () => {
  it.each([
    ['the same requests', ['POST', 'GET'], [POST, GET], true],
    ['other requests in between', ['POST', 'HEAD', 'GET'], [POST, GET], true],
    ['the wrong order', ['GET', 'POST'], [POST, GET], false],
    ['a match before and after', ['GET', 'POST', 'GET'], [POST, GET], true],
    ['as many equal patterns as requests', ['GET', 'GET'], [GET, GET], true],
    ['more equal patterns than requests', ['GET', 'HEAD'], [GET, GET], false],
    ['a pattern with many matches', ['GET', 'POST'], [{}, POST], true],
    ['no requests', [], [GET], false],
  ])('%s', async (_what, methods, patterns, expected) => {
    expect(isComplete(await findInOrder(await openSession(methods), patterns))).toBe(expected)
  })

  it('are listed up to the first pattern without a match, with a match that came too early', async () => {
    const steps = await findInOrder(await openSession(['GET', 'POST']), [POST, GET, HEAD])
    expect(toInOrderText(steps, { isNot: false, timeout: 400 })).toBe(
      [
        'Expected: requests in the order of the patterns',
        'Received:',
        '  1. {"method":"POST"}',
        '     POST /acme/resource → 415',
        '  2. {"method":"GET"}',
        '     no matching request after that; it came earlier:',
        '     GET /acme/resource → 200',
        'Timeout:  400ms',
      ].join('\n'),
    )
  })
})
