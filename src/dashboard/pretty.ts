/** A piece of JSON text; its kind decides its colour. */
export interface Piece {
  readonly kind: 'key' | 'string' | 'number' | 'literal' | 'plain'
  readonly text: string
}

/** The last string of a truncated text has no closing quote. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

/** Longer text is not formatted, in characters. */
export const MOST_LAID_OUT = 200_000

/** A flat list or object up to this length stays on one line. */
const SHORT = 72

/** The index of the token that closes the one at `from`, if all between is flat and fits on a line. */
function findShortEnd(tokens: readonly string[], from: number): number | undefined {
  let length = 0
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    if (token === ']' || token === '}') return at
    if (token === '[' || token === '{') return undefined
    length += token.length + 1
    if (length > SHORT) return undefined
  }
  return undefined
}

function toKind(token: string, next: string | undefined): Piece['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string'
  if (/^[-\d]/.test(token)) return 'number'
  return /^[tfn]/.test(token) ? 'literal' : 'plain'
}

/**
 * Formats JSON text token by token, so that no digit of a number changes (D3). Truncated JSON is formatted as far as it
 * goes; text that is not JSON or is very long stays as it is.
 */
export function toPieces(text: string): readonly Piece[] {
  if (text.length > MOST_LAID_OUT) return [{ kind: 'plain', text }]
  if (!/^\s*(?:[{["]|-?\d|(?:true|false|null)\b)/.test(text)) return [{ kind: 'plain', text }]
  const tokens = text.match(TOKEN) ?? []
  if (text.replaceAll(TOKEN, '').trim() !== '') return [{ kind: 'plain', text }]
  const pieces: Piece[] = []
  let depth = 0
  let shortEnd = -1

  function add(kind: Piece['kind'], text: string): void {
    const last = pieces.at(-1)
    if (kind === 'plain' && last?.kind === 'plain') pieces[pieces.length - 1] = { kind, text: last.text + text }
    else pieces.push({ kind, text })
  }

  const breakLine = () => `\n${'  '.repeat(depth)}`

  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    const isShort = at < shortEnd
    if (token === '{' || token === '[') {
      const end = findShortEnd(tokens, at)
      if (end !== undefined) {
        shortEnd = end
        add('plain', token === '{' && next !== '}' ? '{ ' : token)
      } else {
        depth += 1
        add('plain', token + breakLine())
      }
    } else if (token === '}' || token === ']') {
      if (at === shortEnd) add('plain', token === '}' && tokens[at - 1] !== '{' ? ' }' : token)
      else {
        depth = Math.max(0, depth - 1)
        add('plain', breakLine() + token)
      }
    } else if (token === ',') add('plain', isShort ? ', ' : `,${breakLine()}`)
    else if (token === ':') add('plain', ': ')
    else add(toKind(token, next), token)
  }
  return pieces
}

/** Formatted JSON text. */
export const toPrettyText = (text: string): string =>
  toPieces(text)
    .map((piece) => piece.text)
    .join('')
