import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import { findNearMisses, findNearRequests } from '../../../src/sessions/journal/near-misses.ts'
import { matchEntries, parsePattern } from '../../../src/sessions/journal/patterns.ts'
import { toTestEntry } from './exchanges.ts'

const near = (method: string, url: string) => findNearMisses({ request: { method, url } })

describe('the operations similar to a request', () => {
  it.each([
    ['POST', '/acme/resources', 'createResource'],
    ['GET', '/acme/resources', 'queryResources'],
    ['POST', '/acme/resource/', 'createResource'],
    ['DELETE', '/acme/resources/1', 'deleteResource'],
    ['GET', '/resource', 'queryResources'],
    ['GET', '/v1/acme/resource', 'queryResources'],
    ['GET', '/acme/resource/1/images', 'getResourceById'],
    ['POST', '/acme/resource/image/', 'uploadImage'],
    ['GET', '/acme/Resource/key=a', 'getResourceByKey'],
    ['POST', '/acme/resource/artificially-complex/path/1/2', 'postComplex'],
    ['GET', '/acme/resource/namespace-action-with-headers/', 'getActionWithHeaders'],
    ['POST', 'http://127.0.0.1:4010/@s1/eu/gcp/acme/resources?x=1', 'createResource'],
  ])('%s %s: %s comes first', (method, url, operation) => {
    expect(near(method, url)[0]?.operation).toBe(operation)
  })

  it('are listed with a sentence that suggests a change', () => {
    expect(near('POST', '/acme/resources')[0]).toMatchObject({
      message: 'POST /acme/resources: no such path; nearest is POST /{projectKey}/resource (createResource)',
      differences: [{ member: 'path', expected: '/{projectKey}/resource', actual: '/acme/resources' }],
    })
  })

  it('are those of the path if only the method is wrong', () => {
    const [first, ...others] = near('DELETE', '/acme/resource/images')
    expect(others).toEqual([])
    expect(first).toMatchObject({
      operation: 'uploadImage',
      message:
        'DELETE /acme/resource/images: method not supported on this path; nearest is POST /{projectKey}/resource/images (uploadImage)',
      differences: [{ member: 'method', expected: 'POST', actual: 'DELETE' }],
    })
  })

  it('are limited to three, the nearest first', () => {
    const misses = near('PUT', '/acme/resource/1')
    expect(misses).toHaveLength(3)
    expect(misses.map(({ distance }) => distance)).toEqual(
      misses.map(({ distance }) => distance).toSorted((a, b) => a - b),
    )
  })

  it('are empty for a path that is unlike the service', () => {
    expect(near('GET', '/favicon.ico')).toEqual([])
    expect(near('GET', `/${'a/'.repeat(5000)}`)).toEqual([])
  })

  it('never include the operation that the request matches', () => {
    for (const id of operationIds) {
      const { method, path } = endpoints[id]
      expect(near(method, path.replaceAll(/\{\w+\}/g, 'x')).map(({ operation }) => operation)).not.toContain(id)
    }
  })

  it('are found for any request', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.oneof(fc.string(), fc.webUrl(), fc.webPath()), (method, url) => {
        for (const { distance, differences } of near(method, url)) {
          expect(distance).toBeGreaterThan(0)
          expect(distance).toBeLessThanOrEqual(1)
          expect(differences.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})

describe('the requests similar to a pattern', () => {
  const created = toTestEntry({}, 'created')
  const deleted = toTestEntry({ method: 'DELETE', url: 'http://h/acme/resource/1', requestBody: undefined }, 'deleted')
  const read = toTestEntry({ method: 'GET', requestBody: undefined }, 'read')
  const findNear = (json: unknown, newest: readonly RedactedExchange[] = [created, read, deleted]) => {
    const pattern = parsePattern(json)
    return findNearRequests(
      pattern,
      matchEntries(
        pattern,
        newest.map((entry) => ({ entry })),
      ),
    )
  }

  it('are sorted nearest first, with their differences', async () => {
    const misses = await findNear({
      method: 'PUT',
      urlPath: '/acme/resource',
      bodyPatterns: [{ contains: 'arrayOfInt' }],
    })
    expect(misses.map(({ entry }) => entry.id)).toEqual(['created', 'read', 'deleted'])
    expect(misses[0]?.message).toBe('POST /acme/resource differs in method: expected "PUT", was "POST"')
    expect(misses[1]?.message).toBe(
      'GET /acme/resource differs in method: expected "PUT", was "GET"; bodyPatterns[0]: expected {"contains":"arrayOfInt"}, was null',
    )
  })

  it('do not include what the pattern matches', async () => {
    expect((await findNear({ method: 'GET' })).map(({ entry }) => entry.id)).toEqual(['created', 'deleted'])
    expect(await findNear({})).toEqual([])
  })

  it('are limited to three', async () => {
    const entries = Array.from({ length: 10 }, (_one, index) => toTestEntry({}, `entry-${index}`))
    const misses = await findNear({ method: 'PUT' }, entries)
    expect(misses.map(({ entry }) => entry.id)).toEqual(['entry-0', 'entry-1', 'entry-2'])
  })
})
