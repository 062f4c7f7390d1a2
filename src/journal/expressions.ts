import { problem } from '../errors.ts'
import { UNLIMITED } from '../query/effort.ts'
import type { Effort } from '../query/effort.ts'
import { parseExpression } from './expression-parser.ts'
import type { Expression } from './expression-parser.ts'

/** The longest expression that is taken. */
const MOST_CHARACTERS = 1000
/** As many states an expression may unfold into: `(a{100}){100}` are 10,000. */
const MOST_STATES = 5000
/** What it takes to make a state, and to enter or try one on a text, as effort counts it. */
const STATE_COST = 100
const STEP_COST = 5
/** The effort is told of so many steps at a time. */
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
  { spend }: Effort = UNLIMITED,
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
