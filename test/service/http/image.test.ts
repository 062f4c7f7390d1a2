import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImageType } from '../../../src/service/contract/endpoint.ts'
import { Problem } from '../../../src/errors.ts'
import { checkImage } from '../../../src/service/http/image.ts'
import { samples, toGif, toJpeg, toPng } from './image-samples.ts'

const types: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/gif']
const anyType = fc.constantFrom(...types)

/** The problem that a check throws; undefined if it accepts. Any other error fails the test. */
function findProblem(bytes: Uint8Array, type: ImageType): Problem | undefined {
  try {
    checkImage(bytes, type)
    return undefined
  } catch (fault) {
    if (fault instanceof Problem) return fault
    throw fault
  }
}

const replace = (bytes: Uint8Array, at: number, ...values: readonly number[]): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  copy.set(values, at)
  return copy
}

describe.each(samples)('$name', ({ type, width, height, bytes }) => {
  it('is accepted, and its size is read', () => {
    expect(checkImage(bytes, type)).toEqual({ width, height })
  })

  it('is refused if it is truncated at any byte', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(findProblem(bytes.subarray(0, length), type), `the first ${length} bytes`).toBeInstanceOf(Problem)
    }
  })

  it('is refused under another type', () => {
    for (const other of types.filter((one) => one !== type)) {
      expect(findProblem(bytes, other)?.message).toBe(`Image data can't be read as ${other}. Possibly corrupted?`)
    }
  })

  it('is read from a view into a larger buffer', () => {
    const around = new Uint8Array(bytes.length + 20).fill(0xff)
    around.set(bytes, 10)
    expect(checkImage(around.subarray(10, 10 + bytes.length), type)).toEqual({ width, height })
  })
})

it('gets a 400 with one sentence', () => {
  const found = findProblem(new Uint8Array(), 'image/png')
  expect(found).toMatchObject({ status: 400, errors: [{ code: 'InvalidInput' }] })
  expect(found?.message).toBe("Image data can't be read as image/png. Possibly corrupted?")
})

it.each(samples.filter(({ type }) => type !== 'image/gif'))('accepts bytes after the end of $name', (one) => {
  const { bytes, type, width, height } = one
  expect(checkImage(Buffer.concat([bytes, Buffer.from('more')]), type)).toEqual({ width, height })
})

it.each([
  ['a PNG without a width', toPng(0, 2), 'image/png'],
  ['a GIF without a height', toGif(3, 0), 'image/gif'],
  ['a JPEG without a scan', Buffer.concat([toJpeg(8, 8).subarray(0, -13), Buffer.from([0xff, 0xd9])]), 'image/jpeg'],
  ['a JPEG without a frame', Buffer.from('ffd8ffd9', 'hex'), 'image/jpeg'],
  ['a JPEG without a height', toJpeg(8, 0), 'image/jpeg'],
  ['a JPEG whose scan comes before its frame', Buffer.from('ffd8ffda0002000000ffd9', 'hex'), 'image/jpeg'],
] as const)('refuses %s', (_, bytes, type) => {
  expect(findProblem(bytes, type)).toBeInstanceOf(Problem)
})

it('accepts fill bytes before a JPEG marker', () => {
  const jpeg = toJpeg(8, 8)
  const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff]), jpeg.subarray(2)])
  expect(checkImage(filled, 'image/jpeg')).toEqual({ width: 8, height: 8 })
})

it('throws only problems, whatever the bytes', () => {
  const heads = samples.map(({ bytes }) => bytes.subarray(0, 40))
  fc.assert(
    fc.property(
      fc.constantFrom(Buffer.alloc(0), ...heads),
      fc.uint8Array({ maxLength: 300 }),
      anyType,
      (head, tail, type) => {
        findProblem(Buffer.concat([head, tail]), type)
      },
    ),
  )
})

it('throws only problems if bytes of a valid image are changed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat(255), ({ bytes, type }, at, value) => {
      findProblem(replace(bytes, at % bytes.length, value), type)
    }),
  )
})
