import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  admits,
  covers,
  EVERYTHING,
  findSpelledScopes,
  isFullScope,
  toFullScopes,
} from '../../../src/service/auth/authenticate.ts'
import type { Grant } from '../../../src/service/auth/authenticate.ts'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import type { OperationId } from '../../../src/service/contract/endpoints.ts'

const held = (...scopes: string[]): Grant => ({ kind: 'scopes', scopes: new Set(scopes) })

/** Section 5 of the specification and D30, copied by hand: the operations that a scope of the project allows. */
const READS = [
  'queryResources',
  'getResourceById',
  'getResourceByKey',
  'searchResources',
  'checkResources',
  'sortedQuery',
] as const
const WRITES = [
  'createResource',
  'overwriteResource',
  'putResource',
  'postComplex',
  'updateResource',
  'deleteResource',
] as const
const UPLOADS = ['uploadImage'] as const
const ANY_TOKEN = ['postAction', 'getAction', 'getActionWithExample', 'getActionWithHeaders'] as const
const ALL: readonly OperationId[] = [...READS, ...WRITES, ...UPLOADS, ...ANY_TOKEN]

const MATRIX: readonly (readonly [string, readonly OperationId[]])[] = [
  ['view_test:acme', [...READS, ...ANY_TOKEN]],
  ['manage_test:acme', [...READS, ...WRITES, ...ANY_TOKEN]],
  ['manage_products:acme', [...UPLOADS, ...ANY_TOKEN]],
  ['manage_project:acme', ALL],
  ['view_test:*', [...READS, ...ANY_TOKEN]],
  ['manage_test:*', [...READS, ...WRITES, ...ANY_TOKEN]],
  ['manage_products:*', [...UPLOADS, ...ANY_TOKEN]],
  ['manage_project:*', ALL],
  ['view_test:acme manage_products:acme', [...READS, ...UPLOADS, ...ANY_TOKEN]],
  ['view_test:acme manage_test:other', [...READS, ...ANY_TOKEN]],
  ['view_test:other', ANY_TOKEN],
  ['manage_test:other', ANY_TOKEN],
  ['manage_products:other', ANY_TOKEN],
  ['manage_project:other', ANY_TOKEN],
  ['view_products:acme', ANY_TOKEN],
  ['VIEW_TEST:acme', ANY_TOKEN],
  ['view_test:ACME', ANY_TOKEN],
  ['view_test:acme2', ANY_TOKEN],
  ['view_test', ANY_TOKEN],
  ['', ANY_TOKEN],
]

describe("the scopes of the specification's operations", () => {
  it('are all in the matrix', () => {
    expect(ALL).toHaveLength(17)
    const specified = operationIds.filter((id) => typeof endpoints[id].number === 'number')
    expect(specified.toSorted()).toEqual(ALL.toSorted())
  })

  describe.each(MATRIX)('with a token for "%s"', (scopes, admitted) => {
    it.each(ALL)('allow or refuse %s', (id) => {
      expect(admits(held(...scopes.split(' ')), endpoints[id].scopes, 'acme')).toBe(admitted.includes(id))
    })
  })

  it.each(ALL)('do not restrict a full grant for %s', (id) => {
    expect(admits(EVERYTHING, endpoints[id].scopes, 'acme')).toBe(true)
  })
})

describe('a full scope', () => {
  it.each(['view_test:acme', 'manage_project:*', 'view_test:a', 'customer-id:0_9.~!', 'x:shop(1)'])(
    'may be %s',
    (text) => {
      expect(isFullScope(text)).toBe(true)
    },
  )

  it.each([
    '',
    'view_test',
    'view_test:',
    ':acme',
    ':',
    'view test:acme',
    'view_test: acme',
    'view_test:acme ',
    'view_test:a:b',
    'view_test:a,b',
    'view_test:"a"',
    'view_test:a\\b',
    'view_test:caf\u00E9',
    'view_test:acme\n',
    'view.test:acme',
  ])('cannot be %j', (text) => {
    expect(isFullScope(text)).toBe(false)
  })

  it("is the endpoint's scope, bound to the project", () => {
    expect(toFullScopes(endpoints.queryResources.scopes, 'acme')).toEqual(['manage_test:acme', 'view_test:acme'])
  })
})

describe('a token with spelled scopes', () => {
  it.each([
    ['view_test:acme', ['view_test:acme']],
    ['view_test:acme,manage_products:acme', ['view_test:acme', 'manage_products:acme']],
    ['view_test:*,view_test:*', ['view_test:*']],
  ])('has those of %s', (token, scopes) => {
    expect(findSpelledScopes(token)).toEqual(new Set(scopes))
  })

  it.each([
    '',
    'abc',
    ',',
    'view_test:acme,',
    ',view_test:acme',
    'view_test:acme,abc',
    'view_test:acme, x:acme',
    'a.b.c',
  ])('cannot be %j', (token) => {
    expect(findSpelledScopes(token)).toBeUndefined()
  })

  it('is parsed as it was written', () => {
    const scope = fc.stringMatching(/^[a-z_]{1,20}:[a-z0-9_-]{1,20}$/)
    fc.assert(
      fc.property(fc.array(scope, { minLength: 1, maxLength: 5 }), (scopes) => {
        expect(findSpelledScopes(scopes.join(','))).toEqual(new Set(scopes))
      }),
    )
  })
})

describe('granted scopes', () => {
  it.each([
    ['view_test:acme', 'view_test:acme', true],
    ['view_test:*', 'view_test:acme', true],
    ['manage_project:acme', 'view_test:acme', true],
    ['manage_project:*', 'view_test:acme', true],
    ['manage_project:*', 'manage_project:*', true],
    ['manage_project:*', 'manage_project:acme', true],
    ['view_test:acme', 'view_test:*', false],
    ['manage_project:acme', 'manage_project:*', false],
    ['manage_project:acme', 'view_test:other', false],
    ['view_test:acme', 'manage_test:acme', false],
  ])('of %s cover %s: %s', (scopes, scope, expected) => {
    expect(covers(new Set(scopes.split(' ')), scope)).toBe(expected)
  })
})
