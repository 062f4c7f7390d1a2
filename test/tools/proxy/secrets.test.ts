import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../src/tools/proxy/recorder.ts'

const tokenOf = (at: number): string => `token-${String(at).padStart(6, '0')}`
const noteToken = (secrets: ReturnType<typeof createSecrets>, token: string): void =>
  secrets.noteHeaders(new Headers({ Authorization: `Bearer ${token}` }))

describe('the secrets of a recording', () => {
  it('are limited to the last thousand', () => {
    const secrets = createSecrets([])
    for (let at = 0; at < 1500; at += 1) noteToken(secrets, tokenOf(at))
    expect(secrets.strike([tokenOf(0), tokenOf(499), tokenOf(500), tokenOf(1499)])).toEqual([
      tokenOf(0),
      tokenOf(499),
      '[redacted]',
      '[redacted]',
    ])
  })

  it('are detected without their scheme in any credentials header', () => {
    const secrets = createSecrets([])
    secrets.noteHeaders(
      new Headers({ 'X-Forwarded-Authorization': 'Bearer a-forwarded-token', 'X-Api-Key': 'key-1234' }),
    )
    expect(secrets.strike(['a-forwarded-token', 'key-1234'])).toEqual(['[redacted]', '[redacted]'])
  })

  it('are replaced wherever they occur, the longest of several first', () => {
    const secrets = createSecrets([])
    secrets.noteBody([{ token: 'token-abc' }, { token: 'token-abcdef' }])
    expect(secrets.strike('a token-abc, token-abcdef;token-abc')).toBe('a [redacted], [redacted];[redacted]')
  })

  it('are not searched for in the bytes of an image', () => {
    const secrets = createSecrets([])
    secrets.noteBody(Object.assign(new Uint8Array(2), { token: 'no-member' }))
    expect(secrets.strike('no-member')).toBe('no-member')
  })

  it('keep one that recurs', () => {
    const secrets = createSecrets([])
    for (let at = 0; at < 3000; at += 1) {
      noteToken(secrets, tokenOf(at))
      noteToken(secrets, 'the-token-of-the-app')
    }
    expect(secrets.strike('the-token-of-the-app')).toBe('[redacted]')
  })

  it('are limited in characters, too', () => {
    const secrets = createSecrets([])
    secrets.noteBody({ token: 'old-secret' })
    secrets.noteBody(Array.from({ length: 20 }, (_, at) => ({ token: String(at).padEnd(100_000, 'x') })))
    expect(secrets.strike('old-secret')).toBe('old-secret')
  })
})
