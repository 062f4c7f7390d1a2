import { describe, expect, it } from 'vitest'
import { toEnvelope } from '../../../src/service/http/envelope.ts'
import { problem } from '../../../src/errors.ts'

const refusing = (invalidValue: unknown) =>
  toEnvelope(problem.invalidField({ field: 'key', message: 'Not so.', invalidValue })).errors[0]

describe('an error', () => {
  it('has its code and its message first', () => {
    expect(Object.keys(refusing('x') ?? {})).toEqual(['code', 'message', 'field', 'invalidValue'])
  })

  it('quotes the sent value', () => {
    expect(refusing([1, { a: 2n ** 63n }])).toMatchObject({ invalidValue: [1, { a: 2n ** 63n }] })
    expect(refusing(null)).toMatchObject({ invalidValue: null })
  })

  it.each([
    ['text', 'x'.repeat(5000)],
    ['list', Array.from({ length: 5000 }, (_, at) => at)],
  ])('quotes at most a thousand characters of a long %s', (_what, sent) => {
    expect(refusing(sent)).toMatchObject({ invalidValue: expect.stringMatching(/^.{1000}…$/) })
  })
})
