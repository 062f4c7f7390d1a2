import { describe, expect, it } from 'vitest'
import type { AuthMode } from '../../../src/service/auth/authenticate.ts'
import { createTokenService } from './token-service.ts'
import type { TokenService } from './token-service.ts'

const MODES: readonly AuthMode[] = ['off', 'lenient', 'strict']
const INACTIVE = { active: false }
const about = { scopes: ['view_test:acme', 'manage_test:acme'], clientId: 'shop' }

async function introspect({ post }: TokenService, token: string): Promise<unknown> {
  const { response, status, body } = await post('/oauth/introspect', { form: { token } })
  expect([status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
  return body
}

describe.each(MODES)('introspection in the mode "%s"', (mode) => {
  it('describes an issued token until it expires, then reports only that it is inactive', async () => {
    const service = createTokenService({ mode })
    const token = await service.tokens.issue({ ...about, kind: 'access' })
    expect(await introspect(service, token)).toEqual({
      active: true,
      scope: 'view_test:acme manage_test:acme',
      exp: Date.parse('2001-02-05T04:05:06Z') / 1000,
      client_id: 'shop',
      token_type: 'Bearer',
    })
    service.clock.pass(172_800)
    expect(await introspect(service, token)).toEqual(INACTIVE)
  })

  it('describes the spelled scopes of a token', async () => {
    expect(await introspect(createTokenService({ mode }), 'view_test:acme,manage_products:acme')).toEqual({
      active: true,
      scope: 'view_test:acme manage_products:acme',
      token_type: 'Bearer',
    })
  })

  it('reports unusable tokens as inactive: a refresh token, a forged one, one with a space', async () => {
    const service = createTokenService({ mode })
    const forged = await createTokenService().tokens.issue({ ...about, kind: 'access' })
    for (const token of [await service.tokens.issue({ ...about, kind: 'refresh' }), forged, 'a b']) {
      expect(await introspect(service, token)).toEqual(INACTIVE)
    }
  })

  it('describes an unknown token as endpoints treat it', async () => {
    const expected = mode === 'strict' ? INACTIVE : { active: true, scope: 'manage_project:*', token_type: 'Bearer' }
    expect(await introspect(createTokenService({ mode }), 'abc')).toEqual(expected)
  })
})

it('is lenient by default', async () => {
  expect(await introspect(createTokenService(), 'abc')).toMatchObject({ active: true })
})
