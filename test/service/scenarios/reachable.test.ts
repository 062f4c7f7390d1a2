import { describe, expect, it } from 'vitest'
import { canMatchEndpoint } from '../../../src/service/scenarios/match.ts'
import { parseScenario } from '../../../src/service/scenarios/load.ts'

const toScenario = (match: object) => ({
  description: 'For a test',
  rules: [{ match, effect: { hideResources: true } }],
})

describe('the path of a rule', () => {
  it.each([
    '/acme/resource',
    '/*/resource',
    '/acme/resource/*',
    '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f',
    '/acme/resource/key=*',
    '/acme/resource/k*',
    '/acme/resource/*=abc',
    '/acme/resource/images',
    '/acme/resource/search*',
    '/acme/resource/namespace-action?with-example',
    '/acme/resource/**',
    '/acme/**',
    '/**',
    '**',
    '/acme/resource/key=%c3%a9',
    '/acme/%72esource/%69mages',
    '**/images',
    '/acme/resource/artificially-complex/path/uri-parameter-one=1/2',
    '/acme/resource/artificially-complex/**',
    '/acme/resource/artificially-complex/path/*/*',
    '/acm?/re*ce/?',
    `${'/**'.repeat(160)}/images`,
  ])('%s matches an endpoint', (path) => {
    expect(canMatchEndpoint(path)).toBe(true)
    expect(() => parseScenario(toScenario({ path }))).not.toThrow()
  })

  it.each([
    '',
    '/',
    'acme/resource',
    '*',
    '/acme',
    '/acme/',
    '/acme/resources',
    '/acme/resource/',
    '/acme/resource/a/b',
    '/@session/acme/resource',
    '/eu/gcp/acme/resource',
    '/acme/resource/artificially-complex/path/one/two',
    'http://localhost/acme/resource',
    '/oauth/token',
    '/__admin/state',
    '/__admin/resource',
    '/_pactSetup/resource/*',
    '/%5f%5fadmin/resource',
    '/acme/resource/%zz',
    '/acme/resource/key=%c3',
    '/acme/resource/..',
    '/acme/./resource/%2e%2e',
  ])('%j matches no endpoint, and is refused', (path) => {
    expect(canMatchEndpoint(path)).toBe(false)
    expect(() => parseScenario(toScenario({ path }))).toThrow(
      `rules[0].match.path: an endpoint path expected, such as /acme/resource/*, without session and base URL. Found ${JSON.stringify(path)}.`,
    )
  })

  it('matches none behind any number of stars', () => {
    expect(canMatchEndpoint(`${'/**'.repeat(160)}/none/of/all`)).toBe(false)
  })

  it('is checked against the operations of the rule', () => {
    expect(() => parseScenario(toScenario({ operation: 'updateResource', path: '/acme/resource/1' }))).not.toThrow()
    expect(() =>
      parseScenario(toScenario({ operation: ['updateResource', 'uploadImage'], path: '/*/*/images' })),
    ).not.toThrow()
    expect(() => parseScenario(toScenario({ operation: 'updateResource', path: '/acme/resource' }))).toThrow(
      'match.path',
    )
  })

  it('is refused if an operation by id has the path of another operation', () => {
    expect(canMatchEndpoint('/acme/resource/images', ['updateResource', 'deleteResource'])).toBe(false)
    expect(canMatchEndpoint('/acme/resource/images', ['uploadImage'])).toBe(true)
    expect(canMatchEndpoint('/**/resource', ['updateResource'])).toBe(true)
  })

  it('is checked against the methods of the rule', () => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', ['PATCH', 'GET']]) {
      expect(() => parseScenario(toScenario({ method, path: '/acme/resource/*' }))).not.toThrow()
    }
    expect(() => parseScenario(toScenario({ method: 'PATCH', path: '/acme/resource/*' }))).toThrow(
      'rules[0].match.path: an endpoint path with this method expected, such as /acme/resource/*,',
    )
  })
})

describe('a rule for the token endpoints', () => {
  const toRule = (match: object, effect: object = { answer: { status: 503 } }) => ({
    description: 'For a test',
    rules: [{ match, effect }],
  })

  it.each([
    '/oauth/token',
    '/oauth/introspect',
    '/oauth/*/customers/token',
    '/oauth/**',
    '/oauth/acme/anonymous/token',
  ])('can have the path %s', (path) => {
    expect(() => parseScenario(toRule({ operation: 'token', path }))).not.toThrow()
  })

  it('is refused if its path or method is not theirs', () => {
    expect(() => parseScenario(toRule({ operation: 'token', path: '/acme/resource' }))).toThrow('match.path')
    expect(() => parseScenario(toRule({ operation: 'token', method: 'GET' }))).toThrow('match.method')
  })

  it('has to name them', () => {
    expect(() => parseScenario(toRule({ path: '/oauth/token' }))).toThrow(
      'To match the token endpoints, add "operation": "token".',
    )
  })

  it('is refused with an effect that needs an operation', () => {
    const effect = { expireToken: true }
    expect(() => parseScenario(toRule({ operation: 'token' }, effect))).toThrow(
      'rules[0].effect: an effect for the token endpoints expected: answer, delay, fault, rateLimit.',
    )
    expect(() => parseScenario(toRule({ operation: ['token', 'reads'] }, effect))).not.toThrow()
  })
})

it('a rule is refused if its operation never has its method', () => {
  expect(() => parseScenario(toScenario({ operation: 'getResourceById', method: 'HEAD' }))).not.toThrow()
  expect(() => parseScenario(toScenario({ operation: 'updateResource', method: ['GET', 'PUT'] }))).toThrow(
    'rules[0].match.method: a method supported by the operation expected. Found ["GET","PUT"].',
  )
})
