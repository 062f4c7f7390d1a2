import { problem } from '../errors.ts'
import { abridge } from './abridge.ts'
import { malformedWhere } from './where-problem.ts'
import { createCursor } from './where-tokens.ts'
import type { Cursor, Keyword } from './where-tokens.ts'

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
