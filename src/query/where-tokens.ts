import { readNumber } from '../http/query.ts'
import { malformedWhere } from './where-problem.ts'

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
