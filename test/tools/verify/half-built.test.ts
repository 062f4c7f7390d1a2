import { describe, expect, it } from 'vitest'
import { toPretty, toVerdict } from '../../../src/tools/verify/pretty.ts'
import type { VerifyOptions } from '../../../src/tools/verify/verify.ts'
import type { Bend } from './bends.ts'
import { pick } from '../../support/thorough.ts'
import { createHalfBuilt } from './half-built.ts'
import type { Gaps } from './half-built.ts'
import { verifyFetch, verifyMock } from './verifier.ts'

/** Verifies all of a service, or in `npm test` what shows its gaps. */
const verifyGaps = (gaps: Gaps, only: VerifyOptions['only']) =>
  verifyFetch(createHalfBuilt(gaps), { isQuick: true, only: pick(undefined, only) })

describe('what to fix first', () => {
  it.each([
    ['a status', { created: 200 }, ['createResource'], /^createResource answers 200, not 201 \(\d+ violations?\)$/],
    [
      'lost updates',
      { checksVersions: false },
      ['updates', 'deletions'],
      /: a write with a stale version is accepted with 200, not refused with 409/,
    ],
    [
      'scopes',
      { checksScopes: false },
      ['scopes', 'no-token'],
      /: a (?:token without the scope for the request|request without a valid token) is accepted with 20[01]/,
    ],
  ] as const)('is %s', async (_what, gaps, only, sentence) => {
    const report = await verifyGaps(gaps, only)
    expect(report.fixFirst?.sentence).toMatch(sentence)
    expect(toVerdict(report).at(-1)).toBe(`Fix first: ${report.fixFirst?.sentence}`)
  })

  it('is the URL or the project if every operation is missing', async () => {
    const fetch = async () => Response.json({}, { status: 404 })
    const { fixFirst } = await verifyMock({
      fetch,
      credentials: { kind: 'token', token: 'a' },
      allowsWrites: false,
      isQuick: true,
    })
    expect(fixFirst?.sentence).toBe('every operation answers 404. Check the URL and --project')
  })

  it('is nothing if all answers are alike', async () => {
    const { fixFirst } = await verifyMock({ only: ['carts'] })
    expect(fixFirst).toBeUndefined()
  })
})

it('lists the operations that a service does not have, but none that works for anything', async () => {
  const { notFound, ...report } = await verifyGaps({}, ['lifecycle', 'search'])
  const names = notFound.map(({ operation }) => operation)
  expect(names).toContain('searchResources')
  expect(names).toContain('sortedQuery')
  expect(names).not.toContain('createResource')
  expect(names).not.toContain('getResourceById')
  const lines = toPretty({ ...report, notFound }, (_, text) => text)
  expect(lines).toMatch(/^Not found: .+ \(404\).+\. To leave operations out, list the others with --only\.$/m)
})

it('takes the ids that a service does not send with a write from the results of queries', async () => {
  const bend: Bend = (fetch) => async (request) => {
    const response = await fetch(request)
    const headers = new Headers(response.headers)
    headers.delete('Location')
    headers.delete('Content-Location')
    return new Response(response.body, { status: response.status, headers })
  }
  const { mismatches, conversations, leftovers } = await verifyMock({ bend, only: ['deletions'] })
  expect(mismatches.map(({ at }) => at).filter((at) => !at.endsWith('Location'))).toEqual([])
  expect([conversations.every(({ reasons }) => reasons.length === 0), leftovers]).toEqual([true, []])
})
