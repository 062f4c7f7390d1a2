import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { toTextPosition } from '../http/json.ts'
import { readNumber } from '../http/numbers.ts'
import { abridge } from './fields.ts'
import { toChoice } from '../../util/did-you-mean.ts'
import { isSymbol, operators } from './operators.ts'
import type { Literal, Operator } from './operators.ts'

/** Maximum number of characters shown on each side of the error. */
const CONTEXT = 60

/** The line at an offset, truncated, with a caret below the offset. */
function toExcerpt(source: string, offset: number): string {
  const lineStart = source.slice(0, offset).lastIndexOf('\n') + 1
  const lineEnd = source.indexOf('\n', offset)
  const from = Math.max(lineStart, offset - CONTEXT)
  const to = Math.min(lineEnd === -1 ? source.length : lineEnd, offset + CONTEXT)
  const before = (from > lineStart ? '…' : '') + source.slice(from, offset)
  // Keep tabs, and count surrogate pairs as one character, so that the caret lines up.
  const indent = [...before].map((character) => (character === '\t' ? '\t' : ' ')).join('')
  return `${before}${source.slice(offset, to).trimEnd()}\n${indent}^`
}

/** Creates the 400 for a predicate with a syntax error, or a wrong field or value. */
export const malformedWhere = (source: string, offset: number, sentence: string): Problem =>
  problem.invalidInput(
    `Malformed parameter: where: ${toTextPosition(source, offset)}: ${sentence}\n${toExcerpt(source, offset)}`,
  )

/** A spelling of an operator or its opposite. */
interface Phrase {
  readonly text: string
  readonly words: readonly string[]
  readonly operator: Operator
  readonly isNegated: boolean
}

const phrases = Object.entries(operators).flatMap(([text, operator]): Phrase[] => [
  { text, words: text.split(' '), operator, isNegated: false },
  ...(operator.negation === undefined
    ? []
    : [{ text: operator.negation, words: operator.negation.split(' '), operator, isNegated: true }]),
])

const words = new Set(phrases.flatMap((phrase) => phrase.words))

/** Reserved words, in any case. A field with such a name has to be written in backticks. */
const keywords = new Set(['and', 'or', 'not', ...[...words].filter((word) => !isSymbol(word))])

type TokenContent =
  /** A keyword in lower case, or a symbol. */
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'end' }

/** A token with its position and source text. */
type Token = TokenContent & { readonly offset: number; readonly raw: string }

/** Longer symbols first, so that `<=` is tried before `<`. */
const SYMBOLS = [...words]
  .filter(isSymbol)
  .toSorted((a, b) => b.length - a.length)
  .map((symbol) => symbol.replace(/\W/g, '\\$&'))
  .join('|')

// All alternatives start with different characters, so there is no backtracking and matching takes linear time.
const LEXEME = new RegExp(
  [
    String.raw`(?<text>"[^"\\]*(?:\\["\\][^"\\]*)*")`,
    String.raw`(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`,
    ':(?<variable>[a-zA-Z0-9]+)',
    String.raw`(?<word>[A-Za-z_]\w*)`,
    '`(?<quoted>[^`]+)`',
    `(?<symbol>${SYMBOLS}|[(),.])`,
  ].join('|'),
  'y',
)
const SPACE = /\s*/y
/** A string up to its end or an unknown escape. */
const TEXT_START = /"[^"\\]*(?:\\["\\][^"\\]*)*/y

function toUnreadable(source: string, offset: number) {
  TEXT_START.lastIndex = offset
  const [start] = TEXT_START.exec(source) ?? []
  if (start !== undefined) {
    const end = offset + start.length
    if (end >= source.length) return malformedWhere(source, offset, 'This string has no closing double quote.')
    return malformedWhere(source, end, 'Unknown escape. Strings support only \\" and \\\\.')
  }
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0)
  const hint = character === "'" ? ' Use double quotes for strings.' : ''
  return malformedWhere(source, offset, `Unexpected character ${JSON.stringify(character)}.${hint}`)
}

function toWordToken(word: string): TokenContent {
  const lower = word.toLowerCase()
  if (keywords.has(lower)) return { kind: 'word', word: lower }
  if (lower === 'true' || lower === 'false') return { kind: 'literal', value: lower === 'true' }
  return { kind: 'name', name: word }
}

function toTokenContent(groups: Readonly<Record<string, string | undefined>>): TokenContent | undefined {
  const { text, number, variable, word, quoted, symbol } = groups
  if (word !== undefined) return toWordToken(word)
  if (symbol !== undefined) return { kind: 'word', word: symbol }
  if (text !== undefined) return { kind: 'literal', value: text.slice(1, -1).replace(/\\(["\\])/g, '$1') }
  if (variable !== undefined) return { kind: 'variable', name: variable }
  if (quoted !== undefined) return { kind: 'name', name: quoted }
  const value = readNumber(number ?? '')
  return value === undefined ? undefined : { kind: 'literal', value }
}

function readToken(source: string, from: number): Token {
  SPACE.lastIndex = from
  SPACE.exec(source)
  const offset = SPACE.lastIndex
  if (offset === source.length) return { kind: 'end', offset, raw: '' }
  LEXEME.lastIndex = offset
  const match = LEXEME.exec(source)
  if (match === null) throw toUnreadable(source, offset)
  const content = toTokenContent(match.groups ?? {})
  if (content === undefined) throw malformedWhere(source, offset, 'This number is too large, or has too many digits.')
  return { ...content, offset, raw: match[0] }
}

/** Tokenizes a predicate. Both functions throw a 400 for an unexpected character. */
interface Cursor {
  readonly source: string
  readonly peek: () => Token
  readonly next: () => Token
}

/** Maximum nesting of parentheses, `not` and field paths. */
export const MAX_WHERE_DEPTH = 100

/** A field name and its position. */
export interface FieldName {
  readonly name: string
  readonly offset: number
}

/** An operand of an operator. */
export type Operand = { readonly offset: number } & (
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'variable'; readonly name: string }
)

/** A parsed predicate. Fields and literal types are not checked yet. */
export type Predicate =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Predicate[] }
  | { readonly kind: 'not'; readonly operand: Predicate }
  | { readonly kind: 'nested'; readonly field: FieldName; readonly predicate: Predicate }
  | {
      readonly kind: 'test'
      readonly field: FieldName
      readonly operator: Operator
      /** The spelling of the operator. */
      readonly text: string
      readonly operands: readonly Operand[]
    }

/** Creates the 400 for an unexpected token. */
function unexpected(cursor: Cursor, expected: string) {
  const { kind, offset, raw } = cursor.peek()
  const found = kind === 'end' ? 'the end of the predicate' : kind === 'literal' ? abridge(raw) : `"${abridge(raw)}"`
  return malformedWhere(cursor.source, offset, `Expected ${expected}, found ${found}.`)
}

function accept(cursor: Cursor, word: string): boolean {
  const token = cursor.peek()
  const isIt = token.kind === 'word' && token.word === word
  if (isIt) cursor.next()
  return isIt
}

function expectWord(cursor: Cursor, word: string, expected: string): void {
  if (!accept(cursor, word)) throw unexpected(cursor, expected)
}

function parseOperand(cursor: Cursor): Operand {
  const token = cursor.peek()
  if (token.kind !== 'literal' && token.kind !== 'variable')
    throw unexpected(cursor, 'a string in double quotes, a number or a variable such as :name')
  cursor.next()
  return token
}

/** `("a", "b")`, or a variable with all values. */
function parseOperands(cursor: Cursor): readonly Operand[] {
  if (cursor.peek().kind === 'variable') return [parseOperand(cursor)]
  expectWord(cursor, '(', '"(" or a variable such as :name')
  const operands: Operand[] = []
  do operands.push(parseOperand(cursor))
  while (accept(cursor, ','))
  expectWord(cursor, ')', '"," or ")"')
  return operands
}

/** Creates the error for a word that does not continue any phrase. */
function unknownOperator(cursor: Cursor, left: readonly Phrase[], at: number, { name }: FieldName) {
  const next = new Set(left.map((phrase) => phrase.words[at] ?? ''))
  const quoted = [...next].filter((word) => !isSymbol(word)).map((word) => `"${word}"`)
  if (at > 0) return unexpected(cursor, toChoice(quoted))
  return unexpected(cursor, `${toChoice(['a comparison', ...quoted, '"("'])} after ${abridge(name)}`)
}

function parseOperator(cursor: Cursor, field: FieldName): Phrase {
  let left: readonly Phrase[] = phrases
  for (let at = 0; ; at += 1) {
    const token = cursor.peek()
    const found = left.filter((phrase) => token.kind === 'word' && phrase.words[at] === token.word)
    if (found.length === 0) throw unknownOperator(cursor, left, at, field)
    cursor.next()
    const whole = found.find((phrase) => phrase.words.length === at + 1)
    if (whole !== undefined) return whole
    left = found
  }
}

function parseTest(cursor: Cursor, field: FieldName): Predicate {
  const { operator, text, isNegated } = parseOperator(cursor, field)
  const parse = { 'one value': () => [parseOperand(cursor)], values: () => parseOperands(cursor), nothing: () => [] }
  const test: Predicate = { kind: 'test', field, operator, text, operands: parse[operator.takes]() }
  return isNegated ? { kind: 'not', operand: test } : test
}

/** Parses a test of a field or of its nested fields; `a.b = 1` means `a(b = 1)`. */
function parseField(cursor: Cursor, depth: number): Predicate {
  const token = cursor.peek()
  if (token.kind !== 'name') throw unexpected(cursor, 'a field, "not" or "("')
  if (depth > MAX_WHERE_DEPTH) throw tooDeep(cursor)
  cursor.next()
  const { name, offset } = token
  const field = { name, offset }
  if (accept(cursor, '.')) return { kind: 'nested', field, predicate: parseField(cursor, depth + 1) }
  if (cursor.peek().raw !== '(') return parseTest(cursor, field)
  return { kind: 'nested', field, predicate: parseGroup(cursor, depth) }
}

const tooDeep = (cursor: Cursor) =>
  malformedWhere(cursor.source, cursor.peek().offset, `Nested deeper than ${MAX_WHERE_DEPTH} levels. Use fewer levels.`)

function parseGroup(cursor: Cursor, depth: number): Predicate {
  expectWord(cursor, '(', '"("')
  const predicate = parseOr(cursor, depth + 1)
  expectWord(cursor, ')', '"and", "or" or ")"')
  return predicate
}

function parseNot(cursor: Cursor, depth: number): Predicate {
  if (depth > MAX_WHERE_DEPTH) throw tooDeep(cursor)
  if (accept(cursor, 'not')) return { kind: 'not', operand: parseNot(cursor, depth + 1) }
  return cursor.peek().raw === '(' ? parseGroup(cursor, depth) : parseField(cursor, depth)
}

function parseChain(cursor: Cursor, kind: 'and' | 'or', parseOne: () => Predicate): Predicate {
  const first = parseOne()
  const operands = [first]
  while (accept(cursor, kind)) operands.push(parseOne())
  return operands.length === 1 ? first : { kind, operands }
}

/** `not` binds tightest, then `and`, then `or` (see "where" in the decisions). */
function parseOr(cursor: Cursor, depth: number): Predicate {
  const parseAnd = () => parseChain(cursor, 'and', () => parseNot(cursor, depth))
  return parseChain(cursor, 'or', parseAnd)
}

/**
 * Parses a predicate of the `where` language.
 *
 * @throws {Problem} 400 with line, column and a caret below the error.
 * @example parseWhere('key = "a" and version > 1')
 */
export function parseWhere(source: string): Predicate {
  let after = 0
  let current: Token | undefined
  const peek = () => (current ??= readToken(source, after))
  const cursor = {
    source,
    peek,
    next() {
      const token = peek()
      after = token.offset + token.raw.length
      current = undefined
      return token
    },
  }
  const predicate = parseOr(cursor, 0)
  if (cursor.peek().kind !== 'end') throw unexpected(cursor, '"and", "or" or the end of the predicate')
  return predicate
}
