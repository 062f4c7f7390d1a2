import { problem } from '../errors.ts'
import { UNLIMITED } from '../query/budget.ts'
import type { Budget } from '../query/budget.ts'

/** A parsed regular expression. Characters and edges are UTF-16 units; an edge before or after all is NaN. */
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
/** As above, in a character class, where `\\b` is a backspace and `\\B` nothing. */
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
 * Parses a regular expression as Java and JavaScript both read it, with `.` for any character; `(?i)` in front ignores
 * case. Look-around, back-references and possessive quantifiers are refused: they cannot be matched in linear time.
 *
 * @param refuse makes what is thrown, from the end of a sentence that starts with the expression.
 */
export function parseExpression(source: string, refuse: (why: string) => Error): Expression {
  const flags = FLAGS.exec(source)
  const ignoresCase = flags?.[1]?.includes('i') ?? false
  let at = flags?.[0].length ?? 0

  const refuseHere = (why: string): Error => refuse(`${why} (column ${at + 1})`)

  function take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = at
    const found = token.exec(source)
    if (found === null) return undefined
    at = token.lastIndex
    return found
  }

  /** One character, of which the platform says what it accepts: on one character no expression is slow. */
  function toCharacter(text: string): Expression {
    let single: RegExp
    try {
      single = new RegExp(`^${text}$`, ignoresCase ? 'is' : 's')
    } catch {
      throw refuseHere(`has the malformed character class ${text}`)
    }
    // Most characters are among the first, which are asked about once.
    const first = Array.from({ length: 128 }, (_, code) => single.test(String.fromCharCode(code)))
    return { kind: 'character', accepts: (code) => first[code] ?? single.test(String.fromCharCode(code)) }
  }

  function parseGroup(): Expression {
    const start = at
    take(GROUP)
    if (source[at] === '?') throw refuseHere('uses look-around or flags inside, which are not supported')
    const choice = parseChoice()
    if (source[at] !== ')') throw refuse(`does not close the group that opens at column ${start + 1}`)
    at += 1
    return choice
  }

  function parseClass(): Expression {
    const text = take(CLASS)?.[0]
    if (text === undefined) throw refuseHere('does not close a character class, or leaves it empty')
    const bare = text.slice(1).replaceAll(CLASS_ESCAPE, '')
    if (bare.includes('\\')) throw refuseHere(`has an escape in ${text} that is not supported`)
    // Java reads these as a union and an intersection, JavaScript as plain characters.
    if (bare.includes('[') || bare.includes('&&')) throw refuseHere(`has "[" or "&&" in ${text}; escape them`)
    return toCharacter(text)
  }

  function parseEscape(): Expression {
    const text = take(ESCAPE)?.[0]
    if (text === undefined) throw refuseHere('has an escape or a back-reference that is not supported')
    const holds = edges[text]
    return holds === undefined ? toCharacter(text) : { kind: 'edge', holds }
  }

  function parseAtom(): Expression {
    const first = source.charAt(at)
    if (first === '(') return parseGroup()
    if (first === '[') return parseClass()
    if (first === '\\') return parseEscape()
    if ('*+?'.includes(first)) throw refuseHere(`has nothing for "${first}" to repeat`)
    if (first === '{') throw refuseHere('has a "{" that is not a quantifier; write \\{ for the character')
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
    if (suffix === '+') throw refuseHere(`has the possessive quantifier ${text}, which is not supported`)
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
    if (most < least) throw refuseHere(`has the quantifier ${text} the wrong way round`)
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
  if (at < source.length) throw refuseHere('closes a group that never opened')
  return whole
}

/** The longest expression that is taken. */
const MOST_CHARACTERS = 1000
/** As many states an expression may unfold into: `(a{100}){100}` are 10,000. */
const MOST_STATES = 5000
/** What it takes to make a state, and to enter or try one on a text, as effort counts it. */
const STATE_COST = 100
const STEP_COST = 5
/** How many steps are reported to the effort at a time. */
const STEPS_AT_A_TIME = 1000

type MatchState = { readonly id: number } & (
  | { readonly kind: 'end' }
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean; readonly next: MatchState }
  | { readonly kind: 'edge'; readonly holds: (before: number, after: number) => boolean; readonly next: MatchState }
  | { readonly kind: 'fork'; readonly to: MatchState[] }
)

/**
 * Compiles a regular expression into a test of whole texts, as WireMock's `matches` is. The platform's own RegExp can
 * take exponential time and cannot be stopped, so this one follows all possibilities side by side (Thompson, 1968): its
 * time is bound by the expression's length times the text's. RE2JS is quicker on most texts, but takes seconds
 * for some of 64 KB, and cannot be stopped either.
 *
 * @param member names the expression in the sentence of a fault, such as `urlPattern`.
 * @throws {Problem} 400 for one that is broken, too long, or not supported; and, here or later, from the test itself, for
 * one that takes more than the effort allows.
 */
export function compileExpression(
  source: string,
  member: string,
  { spend }: Budget = UNLIMITED,
): (text: string) => boolean {
  const refuse = (why: string) => {
    const shown = JSON.stringify(source.length > 200 ? `${source.slice(0, 200)}…` : source)
    return problem.invalidInput(`Malformed pattern: ${member}: the regular expression ${shown} ${why}.`, { member })
  }
  if (source.length > MOST_CHARACTERS) {
    throw refuse(`has ${source.length} characters, of at most ${MOST_CHARACTERS}. Shorten it`)
  }

  let count = 0
  const newId = (): number => {
    if (count >= MOST_STATES) throw refuse(`unfolds into more than ${MOST_STATES} steps. Repeat less in it`)
    spend(STATE_COST)
    count += 1
    return count - 1
  }

  /** The states of an expression, built from the last to the first. */
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
        if (enteredAt[state.id] === at) continue
        enteredAt[state.id] = at
        steps += 1
        if (state.kind === 'fork') {
          for (const one of state.to) if (enteredAt[one.id] !== at) waiting.push(one)
        } else if (state.kind !== 'edge') active.push(state)
        else if (state.holds(text.charCodeAt(at - 1), text.charCodeAt(at))) waiting.push(state.next)
      }
    }

    enter(start, 0)
    for (let at = 0; at < text.length && active.length > 0; at += 1) {
      if (steps > STEPS_AT_A_TIME) {
        spend(STEP_COST * steps)
        steps = 0
      }
      const code = text.charCodeAt(at)
      ;[active, before] = [before, active]
      active.length = 0
      steps += before.length
      for (const state of before) {
        if (state.kind === 'character' && state.accepts(code)) enter(state.next, at + 1)
      }
    }
    spend(STEP_COST * steps)
    return active.some(({ kind }) => kind === 'end')
  }
}
