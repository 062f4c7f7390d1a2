import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/service/http/json.ts'
import { parseRawQuery } from '../../../src/service/http/request-head.ts'
import { compileMatch, includes } from '../../../src/service/scenarios/match.ts'
import type { MatchInput } from '../../../src/service/scenarios/match.ts'
import type { Match } from '../../../src/service/scenarios/schema.ts'

interface ScenarioRule {
  readonly operation?: MatchInput['operation']
  readonly projectKey?: string
  readonly method?: string
  readonly path?: string
  readonly search?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const toFacts = ({ search = '', headers = {}, body, ...more }: ScenarioRule): MatchInput => ({
  operation: 'updateResource',
  projectKey: 'acme',
  method: 'POST',
  path: '/acme/resource/1',
  ...more,
  query: parseRawQuery(search),
  headers: new Headers(headers),
  body: () => Promise.resolve(body),
})

describe('match', () => {
  it.each<readonly [Match, ScenarioRule, boolean]>([
    [{}, {}, true],
    [{ operation: 'updateResource' }, {}, true],
    [{ operation: 'deleteResource' }, {}, false],
    [{ operation: ['deleteResource', 'updateResource'] }, {}, true],
    [{ method: 'POST' }, {}, true],
    [{ method: ['GET', 'HEAD'] }, {}, false],
    [{ project: 'acme' }, {}, true],
    [{ project: 'acm' }, {}, false],
    [{ project: 'ac*' }, {}, true],
    [{ project: '*' }, { projectKey: 'a/b' }, true],
    [{ path: '/acme/resource/*' }, {}, true],
    [{ path: '/acme/resource/*' }, { path: '/acme/resource/1/2' }, false],
    [{ path: '/acme/resource/**' }, { path: '/acme/resource/1/2' }, true],
    [{ path: '/*/resource/key=*' }, { path: '/acme/resource/key=abc' }, true],
    [{ path: '/*/resource/key=*' }, { path: '/acme/resource/.abc' }, false],
    [{ path: '/acme/resource/*' }, { path: '/acme/resource/.abc' }, true],
    [{ path: '/acme/resource/?' }, {}, true],
    [{ path: '/acme/resource/[1]' }, { path: '/acme/resource/[1]' }, true],
    [{ path: '/acme/resource/[1]' }, {}, false],
    [{ path: '/acme/resource/{1,2}' }, {}, false],
    [{ path: '!/other/**' }, {}, false],
    [{ query: { version: '*' } }, { search: '?version=' }, true],
    [{ query: { version: '*' } }, { search: '?vers=1' }, false],
    [{ query: { version: '1' } }, { search: '?version=2&version=1' }, true],
    [{ query: { where: 'key = "*"' } }, { search: '?where=key+%3D+%22a%2Fb%22' }, true],
    [{ query: { a: '1', b: '2' } }, { search: '?a=1&b=3' }, false],
    [{ headers: { 'x-tenant': 'a*' } }, { headers: { 'X-Tenant': 'abc' } }, true],
    [{ headers: { 'X-Tenant': 'a*c*' } }, { headers: { 'X-Tenant': 'abc' } }, true],
    [{ headers: { 'X-Tenant': 'ab*bc' } }, { headers: { 'X-Tenant': 'abc' } }, false],
    [{ headers: { 'X-Tenant': '*' } }, {}, false],
    [{ headers: { 'X-Tenant': 'a.c' } }, { headers: { 'X-Tenant': 'abc' } }, false],
    [{ body: { version: 1 } }, { body: { version: 1, actions: [] } }, true],
    [{ body: { version: 1 } }, { body: { version: '1' } }, false],
    [{ body: { key: 'wool-*' } }, { body: { key: 'wool-hat' } }, true],
    [{ body: { key: 'wool-*' } }, { body: { key: 'woollen' } }, false],
    [
      { body: { actions: [{ action: '*', someProperty: '*a*' }] } },
      { body: { actions: [{ action: 'x', someProperty: 'cat' }] } },
      true,
    ],
    [{ body: { key: '*' } }, { body: { key: 1 } }, false],
    [{ body: { '*': 1 } }, { body: { key: 1 } }, false],
    [{ body: {} }, { body: undefined }, false],
    [
      { operation: 'updateResource', body: { version: 1 } },
      { operation: 'createResource', body: { version: 1 } },
      false,
    ],
  ])('%j of %j: %s', async (match, asked, expected) => {
    expect(await compileMatch(match)(toFacts(asked))).toBe(expected)
  })

  it('reads the body only if a condition needs it and all others match', () => {
    const unread: MatchInput = { ...toFacts({}), body: () => expect.fail('the body was read') }
    expect(compileMatch({ method: 'POST' })(unread)).toBe(true)
    expect(compileMatch({ method: 'GET', body: {} })(unread)).toBe(false)
  })

  it('matches a glob of many stars quickly', () => {
    const matches = compileMatch({ headers: { 'X-A': `${'*a'.repeat(100)}*b` } })
    expect(matches(toFacts({ headers: { 'X-A': 'a'.repeat(10_000) } }))).toBe(false)
  })

  it('matches the texts that a glob was made from', () => {
    const word = fc.stringMatching(/^[a-z.+([]{0,4}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.array(word, { minLength: 1 }), (parts, fillings) => {
        const text = parts.map((part, at) => (at === 0 ? part : `${fillings[at % fillings.length]}${part}`)).join('')
        return compileMatch({ project: parts.join('*') })(toFacts({ projectKey: text })) === true
      }),
    )
  })
})

describe('a partial body', () => {
  it.each<readonly [string, string, boolean]>([
    ['{"a":1,"b":2}', '{"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":{"b":{"c":1},"d":2}}', '{"a":{"b":{}}}', true],
    ['{"a":[]}', '{"a":{}}', false],
    ['{"a":{}}', '{"a":[]}', false],
    ['[{"action":"x","y":1}]', '[{"action":"x"}]', true],
    ['[1,2]', '[1]', false],
    ['[2,1]', '[1,2]', false],
    ['null', 'null', true],
    ['{"a":null}', '{"a":null}', true],
    ['{}', '{"a":null}', false],
    ['true', '1', false],
    ['9223372036854775807', '9223372036854775807', true],
    ['9223372036854775806', '9223372036854775807', false],
    ['9007199254740993', '9007199254740992', false],
    ['1.0', '1', true],
    ['{}', '{"toString":{}}', false],
    ['{"__proto__":1}', '{"__proto__":1}', true],
  ])('%s has %s: %s', (body, pattern, expected) => {
    expect(includes(parseJson(body), parseJson(pattern))).toBe(expected)
  })

  it('matches itself, and any subset of its members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const [first] = Object.entries(value)
        return includes(value, value) && includes(value, first === undefined ? {} : Object.fromEntries([first]))
      }),
    )
  })
})
