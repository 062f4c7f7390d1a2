import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { toPlace } from '../http/json-problems.ts'
import { readNumber } from '../http/json.ts'
import { abridge } from './effort.ts'

/** At most this much of a line is shown on either side of the place. */
const CONTEXT = 60

/** The line that a place is on, as much of it as helps, and a caret under the place. */
function toExcerpt(source: string, offset: number): string {
  const lineStart = source.slice(0, offset).lastIndexOf('\n') + 1
  const lineEnd = source.indexOf('\n', offset)
  const from = Math.max(lineStart, offset - CONTEXT)
  const to = Math.min(lineEnd === -1 ? source.length : lineEnd, offset + CONTEXT)
  const before = (from > lineStart ? '…' : '') + source.slice(from, offset)
  // A tab stays a tab, and a character of two code units is one wide, so that the caret stands where it should.
  const indent = [...before].map((character) => (character === '\t' ? '\t' : ' ')).join('')
  return `${before}${source.slice(offset, to).trimEnd()}\n${indent}^`
}

/** The 400 of a predicate that cannot be read or does not fit its fields; the sentence ends with a full stop. */
export const malformedWhere = (source: string, offset: number, sentence: string): Problem =>
  problem.invalidInput(
    `Malformed parameter: where: ${toPlace(source, offset)}: ${sentence}\n${toExcerpt(source, offset)}`,
  )

/** Words of the language, in any case; a field of such a name stands in backticks. */
const KEYWORDS = ['and', 'or', 'not', 'in', 'contains', 'any', 'all', 'is', 'defined', 'empty'] as const
export type Keyword = (typeof KEYWORDS)[number]

type TokenContent =
  | { readonly kind: 'keyword'; readonly word: Keyword }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'symbol'; readonly symbol: string }
  | { readonly kind: 'end' }

/** A token, where it starts, and how it was written. */
export type Token = TokenContent & { readonly offset: number; readonly raw: string }

// Each alternative starts with a character of its own, and none is read twice, so reading takes linear time.
const TOKEN =
  /(?<text>"[^"\\]*(?:\\["\\][^"\\]*)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|:(?<variable>[a-zA-Z0-9]+)|(?<word>[A-Za-z_]\w*)|`(?<quoted>[^`]+)`|(?<symbol><=|>=|<>|!=|[=<>(),.])/y
const SPACE = /\s*/y
/** As much of a string as can be read; what stops it is the end or an escape that there is none of. */
const TEXT_START = /"[^"\\]*(?:\\["\\][^"\\]*)*/y

function toUnreadable(source: string, offset: number) {
  TEXT_START.lastIndex = offset
  const [start] = TEXT_START.exec(source) ?? []
  if (start !== undefined) {
    const end = offset + start.length
    if (end >= source.length) return malformedWhere(source, offset, 'This string has no closing double quote.')
    return malformedWhere(source, end, 'Unknown escape. A string escapes \\" and \\\\ only.')
  }
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0)
  const hint = character === "'" ? ' Strings stand in double quotes.' : ''
  return malformedWhere(source, offset, `Unexpected character ${JSON.stringify(character)}.${hint}`)
}

function toWord(word: string): TokenContent {
  const lower = word.toLowerCase()
  const keyword = KEYWORDS.find((one) => one === lower)
  if (keyword !== undefined) return { kind: 'keyword', word: keyword }
  if (lower === 'true' || lower === 'false') return { kind: 'literal', value: lower === 'true' }
  return { kind: 'name', name: word }
}

function toContent(groups: Readonly<Record<string, string | undefined>>): TokenContent | undefined {
  const { text, number, variable, word, quoted, symbol } = groups
  if (word !== undefined) return toWord(word)
  if (symbol !== undefined) return { kind: 'symbol', symbol }
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
  TOKEN.lastIndex = offset
  const match = TOKEN.exec(source)
  if (match === null) throw toUnreadable(source, offset)
  const content = toContent(match.groups ?? {})
  if (content === undefined) throw malformedWhere(source, offset, 'This number is too large to be one.')
  return { ...content, offset, raw: match[0] }
}

/** A place in a predicate: the token there, and the way on. */
export interface Cursor {
  readonly source: string
  readonly peek: () => Token
  /** Takes the token; both throw a 400 where a character starts none. */
  readonly next: () => Token
}

/** Starts reading a predicate. */
export function createCursor(source: string): Cursor {
  let after = 0
  let current: Token | undefined
  const peek = () => (current ??= readToken(source, after))
  return {
    source,
    peek,
    next() {
      const token = peek()
      after = token.offset + token.raw.length
      current = undefined
      return token
    },
  }
}

/** The longest predicate in UTF-16 code units. */
export const MAX_WHERE_LENGTH = 65_536
/** How deep parentheses, `not` and field paths may nest. */
export const MAX_WHERE_DEPTH = 100

export type ComparisonOperator = '=' | '!=' | '<>' | '<' | '>' | '<=' | '>='

/** A field's name and where it stands. */
export interface FieldName {
  readonly name: string
  readonly offset: number
}

/** What a field is held against. */
export type Operand = { readonly offset: number } & (
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean }
  | { readonly kind: 'variable'; readonly name: string }
)

/** A predicate as parsed; whether its fields exist and its literals fit them is not yet known. */
export type Predicate =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Predicate[] }
  | { readonly kind: 'not'; readonly operand: Predicate }
  | { readonly kind: 'nested'; readonly field: FieldName; readonly predicate: Predicate }
  | {
      readonly kind: 'comparison'
      readonly field: FieldName
      readonly operator: ComparisonOperator
      readonly operand: Operand
    }
  | { readonly kind: 'in' | 'any' | 'all'; readonly field: FieldName; readonly operands: readonly Operand[] }
  | { readonly kind: 'defined' | 'empty'; readonly field: FieldName }

const OPERATORS: readonly string[] = ['=', '!=', '<>', '<', '>', '<=', '>='] satisfies ComparisonOperator[]
const isOperator = (symbol: string): symbol is ComparisonOperator => OPERATORS.includes(symbol)

/** The 400 of a token that cannot stand where it does. */
function unexpected(cursor: Cursor, expected: string) {
  const { kind, offset, raw } = cursor.peek()
  const found = kind === 'end' ? 'the end of the predicate' : kind === 'literal' ? abridge(raw) : `"${abridge(raw)}"`
  return malformedWhere(cursor.source, offset, `Expected ${expected}, found ${found}.`)
}

function acceptKeyword<Word extends Keyword>(cursor: Cursor, ...words: readonly Word[]): Word | undefined {
  const token = cursor.peek()
  const found = token.kind === 'keyword' ? words.find((word) => word === token.word) : undefined
  if (found !== undefined) cursor.next()
  return found
}

function acceptSymbol(cursor: Cursor, symbol: string): boolean {
  const token = cursor.peek()
  const isIt = token.kind === 'symbol' && token.symbol === symbol
  if (isIt) cursor.next()
  return isIt
}

function expectSymbol(cursor: Cursor, symbol: string, expected: string): void {
  if (!acceptSymbol(cursor, symbol)) throw unexpected(cursor, expected)
}

function parseOperand(cursor: Cursor): Operand {
  const token = cursor.peek()
  if (token.kind !== 'literal' && token.kind !== 'variable') {
    throw unexpected(cursor, 'a string in double quotes, a number or a variable such as :name')
  }
  cursor.next()
  return token
}

/** `("a", "b")`, or one variable that holds them all. */
function parseOperands(cursor: Cursor): readonly Operand[] {
  if (cursor.peek().kind === 'variable') return [parseOperand(cursor)]
  expectSymbol(cursor, '(', '"(" or a variable such as :name')
  const operands: Operand[] = []
  do operands.push(parseOperand(cursor))
  while (acceptSymbol(cursor, ','))
  expectSymbol(cursor, ')', '"," or ")"')
  return operands
}

const negate = (isNegated: boolean, operand: Predicate): Predicate => (isNegated ? { kind: 'not', operand } : operand)

function parseTest(cursor: Cursor, field: FieldName): Predicate {
  const token = cursor.peek()
  if (token.kind === 'symbol' && isOperator(token.symbol)) {
    cursor.next()
    return { kind: 'comparison', field, operator: token.symbol, operand: parseOperand(cursor) }
  }
  const word = acceptKeyword(cursor, 'in', 'not', 'contains', 'is')
  if (word === undefined)
    throw unexpected(cursor, `a comparison, "in", "contains", "is" or "(" after ${abridge(field.name)}`)
  if (word === 'is') {
    const isNegated = acceptKeyword(cursor, 'not') !== undefined
    const kind = acceptKeyword(cursor, 'defined', 'empty')
    if (kind === undefined) throw unexpected(cursor, isNegated ? '"defined" or "empty"' : '"not", "defined" or "empty"')
    return negate(isNegated, { kind, field })
  }
  if (word === 'contains') {
    const kind = acceptKeyword(cursor, 'any', 'all')
    if (kind === undefined) throw unexpected(cursor, '"any" or "all"')
    return { kind, field, operands: parseOperands(cursor) }
  }
  if (word === 'not' && acceptKeyword(cursor, 'in') === undefined) throw unexpected(cursor, '"in"')
  return negate(word === 'not', { kind: 'in', field, operands: parseOperands(cursor) })
}

/** What a field is asked; `a.b = 1` says the same as `a(b = 1)`. */
function parseField(cursor: Cursor, depth: number): Predicate {
  const token = cursor.peek()
  if (token.kind !== 'name') throw unexpected(cursor, 'a field, "not" or "("')
  if (depth > MAX_WHERE_DEPTH) throw tooDeep(cursor)
  cursor.next()
  const { name, offset } = token
  const field = { name, offset }
  if (acceptSymbol(cursor, '.')) return { kind: 'nested', field, predicate: parseField(cursor, depth + 1) }
  if (cursor.peek().raw !== '(') return parseTest(cursor, field)
  return { kind: 'nested', field, predicate: parseGroup(cursor, depth) }
}

const tooDeep = (cursor: Cursor) =>
  malformedWhere(cursor.source, cursor.peek().offset, `Nested deeper than ${MAX_WHERE_DEPTH} levels; write it flatter.`)

function parseGroup(cursor: Cursor, depth: number): Predicate {
  expectSymbol(cursor, '(', '"("')
  const predicate = parseOr(cursor, depth + 1)
  expectSymbol(cursor, ')', '"and", "or" or ")"')
  return predicate
}

function parseNot(cursor: Cursor, depth: number): Predicate {
  if (depth > MAX_WHERE_DEPTH) throw tooDeep(cursor)
  if (acceptKeyword(cursor, 'not') !== undefined) return { kind: 'not', operand: parseNot(cursor, depth + 1) }
  return cursor.peek().raw === '(' ? parseGroup(cursor, depth) : parseField(cursor, depth)
}

function parseChain(cursor: Cursor, kind: 'and' | 'or', parseOne: () => Predicate): Predicate {
  const first = parseOne()
  const operands = [first]
  while (acceptKeyword(cursor, kind) !== undefined) operands.push(parseOne())
  return operands.length === 1 ? first : { kind, operands }
}

/** `not` binds tightest, then `and`, then `or` (decisions, "where"). */
function parseOr(cursor: Cursor, depth: number): Predicate {
  const parseAnd = () => parseChain(cursor, 'and', () => parseNot(cursor, depth))
  return parseChain(cursor, 'or', parseAnd)
}

/**
 * Parses one predicate of the `where` language.
 *
 * @throws {Problem} 400 with line, column and a caret under the place where it stops making sense.
 * @example parseWhere('key = "a" and version > 1')
 */
export function parseWhere(source: string): Predicate {
  if (source.length > MAX_WHERE_LENGTH) {
    throw problem.invalidInput(
      `Malformed parameter: where: The predicate has ${source.length} characters; at most ${MAX_WHERE_LENGTH} are read.`,
    )
  }
  const cursor = createCursor(source)
  const predicate = parseOr(cursor, 0)
  if (cursor.peek().kind !== 'end') throw unexpected(cursor, '"and", "or" or the end of the predicate')
  return predicate
}
