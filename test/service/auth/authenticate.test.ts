import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAuthenticator, EVERYTHING } from '../../../src/service/auth/authenticate.ts'
import { createTokens } from '../../../src/service/auth/tokens.ts'
import { Problem } from '../../../src/errors.ts'
import type { AuthMode } from '../../../src/service/auth/authenticate.ts'
import { createFakeClock } from './fake-clock.ts'
import { tamperings } from './jwt.ts'
import { toProblem } from './thrown.ts'

function setUp(mode: AuthMode) {
  const clock = createFakeClock()
  const tokens = createTokens({ clock })
  const issue = (kind: 'access' | 'refresh' = 'access', scopes = ['view_test:acme']) =>
    tokens.issue({ scopes, clientId: 'shop', kind })
  return { clock, tokens, issue, ...createAuthenticator({ mode, tokens, clock }) }
}
type Setting = ReturnType<typeof setUp>

const withBearer = async (token: Promise<string> | string) => `Bearer ${await token}`

/** Every possible kind of Authorization header, and how to create it. */
const HEADERS = {
  none: () => undefined,
  empty: () => '',
  'Basic credentials': () => 'Basic c2hvcDpzZWNyZXQ=',
  'a token without its scheme': ({ issue }: Setting) => issue(),
  'the scheme alone': () => 'Bearer',
  'two tokens': () => 'Bearer a b',
  'an issued token': ({ issue }: Setting) => withBearer(issue()),
  'an expired token': async ({ clock, issue }: Setting) => {
    const header = await withBearer(issue())
    clock.pass(172_801)
    return header
  },
  'a refresh token': ({ issue }: Setting) => withBearer(issue('refresh')),
  "another mock's token": ({ clock }: Setting) =>
    withBearer(createTokens({ clock }).issue({ scopes: ['view_test:acme'], clientId: 'shop', kind: 'access' })),
  'a token that spells scopes': () => 'Bearer view_test:acme,manage_products:acme',
  'an unknown token': () => 'Bearer abc.def',
} satisfies Record<string, (setting: Setting) => string | undefined | Promise<string>>
type HeaderKind = keyof typeof HEADERS

type Outcome = 'everything' | 'its scopes' | RegExp
const MISSING =
  /^(?:Any token works here: Authorization: Bearer any\.|Send ".*" with a token .*) The request has no .*\.$/
const NOT_BEARER = /^(?:Any token works here: .*|Send .*) .* does not use the Bearer scheme\.$/
const BROKEN = /is empty or contains whitespace\. Send one token/
const EXPIRED = /^The token expired at 2001-02-05T04:05:06\.000Z\. Get a new one from POST \/oauth\/token\.$/
const REFRESH = /^This is a refresh token.* grant_type=refresh_token\.$/
const FORGED = /its signature is invalid.* Get a new one from POST \/oauth\/token\. Use --token-secret/
const UNKNOWN = /was not issued by this mock.*strict.* Get one from POST \/oauth\/token/

/** D32, mode by token. */
const MATRIX: readonly (readonly [HeaderKind, lenient: Outcome, strict: Outcome])[] = [
  ['none', MISSING, MISSING],
  ['empty', NOT_BEARER, NOT_BEARER],
  ['Basic credentials', NOT_BEARER, NOT_BEARER],
  ['a token without its scheme', NOT_BEARER, NOT_BEARER],
  ['the scheme alone', BROKEN, BROKEN],
  ['two tokens', BROKEN, BROKEN],
  ['an issued token', 'its scopes', 'its scopes'],
  ['an expired token', EXPIRED, EXPIRED],
  ['a refresh token', REFRESH, REFRESH],
  ["another mock's token", FORGED, FORGED],
  ['a token that spells scopes', 'its scopes', 'its scopes'],
  ['an unknown token', 'everything', UNKNOWN],
]

async function expectOutcome(outcome: Outcome, act: () => unknown): Promise<void> {
  if (outcome === 'everything') return expect(await act()).toEqual({ kind: 'everything' })
  if (outcome === 'its scopes') return expect(await act()).toMatchObject({ kind: 'scopes' })
  const { status, message, errors, headers } = await toProblem(act)
  expect(status).toBe(401)
  expect(message).toMatch(outcome)
  expect(errors).toEqual([{ code: 'invalid_token', message }])
  expect(headers).toEqual({ 'WWW-Authenticate': 'Bearer realm="acme", error="invalid_token"' })
}

it('has every kind of header in the matrix', () => {
  expect(MATRIX.map(([kind]) => kind)).toEqual(Object.keys(HEADERS))
})

describe.each(MATRIX)('given %s', (kind, lenient, strict) => {
  it.each([
    ['off', 'everything'],
    ['lenient', lenient],
    ['strict', strict],
  ] as const)('the mode "%s" gives the same result on the first and every later use', async (mode, outcome) => {
    const setting = setUp(mode)
    const header = await HEADERS[kind](setting)
    await expectOutcome(outcome, () => setting.authenticate(header, 'acme'))
    await expectOutcome(outcome, () => setting.authenticate(header, 'acme'))
  })
})

describe.each(['lenient', 'strict'] as const)('in the mode "%s"', (mode) => {
  it.each(tamperings)('refuses a token with %s', async (_, tamper) => {
    const { authenticate, issue } = setUp(mode)
    const header = await withBearer(tamper(await issue()))
    await expectOutcome(FORGED, () => authenticate(header, 'acme'))
  })

  it.each(['Bearer', 'bearer', 'BEARER', 'bEARER'])('accepts the scheme spelled %s', async (scheme) => {
    const { authenticate, issue } = setUp(mode)
    expect(await authenticate(`${scheme}  ${await issue()}`, 'acme')).toMatchObject({ kind: 'scopes' })
  })

  it('grants the scopes of an issued token until it expires', async () => {
    const { authenticate, clock, issue } = setUp(mode)
    const header = await withBearer(issue('access', ['view_test:acme', 'manage_test:b']))
    expect(await authenticate(header, 'acme')).toEqual({
      kind: 'scopes',
      scopes: new Set(['view_test:acme', 'manage_test:b']),
      expiresAt: Math.floor(clock() / 1000) * 1000 + 172_800_000,
    })
  })

  it('grants spelled scopes without an expiry', async () => {
    const { authenticate, clock } = setUp(mode)
    const grant = { kind: 'scopes', scopes: new Set(['view_test:acme', 'manage_products:acme']) }
    expect(await authenticate('Bearer view_test:acme,manage_products:acme', 'acme')).toEqual(grant)
    clock.pass(1e9)
    expect(await authenticate('Bearer view_test:acme,manage_products:acme', 'acme')).toEqual(grant)
  })

  it('verifies the signature of a known header only once', async () => {
    const { authenticate, issue } = setUp(mode)
    const header = await withBearer(issue())
    expect(await authenticate(header, 'acme')).toBe(await authenticate(header, 'acme'))
  })

  it('follows the clock: valid until the last moment, then expired', async () => {
    const clock = createFakeClock(0)
    const tokens = createTokens({ clock })
    const { authenticate } = createAuthenticator({ mode, tokens, clock })
    const header = await withBearer(tokens.issue({ scopes: ['view_test:acme'], clientId: 'shop', kind: 'access' }))
    clock.pass(172_799.999)
    expect(await authenticate(header, 'acme')).toMatchObject({ kind: 'scopes' })
    clock.pass(0.001)
    await expectOutcome(/expired at 1970-01-03T00:00:00\.000Z/, () => authenticate(header, 'acme'))
    clock.pass(-1)
    expect(await authenticate(header, 'acme')).toMatchObject({ kind: 'scopes' })
  })

  it('handles many concurrent requests independently', async () => {
    const { authenticate, issue } = setUp(mode)
    const projects = Array.from({ length: 40 }, (_, index) => `p${index}`)
    const headers = await Promise.all(projects.map((key) => withBearer(issue('access', [`view_test:${key}`]))))
    const grants = await Promise.all([...headers, ...headers].map(async (header) => authenticate(header, 'acme')))
    expect(grants.map((grant) => grant.kind === 'scopes' && [...grant.scopes].join())).toEqual(
      [...projects, ...projects].map((key) => `view_test:${key}`),
    )
  })

  it('still accepts a token after a thousand others', async () => {
    const { authenticate, issue } = setUp(mode)
    const header = await withBearer(issue())
    const before = await authenticate(header, 'acme')
    for (let index = 0; index < 1100; index += 1) await authenticate(`Bearer view_test:p${index}`, 'acme')
    expect(await authenticate(header, 'acme')).toEqual(before)
  })

  it("never repeats the header's value", async () => {
    const { authenticate } = setUp(mode)
    const { message } = await toProblem(() => authenticate('s3cret and more', 'acme'))
    expect(message).not.toContain('s3cret')
  })

  it('names the project of the current request, not of one refused before', async () => {
    const { authenticate } = setUp(mode)
    await toProblem(() => authenticate('Bearer', 'acme'))
    const { headers } = await toProblem(() => authenticate('Bearer', 'other'))
    expect(headers['WWW-Authenticate']).toContain('realm="other"')
  })

  it('throws only 401, with valid headers, for any header and project', async () => {
    const { authenticate } = setUp(mode)
    const header = fc.oneof(
      fc.constant(undefined),
      fc.string({ unit: 'binary' }),
      fc.string().map((rest) => `Bearer ${rest}`),
      fc.stringMatching(/^bearer [\w.:,*-]{1,60}$/),
    )
    await fc.assert(
      fc.asyncProperty(header, fc.string({ unit: 'grapheme' }), async (authorization, projectKey) => {
        try {
          expect(['everything', 'scopes']).toContain((await authenticate(authorization, projectKey)).kind)
        } catch (fault) {
          if (!(fault instanceof Problem)) throw fault
          expect(fault.status).toBe(401)
          expect(new Headers(fault.headers).get('WWW-Authenticate')).toMatch(
            /^Bearer realm="[ !#-[\]-~]*", error="invalid_token"$/,
          )
        }
      }),
    )
  })
})

it('requires nothing with authentication off, not even a header', async () => {
  const { authenticate } = setUp('off')
  expect(await authenticate(undefined, 'acme')).toBe(EVERYTHING)
})
