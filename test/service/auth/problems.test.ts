import { describe, expect, it } from 'vitest'
import { problem } from '../../../src/errors.ts'

describe.each([
  ['acme', 'acme'],
  ['a b', 'a b'],
  ['caf\u00E9', 'caf%C3%A9'],
  ['\u5E97', '%E5%BA%97'],
  ['a"b', 'a%22b'],
  ['a\\b', 'a%5Cb'],
  ['a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie: b'],
])('the project key %j in WWW-Authenticate', (projectKey, shown) => {
  it('can be sent with a 401', () => {
    const { headers } = problem.invalidToken(projectKey, 'No.')
    expect(new Headers(headers).get('WWW-Authenticate')).toBe(`Bearer realm="${shown}", error="invalid_token"`)
  })

  it('can be sent with a 403', () => {
    const { headers } = problem.insufficientScope(projectKey, [`view_test:${projectKey}`])
    expect(new Headers(headers).get('WWW-Authenticate')).toBe(
      `Bearer realm="${shown}", error="insufficient_scope", scope="view_test:${shown}"`,
    )
  })
})
