import * as fc from 'fast-check'
import { sign, verify } from 'hono/jwt'
import { describe, expect, it } from 'vitest'
import { createTokens } from '../../../src/service/auth/tokens.ts'
import { createFakeClock } from './fake-clock.ts'
import { tamperings, toClaims } from './jwt.ts'

const about = { scopes: ['view_test:acme', 'manage_products:acme'], clientId: 'shop', kind: 'access' } as const

describe('an issued token', () => {
  it('returns the values it was issued with', async () => {
    const clock = createFakeClock(Date.parse('2001-02-03T04:05:06.000Z'))
    const tokens = createTokens({ clock })
    expect(await tokens.verify(await tokens.issue(about))).toEqual({
      kind: 'issued',
      token: { ...about, expiresAt: clock() + 172_800_000 },
    })
  })

  it('is read back in full, whatever its values', async () => {
    const tokens = createTokens({ clock: createFakeClock() })
    const scope = fc.stringMatching(/^[a-z_]{1,20}:[a-z0-9*-]{1,20}$/)
    await fc.assert(
      fc.asyncProperty(
        fc.array(scope, { minLength: 1, maxLength: 5 }),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('access', 'refresh'),
        async (scopes, clientId, kind) => {
          const verification = await tokens.verify(await tokens.issue({ scopes, clientId, kind }))
          expect(verification).toMatchObject({ kind: 'issued', token: { scopes, clientId, kind } })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is a JWT of registered claims, which anyone with the secret can verify', async () => {
    const clock = createFakeClock()
    const token = await createTokens({ secret: 'p\u00E4ssword', clock, newId: () => 'id-1' }).issue(about)
    const iat = Math.floor(clock() / 1000)
    expect(await verify(token, 'p\u00E4ssword', { alg: 'HS256', exp: false })).toEqual({
      iss: 'resource-mock',
      client_id: 'shop',
      scope: 'view_test:acme manage_products:acme',
      use: 'access',
      jti: 'id-1',
      iat,
      exp: iat + 172_800,
    })
  })

  it('stays valid after a restart with the same secret', async () => {
    const clock = createFakeClock()
    const token = await createTokens({ secret: 's', clock }).issue(about)
    expect(await createTokens({ secret: 's', clock }).verify(token)).toMatchObject({ kind: 'issued' })
  })

  it('is forged for a mock with another or a random secret', async () => {
    const clock = createFakeClock()
    const token = await createTokens({ secret: 's', clock }).issue(about)
    expect(await createTokens({ secret: 't', clock }).verify(token)).toEqual({ kind: 'forged' })
    expect(await createTokens({ clock }).verify(token)).toEqual({ kind: 'forged' })
    expect(await createTokens({ clock }).verify(await createTokens({ clock }).issue(about))).toEqual({ kind: 'forged' })
  })

  it('is unique, even for the same moment and client', async () => {
    const tokens = createTokens({ clock: createFakeClock() })
    const issued = await Promise.all(Array.from({ length: 50 }, () => tokens.issue(about)))
    expect(new Set(issued).size).toBe(50)
  })

  it('is still readable after its expiry: the caller compares the times', async () => {
    const clock = createFakeClock()
    const tokens = createTokens({ clock })
    const token = await tokens.issue(about)
    clock.pass(1e9)
    expect(await tokens.verify(token)).toMatchObject({ kind: 'issued' })
  })
})

describe('a tampered token', () => {
  it.each(tamperings)('is forged: %s', async (_, tamper) => {
    const tokens = createTokens({ clock: createFakeClock() })
    const token = await tokens.issue(about)
    expect(tamper(token)).not.toBe(token)
    expect(await tokens.verify(tamper(token))).toEqual({ kind: 'forged' })
  })

  it('is never accepted as issued, whichever character was changed', async () => {
    const tokens = createTokens({ clock: createFakeClock() })
    const token = await tokens.issue(about)
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.stringMatching(/^[\w.=-]$/), async (at, character) => {
        fc.pre(token[at] !== character)
        const { kind } = await tokens.verify(token.slice(0, at) + character + token.slice(at + 1))
        expect(kind).not.toBe('issued')
      }),
    )
  })
})

describe('a token signed with the secret by someone else', () => {
  const secret = 's'
  const key = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256', kid: 'resource-mock' }

  it.each([
    ['no claims', {}],
    ['another issuer', { iss: 'other' }],
    ['no scope', { scope: undefined }],
    ['an unknown use', { use: 'id' }],
    ['a non-numeric expiry', { exp: '9999999999' }],
    ['an expiry before 1970', { exp: -8_640_000_000_001 }],
  ])('is forged if its claims are not those of an issued one: %s', async (what, claims) => {
    const tokens = createTokens({ secret, clock: createFakeClock() })
    const whole = what === 'no claims' ? {} : toClaims(await tokens.issue(about))
    expect(await tokens.verify(await sign({ ...whole, ...claims } as Record<string, unknown>, key))).toEqual({
      kind: 'forged',
    })
  })

  it('is as valid as an issued one if they are', async () => {
    const tokens = createTokens({ secret, clock: createFakeClock() })
    const claims = { ...toClaims(await tokens.issue(about)), scope: 'manage_test:acme' }
    expect(await tokens.verify(await sign(claims, key))).toMatchObject({
      kind: 'issued',
      token: { scopes: ['manage_test:acme'] },
    })
  })
})

describe('a token of another origin', () => {
  it.each([
    '',
    'abc',
    'a.b.c',
    '...',
    'view_test:acme',
    'eyJ',
    '\u{1F600}',
    'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ4In0.AAAA',
  ])('is foreign: %j', async (token) => {
    expect(await createTokens({ clock: createFakeClock() }).verify(token)).toEqual({ kind: 'foreign' })
  })

  it('never makes the verification fail', async () => {
    const tokens = createTokens({ clock: createFakeClock() })
    const header = (await tokens.issue(about)).split('.')[0] ?? ''
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((rest) => `${header}.${rest}`),
      fc.json().map((payload) => `x.${Buffer.from(payload).toString('base64url')}.y`),
    )
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(['forged', 'foreign']).toContain((await tokens.verify(token)).kind)
      }),
    )
  })
})
