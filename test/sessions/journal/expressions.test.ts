import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { compileExpression } from '../../../src/sessions/journal/expressions.ts'

const test = (source: string, text: string): boolean => compileExpression(source, 'urlPattern')(text)

describe('a regular expression', () => {
  it.each([
    ['/acme/resource', '/acme/resource', true],
    ['/acme', '/acme/resource', false],
    ['/acme/.*', '/acme/resource?limit=1', true],
    ['/[^/]+/resource/[a-f0-9-]{36}', '/acme/resource/12fb14bb-600e-4bfa-bd8d-be7f12562c99', true],
    ['/(acme|other)/resource(\\?.*)?', '/other/resource', true],
    ['/(?:acme|other)/resource', '/third/resource', false],
    ['/(?<project>\\w+)/resource', '/acme/resource', true],
    ['^/acme$', '/acme', true],
    ['.*"limit": ?20.*', '{\n"limit": 20\n}', true],
    ['(/[^/]+)*', '/a/b/c', true],
    ['a{2}', 'aaa', false],
    ['a{2,}', 'aaa', true],
    ['a{0,2}', 'aaa', false],
    ['a+?b*?', 'aabb', true],
    ['(?i)BEARER .*', 'bearer abc', true],
    ['(?i)[A-Z]+\\u0041', 'abca', true],
    ['.*\\bcat\\b.*', 'a cat!', true],
    ['.*\\bcat\\b.*', 'concatenate', false],
    ['con\\Bcat', 'concat', true],
    ['\\d+\\.\\d', '12.5', true],
    ['[\\w.\\-\\]]+', 'a.b-c]', true],
    ['|a', '', true],
    ['', 'a', false],
    ['(a*)*', 'aaa', true],
    ['}]', '}]', true],
  ])('%j on %j: %s', (source, text, expected) => {
    expect(test(source, text)).toBe(expected)
  })

  it.each([
    ['(a', 'has an unclosed group, opened at column 1'],
    ['a)', 'has an unmatched ")"'],
    ['[a', 'has an unclosed or empty character class'],
    ['[]', 'has an unclosed or empty character class'],
    ['[z-a]', 'malformed character class [z-a]'],
    ['[a&&[^b]]', 'has an unescaped "[" or "&&"'],
    ['[\\p]', 'has an unsupported escape'],
    ['*a', 'has a quantifier "*" with nothing to repeat'],
    ['a**', 'has a quantifier "*" with nothing to repeat'],
    ['a{', 'escape it as \\{'],
    ['{"a":1}', 'escape it as \\{'],
    ['a{3,2}', 'whose minimum exceeds its maximum'],
    ['a++', 'possessive'],
    ['(?!a)b', 'lookaround'],
    ['(?<=a)b', 'lookaround'],
    ['a(?i)b', 'lookaround or inline flags'],
    ['(a)\\1', 'backreference'],
    ['\\p{Alpha}', 'has an unsupported escape'],
    ['a\\', 'has an unsupported escape'],
    ['(a{100}){100}', 'expands to more than 5000 states'],
    ['((){1000}){1000}', 'expands to more than 5000 states'],
  ])('%j is refused: %s', (source, why) => {
    expect(() => test(source, '')).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(why) }),
    )
  })

  it('names its member', () => {
    expect(() => compileExpression('(', 'headers.accept.matches')).toThrow(
      'Malformed pattern: headers.accept.matches: the regular expression "(" has an unclosed group, opened at column 1.',
    )
  })

  it('takes linear time even if the platform would take exponential time', () => {
    const text = `${'a'.repeat(4000)}!`
    for (const source of ['(a+)+', '(a|a)*', '(a|aa)+', '(.*a){12}', 'a*a*a*a*a*a*b'])
      expect(test(source, text)).toBe(false)
  })

  it('is refused if it is too long', () => {
    expect(test('a'.repeat(1000), 'a')).toBe(false)
    expect(() => test('a'.repeat(1001), 'a')).toThrow('has 1001 characters. The limit is 1000. Shorten it.')
  })

  it('stops if a text takes too many steps', () => {
    const source = 'a*'.repeat(400)
    expect(test(source, 'a'.repeat(300))).toBe(true)
    expect(() => test(source, 'a'.repeat(65_000))).toThrow(
      'takes more than 1000000 steps on a text of 65000 characters. Use a simpler one, or contains.',
    )
  })

  it('counts failed character tests as well as matches', () => {
    const source = `(${Array.from({ length: 40 }, (_, at) => String.fromCharCode(0x100 + at)).join('|')}|a)*`
    // 41 characters are tested, and as many entered.
    expect(test(source, 'a'.repeat(5000))).toBe(true)
    expect(() => test(source, 'a'.repeat(20_000))).toThrow('steps')
  })

  it('agrees with the platform for any expression and text', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '\\.',
      '(a|b)',
      '(?:ab)',
      '(a*)',
      '(|b)',
      '\\b',
      '^',
      '$',
    )
    const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?')
    const piece = fc.tuple(atom, repeat).map(([one, times]) => (/^(?:\\b|\^|\$)$/.test(one) ? one : one + times))
    const branch = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(''))
    const expression = fc.array(branch, { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|'))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', '\n'), maxLength: 8 })
    fc.assert(
      fc.property(expression, text, (source, subject) => {
        expect(test(source, subject)).toBe(new RegExp(`^(?:${source})$`, 's').test(subject))
      }),
      { numRuns: 1000 },
    )
  })

  it('throws only problems, whatever its text', () => {
    const source = fc.string({ unit: fc.constantFrom(...'ab01()[]{}|*+?.^$\\,-:<>=!dwbux&i'.split('')), maxLength: 20 })
    fc.assert(
      fc.property(source, fc.string({ maxLength: 20 }), (expression, text) => {
        try {
          test(expression, text)
        } catch (fault) {
          expect(fault).toBeInstanceOf(Problem)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
