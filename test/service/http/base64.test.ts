import { expect, it } from 'vitest'
import { toBase64 } from '../../../src/service/http/body.ts'

it.each([0, 1, 2, 3, 8192, 8193, 20_000])('encodes %i bytes like Node', (length) => {
  const bytes = Uint8Array.from({ length: length + 5 }, (_none, at) => (at * 7) % 256).subarray(5)
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
})
