import { problem } from '../../errors.ts'

/**
 * A parsed regular expression. Characters are UTF-16 code units. Edges are assertions such as `^` and `\b`: they test the
 * code units on both sides, NaN at either end of the text.
 */
export type Expression =
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean }
  | { readonly kind: 'edge'; readonly holds: (before: number, after: number) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly branches: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly least: number; readonly most: number }

const FLAGS = /^\(\?([is]+)\)/
const GROUP = /\((?:\?:|\?<[A-Za-z]\w*>)?/y
const CLASS = /\[(?!\^?\])\^?(?:\\.|[^\\\]])+\]/sy
const ESCAPE = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[dDwWsStnrfvbB]|0(?!\d)|[^\dA-Za-z])/sy
/** Like {@link ESCAPE}, but for character classes, where `\b` is a backspace and `\B` is invalid. */
const CLASS_ESCAPE = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[dDwWsStnrfvb]|0(?!\d)|[^\dA-Za-z])/gs
const QUANTIFIER = /(?:([*+?])|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})([?+]?)/y

const isWord = (code: number): boolean => !Number.isNaN(code) && /\w/.test(String.fromCharCode(code))

const edges: Readonly<Record<string, (before: number, after: number) => boolean>> = {
  '^': (before) => Number.isNaN(before),
  $: (_before, after) => Number.isNaN(after),
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
}

/**
 * Parses the subset of regular expressions that Java and JavaScript interpret alike, except that `.` matches any character.
 * A leading `(?i)` ignores case. Lookaround, backreferences and possessive quantifiers are rejected because they cannot be
 * matched in linear time.
 *
 * @param refuse creates the error; its argument completes a sentence whose subject is the expression.
 */
export function parseExpression(source: string, refuse: (why: string) => Error): Expression {
  const flags = FLAGS.exec(source)
  const ignoresCase = flags?.[1]?.includes('i') ?? false
  let at = flags?.[0].length ?? 0

  /** Names the column of the next character, or of the last characters. */
  const refuseHere = (why: string, last = ''): Error => refuse(`${why} (column ${at - last.length + 1})`)

  function take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = at
    const found = token.exec(source)
    if (found === null) return undefined
    at = token.lastIndex
    return found
  }

  /** Creates an expression for one character. It uses the platform's RegExp, which cannot be slow on a single character. */
  function toCharacter(text: string): Expression {
    let single: RegExp
    try {
      single = new RegExp(`^${text}$`, ignoresCase ? 'is' : 's')
    } catch {
      throw refuseHere(`has the malformed character class ${text}`, text)
    }
    // Caches the results for ASCII, which covers most text.
    const known: (boolean | undefined)[] = []
    const isAccepted = (code: number): boolean => single.test(String.fromCharCode(code))
    return {
      kind: 'character',
      accepts: (code) => (code < 128 ? (known[code] ??= isAccepted(code)) : isAccepted(code)),
    }
  }

  function parseGroup(): Expression {
    const start = at
    take(GROUP)
    if (source[at] === '?') {
      throw refuseHere('uses lookaround or inline flags, which are not supported except (?i) at the start', '(')
    }
    const choice = parseChoice()
    if (source[at] !== ')') throw refuse(`has an unclosed group, opened at column ${start + 1}`)
    at += 1
    return choice
  }

  function parseClass(): Expression {
    const text = take(CLASS)?.[0]
    if (text === undefined) throw refuseHere('has an unclosed or empty character class')
    const bare = text.slice(1).replaceAll(CLASS_ESCAPE, '')
    if (bare.includes('\\')) throw refuseHere(`has an unsupported escape in ${text}`, text)
    // Union and intersection in Java, plain characters in JavaScript.
    if (bare.includes('[') || bare.includes('&&')) throw refuseHere(`has an unescaped "[" or "&&" in ${text}`, text)
    return toCharacter(text)
  }

  function parseEscape(): Expression {
    const text = take(ESCAPE)?.[0]
    if (text === undefined) throw refuseHere('has an unsupported escape or backreference')
    const holds = edges[text]
    return holds === undefined ? toCharacter(text) : { kind: 'edge', holds }
  }

  function parseAtom(): Expression {
    const first = source.charAt(at)
    if (first === '(') return parseGroup()
    if (first === '[') return parseClass()
    if (first === '\\') return parseEscape()
    if ('*+?'.includes(first)) throw refuseHere(`has a quantifier "${first}" with nothing to repeat`)
    if (first === '{') throw refuseHere('has a "{" that is not a quantifier; escape it as \\{')
    at += 1
    const holds = edges[first]
    if (holds !== undefined) return { kind: 'edge', holds }
    if (first === '.') return { kind: 'character', accepts: () => true }
    const code = first.charCodeAt(0)
    if (ignoresCase) return toCharacter(`\\u${code.toString(16).padStart(4, '0')}`)
    return { kind: 'character', accepts: (other) => other === code }
  }

  function parseRepeat(): Expression {
    const part = parseAtom()
    if (part.kind === 'edge') return part
    const found = take(QUANTIFIER)
    if (found === undefined) return part
    const [text, sign, from, comma, to, suffix] = found
    if (suffix === '+') throw refuseHere(`has an unsupported possessive quantifier ${text}`, text)
    const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0
    const most =
      sign === '?'
        ? 1
        : sign !== undefined
          ? Infinity
          : comma === undefined
            ? least
            : to === undefined
              ? Infinity
              : Number(to)
    if (most < least) throw refuseHere(`has a quantifier ${text} whose minimum exceeds its maximum`, text)
    return { kind: 'repeat', part, least, most }
  }

  function parseChoice(): Expression {
    const branches: Expression[] = []
    do {
      if (branches.length > 0) at += 1
      const parts: Expression[] = []
      while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseRepeat())
      branches.push({ kind: 'sequence', parts })
    } while (source[at] === '|')
    const [only] = branches
    return only !== undefined && branches.length === 1 ? only : { kind: 'choice', branches }
  }

  const whole = parseChoice()
  if (at < source.length) throw refuseHere('has an unmatched ")"')
  return whole
}

/** Maximum length of an expression. */
const LONGEST_EXPRESSION = 1000
/** Maximum number of states that an expression compiles to: `(a{100}){100}` needs 10,000. */
const MOST_STATES = 5000
/** Maximum number of steps on one text: entering a state, or testing it on a character. */
const MOST_STEPS = 1_000_000

type MatchState = { readonly id: number } & (
  | { readonly kind: 'end' }
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean; readonly next: MatchState }
  | { readonly kind: 'edge'; readonly holds: (before: number, after: number) => boolean; readonly next: MatchState }
  | { readonly kind: 'fork'; readonly to: MatchState[] }
)

/**
 * Compiles a regular expression into a predicate that matches whole texts, like WireMock's `matches`. The platform's RegExp
 * can take exponential time and cannot be interrupted. This one simulates the automaton (Thompson, 1968) in time
 * proportional to expression length times text length. RE2JS is faster on most texts, but takes seconds on some of 64 KB,
 * and cannot be interrupted either.
 *
 * @param member names the expression in error messages, such as `urlPattern`.
 * @throws {Problem} 400 for an expression that is malformed, too long or unsupported. The predicate throws it too, if
 * matching takes too many steps.
 */
export function compileExpression(source: string, member: string): (text: string) => boolean {
  const refuse = (why: string) => {
    const excerpt = JSON.stringify(source.length > 200 ? `${source.slice(0, 200)}…` : source)
    return problem.invalidInput(`Malformed pattern: ${member}: the regular expression ${excerpt} ${why}.`, { member })
  }
  if (source.length > LONGEST_EXPRESSION) {
    throw refuse(`has ${source.length} characters. The limit is ${LONGEST_EXPRESSION}. Shorten it`)
  }

  let count = 0
  const newId = (): number => {
    if (count >= MOST_STATES)
      throw refuse(`expands to more than ${MOST_STATES} states. Use fewer or smaller repetitions`)
    count += 1
    return count - 1
  }

  /** Links the states of an expression back to front. */
  function link(expression: Expression, next: MatchState): MatchState {
    const id = newId()
    if (expression.kind === 'sequence') return expression.parts.reduceRight((after, part) => link(part, after), next)
    if (expression.kind === 'repeat') return linkRepeat(expression, next)
    if (expression.kind !== 'choice') return { ...expression, id, next }
    return { kind: 'fork', id, to: expression.branches.map((branch) => link(branch, next)) }
  }

  function linkRepeat({ part, least, most }: Expression & { kind: 'repeat' }, next: MatchState): MatchState {
    let first = next
    if (most === Infinity) {
      const to = [next]
      first = { kind: 'fork', id: newId(), to }
      to.push(link(part, first))
    }
    const optional = most === Infinity ? 0 : most - least
    for (let once = 0; once < optional; once += 1) first = { kind: 'fork', id: newId(), to: [link(part, first), next] }
    for (let once = 0; once < least; once += 1) first = link(part, first)
    return first
  }

  const start = link(parseExpression(source, refuse), { kind: 'end', id: newId() })

  return function matchesWhole(text) {
    const enteredAt = new Int32Array(count).fill(-1)
    const waiting: MatchState[] = []
    let steps = 0
    let active: MatchState[] = []
    let before: MatchState[] = []

    function enter(from: MatchState, at: number): void {
      waiting.push(from)
      for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
        steps += 1
        if (enteredAt[state.id] === at) continue
        enteredAt[state.id] = at
        if (state.kind === 'fork') waiting.push(...state.to)
        else if (state.kind !== 'edge') active.push(state)
        else if (state.holds(text.charCodeAt(at - 1), text.charCodeAt(at))) waiting.push(state.next)
      }
    }

    enter(start, 0)
    for (let at = 0; at < text.length && active.length > 0; at += 1) {
      if (steps > MOST_STEPS) {
        throw refuse(
          `takes more than ${MOST_STEPS} steps on a text of ${text.length} characters. Use a simpler one, or contains`,
        )
      }
      const code = text.charCodeAt(at)
      ;[active, before] = [before, active]
      active.length = 0
      steps += before.length
      for (const state of before) {
        if (state.kind === 'character' && state.accepts(code)) enter(state.next, at + 1)
      }
    }
    return active.some(({ kind }) => kind === 'end')
  }
}
