import { decode } from 'hono/jwt'

const toSegment = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** The claims of a token, unverified. */
export const toClaims = (token: string): Record<string, unknown> => decode(token).payload

const replaceSegment = (token: string, index: number, segment: string): string =>
  token.split('.').with(index, segment).join('.')

/** The token with another header, its payload and signature as they were. */
export const withHeader = (token: string, header: unknown): string => replaceSegment(token, 0, toSegment(header))

/** The token with some claims changed, its signature as it was. */
export const withClaims = (token: string, claims: object): string =>
  replaceSegment(token, 1, toSegment({ ...toClaims(token), ...claims }))

/** The token with one character of its signature replaced by the next one in the alphabet. */
export function withSignatureChanged(token: string, at: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const signature = token.split('.')[2] ?? ''
  const next = alphabet.charAt((alphabet.indexOf(signature.charAt(at)) + 1) % 64)
  return replaceSegment(token, 2, signature.slice(0, at) + next + signature.slice(at + 1))
}

/** Every way to tamper with a token that keeps the form of a token. */
export const tamperings: readonly (readonly [string, (token: string) => string])[] = [
  ['a wider scope', (token) => withClaims(token, { scope: 'manage_project:*' })],
  ['a later expiry', (token) => withClaims(token, { exp: 9_999_999_999 })],
  ['a payload that is no JSON', (token) => replaceSegment(token, 1, toSegment('{'))],
  ['a payload of null', (token) => replaceSegment(token, 1, toSegment('null'))],
  ['the algorithm "none"', (token) => withHeader(token, { alg: 'none', typ: 'JWT', kid: 'resource-mock' })],
  ['another algorithm', (token) => withHeader(token, { alg: 'HS512', typ: 'JWT', kid: 'resource-mock' })],
  ['another key', (token) => withHeader(token, { alg: 'HS256', typ: 'JWT', kid: 'other' })],
  ['a header that is no JSON', (token) => withHeader(token, '{')],
  ['no signature', (token) => replaceSegment(token, 2, '')],
  ['no third segment', (token) => token.split('.').slice(0, 2).join('.')],
  ['the first segment only', (token) => `${token.split('.')[0]}.`],
  ['a fourth segment', (token) => `${token}.x`],
  ['padding after it', (token) => `${token}=`],
  ['its first signature character changed', (token) => withSignatureChanged(token, 0)],
  // Its last two bits are unused, so the bytes are the same, but the text is not the one that was issued.
  ['its last signature character changed', (token) => withSignatureChanged(token, 42)],
]
