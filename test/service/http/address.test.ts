import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { parseAddress, splitUrl, toBaseUrlName } from '../../../src/service/http/request-head.ts'

const oauthToken = { region: 'oauth', cloudProvider: 'token' }
const eu = { region: 'eu', cloudProvider: 'gcp' }

describe('parseAddress', () => {
  it.each([
    ['http://mock/acme/resource', '', '/acme/resource', undefined, undefined],
    ['http://mock:4010/acme/resource/1', '', '/acme/resource/1', undefined, undefined],
    ['http://mock/eu/gcp/acme/resource', '/eu/gcp', '/acme/resource', eu, undefined],
    ['http://mock/@s1/acme/resource/1', '/@s1', '/acme/resource/1', undefined, 's1'],
    ['http://mock/@s1/eu/gcp/acme/resource', '/@s1/eu/gcp', '/acme/resource', eu, 's1'],
    ['http://mock/@s1', '/@s1', '/', undefined, 's1'],
    ['http://mock/@/acme/resource', '/@', '/acme/resource', undefined, ''],
    ['http://api.eu.gcp.localhost:4010/acme/resource', '', '/acme/resource', eu, undefined],
    ['http://api.eu.gcp.localhost/@s1/acme/resource', '/@s1', '/acme/resource', eu, 's1'],
    ['http://mock/oauth/token', '', '/oauth/token', undefined, undefined],
    ['http://mock/eu/gcp/oauth/token', '/eu/gcp', '/oauth/token', eu, undefined],
    ['http://mock/@s1/eu/gcp/oauth/acme/anonymous/token', '/@s1/eu/gcp', '/oauth/acme/anonymous/token', eu, 's1'],
    ['http://mock/oauth/gcp/acme/resource', '/oauth/gcp', '/acme/resource', { ...eu, region: 'oauth' }, undefined],
    ['http://mock/oauth/gcp/oauth/token', '/oauth/gcp', '/oauth/token', { ...eu, region: 'oauth' }, undefined],
    ['http://mock/oauth/token/acme/resource', '/oauth/token', '/acme/resource', oauthToken, undefined],
    ['http://mock/oauth/acme/customers/token', '', '/oauth/acme/customers/token', undefined, undefined],
    ['http://mock/oauth/resource', '', '/oauth/resource', undefined, undefined],
    ['http://mock/@s1/__admin/state', '/@s1', '/__admin/state', undefined, 's1'],
    [
      'http://mock/my%20region/gcp/acme/resource',
      '/my%20region/gcp',
      '/acme/resource',
      { ...eu, region: 'my region' },
      undefined,
    ],
    ['http://mock/', '', '/', undefined, undefined],
    ['http://mock/a/b/c/d', '', '/a/b/c/d', undefined, undefined],
    ['http://mock//gcp/acme/resource', '', '//gcp/acme/resource', undefined, undefined],
    ['http://mock/eu//acme/resource', '', '/eu//acme/resource', undefined, undefined],
  ])('reads %s', (url, prefix, path, baseUrl, session) => {
    expect(parseAddress(url)).toEqual({ ...splitUrl(url), prefix, path, baseUrl, session, search: '' })
  })

  it.each([
    ['%72esource is resource', '/acme/%72esource', '/acme/resource'],
    ['%7e is ~', '/acme/resource/%7e1', '/acme/resource/~1'],
    ['an encoded slash stays encoded', '/acme/resource/a%2Fb', '/acme/resource/a%2Fb'],
    ['an encoded equals sign stays encoded', '/acme/resource/key%3Dabc', '/acme/resource/key%3Dabc'],
    ['an encoded percent sign stays encoded', '/acme/resource/%2572', '/acme/resource/%2572'],
  ])('normalizes: %s', (_case, from, to) => {
    expect(parseAddress(`http://mock${from}`).path).toBe(to)
  })

  it('keeps the query unchanged', () => {
    expect(parseAddress('http://mock/acme/resource?where=a%3D/x/resource&b=?')).toMatchObject({
      path: '/acme/resource',
      search: '?where=a%3D/x/resource&b=?',
    })
  })

  it('omits a fragment', () => {
    expect(parseAddress('http://mock/acme/resource?a=1#/b?c')).toMatchObject({ path: '/acme/resource', search: '?a=1' })
  })

  it.each(['/acme/resource/%', '/acme/resource/%zz', '/acme/resource/%ff', '/%c3/resource'])('refuses %s', (path) => {
    expect(() => parseAddress(`http://mock${path}`)).toThrow(/has invalid percent-encoding/)
  })

  it('results in an address or a 400, whatever the path', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        try {
          const { prefix, path: rest, search } = parseAddress(`http://mock/${path}?${query}`)
          expect(rest.startsWith('/')).toBe(true)
          expect(prefix === '' || prefix.startsWith('/')).toBe(true)
          expect(search).toBe(`?${query}`)
        } catch (fault) {
          expect(fault).toBeInstanceOf(Problem)
        }
      }),
    )
  })
})

it('gives the host and path forms of a base URL one name', () => {
  const inPath = parseAddress('http://mock/EU/gcp/acme/resource').baseUrl
  const inHost = parseAddress('http://api.eu.GCP.localhost/acme/resource').baseUrl
  expect(toBaseUrlName(inPath)).toBe(toBaseUrlName(inHost))
  expect(toBaseUrlName(undefined)).toBe('')
})
