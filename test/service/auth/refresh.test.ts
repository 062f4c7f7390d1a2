import { describe, expect, it } from 'vitest'
import { basic, createTokenService } from './token-service.ts'
import type { TokenService } from './token-service.ts'

async function signIn({ post }: TokenService, scope: string): Promise<string> {
  const { body } = await post('/oauth/acme/anonymous/token', { form: { grant_type: 'client_credentials', scope } })
  return body.refresh_token ?? ''
}

const refresh = ({ post }: TokenService, token: string, more: Readonly<Record<string, string>> = {}) =>
  post('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token: token, ...more } })

describe('a refresh token', () => {
  it('is exchanged for a new access token of the same scope, repeatedly', async () => {
    const service = createTokenService()
    const token = await signIn(service, 'view_test:acme manage_test:acme')
    const first = await refresh(service, token)
    expect(first.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 172_800,
      scope: 'view_test:acme manage_test:acme',
    })
    service.clock.pass(172_801)
    const second = await refresh(service, token)
    expect(second.status).toBe(200)
    expect(second.body.access_token).not.toBe(first.body.access_token)
    expect(await service.tokens.verify(second.body.access_token)).toMatchObject({ token: { kind: 'access' } })
  })

  it.each([
    ['view_test:acme manage_test:acme', 'view_test:acme'],
    ['manage_project:*', 'view_test:acme'],
    ['manage_project:*', 'manage_project:acme'],
    ['manage_project:acme', 'manage_test:acme view_test:acme'],
    ['view_test:*', 'view_test:acme'],
  ])('for %s is exchanged for the narrower %s', async (granted, scope) => {
    const service = createTokenService()
    const { status, body } = await refresh(service, await signIn(service, granted), { scope })
    expect([status, body.scope]).toEqual([200, scope])
  })

  it.each([
    ['view_test:acme', 'manage_test:acme'],
    ['view_test:acme', 'view_test:acme view_test:other'],
    ['view_test:acme', 'view_test:*'],
    ['view_test:acme view_test:other', 'manage_test:acme'],
    ['manage_project:acme', 'manage_project:*'],
  ])('for %s is not exchanged for %s', async (granted, scope) => {
    const service = createTokenService()
    const { status, body } = await refresh(service, await signIn(service, granted), { scope })
    expect([status, body.error]).toEqual([400, 'invalid_scope'])
    expect(body.message).toContain(`Request some of: ${granted}.`)
  })

  it('is refused from another client', async () => {
    const service = createTokenService()
    const { status, body } = await service.post('/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token: await signIn(service, 'view_test:acme') },
      headers: { Authorization: basic('other', 's') },
    })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect(body.message).toContain('another client')
  })

  it('is refused after 200 days', async () => {
    const service = createTokenService()
    const token = await signIn(service, 'view_test:acme')
    service.clock.pass(200 * 86_400 - 1)
    expect((await refresh(service, token)).status).toBe(200)
    service.clock.pass(1)
    const { status, body } = await refresh(service, token)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect(body.message).toContain('expired at 2001-08-22T04:05:06.000Z')
  })

  it.each(['abc', 'view_test:acme', 'a.b.c'])('cannot be %s', async (token) => {
    const { status, body } = await refresh(createTokenService(), token)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })

  it('is not an access token, nor one of another mock', async () => {
    const service = createTokenService()
    const about = { scopes: ['view_test:acme'], clientId: 'shop' }
    const access = await service.tokens.issue({ ...about, kind: 'access' })
    const foreign = await createTokenService().tokens.issue({ ...about, kind: 'refresh' })
    for (const token of [access, foreign]) {
      const { status, body } = await refresh(service, token)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
  })
})
