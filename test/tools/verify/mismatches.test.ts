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
    const { sentence, decision, ground, before, request, mock, service } = findMismatch(
      report,
      'updateResource',
      'status',
    )
    expect(sentence).toMatch(
      /^updateResource: POST \/acme\/resource\/[\da-f-]{36} \{.+\}, after POST \/acme\/resource, POST \/acme\/resource\/[\da-f-]{36}: the mock answers 409, the service 200 \(section 7, documented\)/,
    )
    expect([decision, ground]).toEqual(['section 7', 'documented'])
    expect(before.map(({ method }) => method)).toEqual(['POST', 'POST'])
    expect([request.headers['Authorization'], mock.status, service.status]).toEqual(['Bearer …', 409, 200])
  })

  it('is shown with the shortest request: steps, parameters and members are dropped', async () => {
    const bend = bendAnswers('createResource', ({ body }) => (body['objectTypeProperty']['arrayOfFloatExample'] = [0]))
    const { request, before } = findMismatch(
      await verifyMock({ bend, only: ['overwrites'] }),
      'createResource',
      'objectTypeProperty.arrayOfFloatExample[0]',
    )
    expect(before).toEqual([])
    expect(Object.keys((JSON.parse(request.body ?? '') as { objectTypeProperty: object }).objectTypeProperty)).toEqual([
      'arrayOfFloatExample',
      'arrayOfStringExample',
    ])
  })

  it('is shown with the parameters that matter', async () => {
    const bend: Bend = (fetch) => (request) => {
      const url = new URL(request.url)
      url.searchParams.delete('sort')
      return fetch(new Request(url, request))
    }
    const { request } = findMismatch(await verifyMock({ bend, only: ['sort'] }), 'sortedQuery', 'results')
    const { searchParams } = new URL(request.path, 'http://mock')
    expect(searchParams.getAll('sort')).toHaveLength(1)
  })

  it('does not blame the results of a page for its total', async () => {
    const bend = bendAnswers(
      'queryResources',
      ({ body }) => 'total' in body && (body['total'] = Number(body['total']) + 1),
    )
    const { mismatches } = await verifyMock({ bend, only: ['encodings', 'lists-after-writes'] })
    expect(new Set(mismatches.map(({ at }) => at))).toEqual(new Set(['total']))
  })

  it('is one entry for each cause', async () => {
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

  it('rests on a decision if the specification says nothing', async () => {
    const bend = bendAnswers('getResourceById', ({ headers }) => headers.delete('ETag'))
    const { decision, ground } = findMismatch(
      await verifyMock({ bend, only: ['lifecycle'] }),
      'getResourceById',
      'ETag',
    )
    expect([decision, ground]).toEqual(['D5', 'decided'])
  })

  it('is one entry for all tokens, which no section shows', async () => {
    const bend: Bend = (fetch) => async (request) => {
      const response = await fetch(request)
      const text = await response.text()
      return new Response(text.replace(/"expires_in":\d+/, '"expires_in":"soon"'), response)
    }
    const { mismatches } = await verifyMock({ bend, only: ['grants', 'refresh-tokens'] })
    expect(mismatches.map(({ at, decision, ground }) => [at, decision, ground])).toEqual([
      ['expires_in', 'D31', 'decided'],
    ])
  })
})

it('finds simultaneous updates with one version that are all accepted', async () => {
  const report = await verifyMock({ bend: losingUpdates, only: ['races'] })
  expect(sentencesOf(report)[0]).toContain('10 equal requests at once')
})
