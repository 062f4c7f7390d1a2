import { describe, expect, it } from 'vitest'
import type { Mismatch, VerifyReport } from '../../../src/tools/verify/report.ts'
import { bendAnswers, insteadOfRefusal, withJson } from './bends.ts'
import type { Bend } from './bends.ts'
import { sentencesOf, verifyMock } from './verifier.ts'

/** The mismatch of an operation at a position. */
function findMismatch({ mismatches }: VerifyReport, operation: string, at: string): Mismatch {
  const found = mismatches.find((one) => one.operation === operation && one.at === at)
  if (found === undefined) throw new Error(`None of ${JSON.stringify(mismatches.map(({ sentence }) => sentence))}`)
  return found
}

/** Applies an update whose version is stale, like a service that loses updates. */
const losingUpdates: Bend = insteadOfRefusal('updateResource', 409, (request, { errors }) =>
  withJson(request, (body) => {
    body['version'] = errors[0]?.['currentVersion']
  }),
)

describe('a mismatch', () => {
  it('is one sentence with the request, both answers and the ground', async () => {
    const report = await verifyMock({ bend: losingUpdates, only: ['lifecycle'] })
    const { sentence, kind, section, before, request, mock, service } = findMismatch(report, 'updateResource', 'status')
    expect(sentence).toMatch(
      /^updateResource: POST \/acme\/resource\/[\da-f-]{36} \{.+\}, after .+: the mock answers 409, the service 200 \(section 7, section 4\.10, section 9\)/,
    )
    expect([kind, section]).toEqual(['violation', '7, 4.10, 9'])
    expect(before[0]?.method).toBe('POST')
    expect([request.headers['Authorization'], mock.status, service.status]).toEqual(['Bearer …', 409, 200])
  })

  it('is shown with the fewest requests before it', async () => {
    const bend = bendAnswers('createResource', ({ body }) => (body['objectTypeProperty']['arrayOfFloatExample'] = [0]))
    const { before } = findMismatch(
      await verifyMock({ bend, only: ['lists-after-writes', 'deletions'] }),
      'createResource',
      'objectTypeProperty.arrayOfFloatExample[0]',
    )
    expect(before).toEqual([])
  })

  it('does not blame the results of a page for its total', async () => {
    const bend = bendAnswers(
      'queryResources',
      ({ body }) => 'total' in body && (body['total'] = Number(body['total']) + 1),
    )
    const { mismatches } = await verifyMock({ bend, only: ['encodings', 'lists-after-writes'] })
    expect(mismatches.map(({ at, decision }) => [at, decision])).toEqual([['total', 'D10']])
  })

  it('is one entry for each decision', async () => {
    const bend: Bend = (fetch) => async (request) => {
      const response = await fetch(request)
      const headers = new Headers(response.headers)
      headers.delete('X-Content-Type-Options')
      return new Response(response.body, { status: response.status, headers })
    }
    const { mismatches } = await verifyMock({ bend, only: ['carts', 'paths', 'no-token'] })
    expect(mismatches.map(({ at }) => at)).toEqual(['X-Content-Type-Options'])
    expect(mismatches[0]?.also).toBeGreaterThan(20)
  })

  it('is a difference if the specification says nothing', async () => {
    const bend = bendAnswers('getResourceById', ({ headers }) => headers.delete('ETag'))
    const { kind, decision } = findMismatch(await verifyMock({ bend, only: ['lifecycle'] }), 'getResourceById', 'ETag')
    expect([kind, decision]).toEqual(['difference', 'D5'])
  })
})

it('finds simultaneous updates with one version that are all accepted', async () => {
  const report = await verifyMock({ bend: losingUpdates, only: ['races'] })
  expect(sentencesOf(report)[0]).toContain('10 equal requests at once')
})
