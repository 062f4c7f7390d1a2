import { parse as parseLosslessly } from 'lossless-json'
import { problem } from '../errors.ts'
import { FIRST_LINE, describeDuplicate, describeSyntaxFault, findLine, isEscaped } from './json-problems.ts'
import type { Level, JsonLimits } from './json-problems.ts'
import type { Steps } from '../util/turns.ts'

/** The members of an object. */
export type Members = Record<string, unknown>

/** An object or array whose end was not met yet. The outermost one is the text itself, which may hold one value. */
export interface Frame {
  isArray: boolean
  /** The offset of its bracket. */
  opening: number
  /** The text from here on is not parsed. */
  start: number
  /** What is right before `start`. */
  after: 'opening' | 'comma' | 'value'
  /** The last comma from `start` on; -1 without one. */
  comma: number
  /** How many members the text had before `start`, and before `comma`. */
  membersAtStart: number
  membersAtComma: number
  /** How many members it has, or commas if it is an array. */
  size: number
  /** Takes what is parsed; undefined as long as nothing of it is. */
  target: unknown[] | Members | undefined
  /** The member whose value is read: an open object or array. */
  name: string
}

export const createFrame = (): Frame => ({
  isArray: true,
  opening: -1,
  start: 0,
  after: 'opening',
  comma: -1,
  membersAtStart: 0,
  membersAtComma: 0,
  size: 0,
  target: undefined,
  name: '',
})

/** Whether a text has nothing but white space (RFC 8259, section 2). */
export const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

/** How many members the objects of a parsed value have in all. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === 'object') count += countMembers(entry)
    return count
  }
  // On an object of 100,000 members Object.values takes twice as long.
  const members = value as Readonly<Members>
  for (const name of Object.keys(members)) {
    const member = members[name]
    count += typeof member === 'object' ? 1 + countMembers(member) : 1
  }
  return count
}

/** Gives an object a member, whatever its name is. */
export function setMember(target: Members, name: string, value: unknown): void {
  // Assigned, it would be the prototype.
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
}

/** A whole number of 64 bits has no more digits than this. */
const MOST_DIGITS = 19

/** A whole number, exactly; undefined for a fraction, and for an exponent that leads past 64 bits. */
export function toExactInteger(text: string): bigint | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (parts === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const shift = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (shift > MOST_DIGITS) return undefined
  if (shift >= 0) return BigInt(sign + digits + '0'.repeat(shift))
  const kept = digits.slice(0, shift)
  return /^0*$/.test(digits.slice(shift)) ? BigInt(sign + (kept === '' ? '0' : kept)) : undefined
}

/** From this many digits on a double may round a whole number. */
const UNSAFE_DIGITS = 16

/** How many digits a number has, without those of its exponent. */
const countDigits = (text: string): number => (/[\d.]+/.exec(text)?.[0] ?? '').replace('.', '').length

/** D3: a `number` if a double is exact, a `bigint` if it would round a whole number; Infinity past what a double holds. */
export function parseNumber(text: string): number | bigint {
  const rounded = Number(text)
  // A double of fewer digits is written as it came. The other numbers of a text make no difference.
  if (countDigits(text) < UNSAFE_DIGITS) return rounded
  // No array of the contract takes it, and as a bigint it takes a second to read and another one to write.
  if (!Number.isFinite(rounded)) return rounded
  return Number.isSafeInteger(rounded) ? rounded : (toExactInteger(text) ?? rounded)
}

/** A number with so many digits, as far as the survey counts them; in a string it is taken for one too. */
const LONG_NUMBER = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g

/** Whether a long number of the text has to be a `bigint`; most have not, and the platform's own parser is far quicker. */
function hasBigint(text: string): boolean {
  // Far quicker, and most texts have none.
  if (!/[\d.]{16}/.test(text)) return false
  for (const [number] of text.matchAll(LONG_NUMBER)) if (isBig(number)) return true
  return false
}

/** Whether a number without a sign becomes a `bigint`. */
const isBig = (text: string): boolean => typeof parseNumber(text) === 'bigint'

/** Parses JSON text that a mock wrote, which needs no further checks, without losing a digit of a whole number (D3). */
export const parseOwnJson = (text: string): unknown =>
  hasBigint(text)
    ? parseLosslessly(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text)

/** Deeper nesting than this is refused: no documented body needs ten levels. */
export const MAX_DEPTH = 100

/** A number with more digits is refused: no parser says how it would be read (RFC 8259, section 9). */
const MAX_DIGITS = 10_000

/** More of it in a row nobody writes. */
const MOST_BLANK = 1_000_000

const QUOTE = 34
const COMMA = 44
const POINT = 46
const COLON = 58
/** `E` and `e`. */
const EXPONENT = new Set([69, 101])

const tooMuch = (what: string): Error => problem.invalidInput(`The JSON text has ${what}. Send less at a time (D97).`)

/**
 * Parses JSON text (RFC 8259), a slice at a time. The platform's own parser reads each slice: this one only finds the commas
 * between which it can, and counts. What is too much is refused as soon as it is met.
 *
 * @param slice how many characters are parsed before each `yield`
 * @throws {Problem} 400 InvalidJsonInput, or InvalidInput past the limits.
 */
export function* parseInSlices(text: string, limits: JsonLimits, slice: number): Steps<unknown> {
  const root = createFrame()
  root.target = []
  const frames = [root]
  let depth = 0
  let frame = root
  let members = 0
  let commas = 0
  let nested = 0
  let digits = 0
  /** Where the number at hand starts. */
  let numberStart = 0
  let hasBigNumber = false
  let end = slice
  /** The line up to which the text is parsed. */
  let line = FIRST_LINE
  /** The last offset at which something ended that is not white space, a number or a word. */
  let mark = 0

  /** The innermost object or array that has been begun to parse. */
  function findOpen(): readonly Frame[] {
    const unopened = frames.findIndex(({ target }, level) => level > depth || target === undefined)
    return unopened === -1 ? frames : frames.slice(0, unopened)
  }

  /** @param at the offset at which the text turned out not to be JSON */
  function fail(at: number): never {
    const open = findOpen()
    const { start, after, isArray } = open.at(-1) ?? root
    const brackets = open
      .slice(1)
      .map((one, level) => `${open[level]?.isArray === true ? '' : '"":'}${one.isArray ? '[' : '{'}`)
    const last = after === 'opening' ? '' : `${isArray ? '' : '"":'}null${after === 'comma' ? ',' : ''}`
    const part = { prefix: brackets.join('') + last, start, end: Math.min(at + 1, text.length), line }
    throw problem.invalidJson(describeSyntaxFault(text, part))
  }

  function failForDuplicate(): never {
    const open = findOpen()
    const levels = open.slice(1).map(({ isArray, target, name }, level): Level => {
      const isLast = level === open.length - 2
      if (Array.isArray(target) && isArray) return { step: isLast ? target.length : target.length - 1 }
      return { names: new Set(Object.keys(target ?? {})), step: name }
    })
    throw problem.invalidJson(describeDuplicate(text, { start: open.at(-1)?.start ?? 0, line }, levels))
  }

  function parse(json: string, expectedMembers: number, at: number): unknown {
    let value: unknown
    try {
      value = hasBigNumber ? parseOwnJson(json) : JSON.parse(json)
    } catch {
      fail(at)
    }
    if (expectedMembers > 0 && countMembers(value) !== expectedMembers) failForDuplicate()
    return value
  }

  /** Parses the values of an object or array up to a comma or its end; there may be none only in an empty one. */
  function takeValues(one: Frame, to: number, toMembers: number, at: number): void {
    const { isArray, start, target } = one
    const run = text.slice(start, to)
    if (one.after === 'value') {
      if (!isBlank(run)) fail(at)
      return
    }
    const parsed = parse(isArray ? `[${run}]` : `{${run}}`, toMembers - one.membersAtStart, at)
    if (Array.isArray(parsed) && Array.isArray(target)) {
      if (parsed.length === 0 && (one.after === 'comma' || to === one.comma)) fail(at)
      for (const value of parsed) target.push(value)
      return
    }
    // What was parsed as an object.
    const [from, into] = [parsed as Members, target as Members]
    const names = Object.keys(from)
    if (names.length === 0 && (one.after === 'comma' || to === one.comma)) fail(at)
    if (names.some((name) => Object.hasOwn(into, name))) failForDuplicate()
    for (const name of names) setMember(into, name, from[name])
  }

  /** Begins to parse an object or array: its parent gets it while it is still empty. */
  function open(one: Frame, parent: Frame, at: number): void {
    const target = one.isArray ? [] : {}
    const head = text.slice(parent.start, one.opening)
    if (parent.after === 'value') fail(at)
    if (Array.isArray(parent.target)) {
      if (!isBlank(head)) fail(at)
      parent.target.push(target)
    } else {
      const [name, ...others] = Object.keys(parse(`{${head}null}`, 0, at) as Members)
      // The parent of what is opened is open.
      const into = parent.target as Members
      if (name === undefined || others.length > 0) fail(at)
      if (Object.hasOwn(into, name)) failForDuplicate()
      setMember(into, name, target)
      parent.name = name
    }
    one.target = target
  }

  /** Parses all that is before the last comma of each open object and array. */
  function takeSlice(at: number): void {
    for (const [level, one] of frames.entries()) {
      if (level > depth) return
      const parent = frames[level - 1]
      if (one.target === undefined && parent !== undefined) open(one, parent, at)
      if (one.comma === -1) continue
      takeValues(one, one.comma, one.membersAtComma, at)
      one.start = one.comma + 1
      one.after = 'comma'
      one.comma = -1
      one.membersAtStart = one.membersAtComma
    }
  }

  function enter(isArray: boolean, at: number): void {
    mark = at
    nested += 1
    if (nested > limits.nested) throw tooMuch(`more than ${limits.nested} objects and arrays`)
    depth += 1
    if (depth > MAX_DEPTH) throw problem.invalidJson(`nested deeper than ${MAX_DEPTH} levels.`)
    frame = frames[depth] ??= createFrame()
    frame.isArray = isArray
    frame.opening = at
    frame.start = at + 1
    frame.after = 'opening'
    frame.comma = -1
    frame.membersAtStart = members
    frame.size = 0
    frame.target = undefined
  }

  function leave(isArray: boolean, at: number): void {
    mark = at
    const parent = frames[depth - 1]
    if (parent === undefined || frame.isArray !== isArray) fail(at)
    const isOpen = frame.target !== undefined
    if (isOpen) takeValues(frame, at, members, at)
    depth -= 1
    frame = parent
    if (!isOpen) return
    frame.start = at + 1
    frame.after = 'value'
    frame.comma = -1
    frame.membersAtStart = members
  }

  function endNumber(at: number): void {
    const isLong = digits >= UNSAFE_DIGITS
    digits = 0
    if (!isLong || hasBigNumber) return
    // With an exponent, it is not at its end.
    hasBigNumber = EXPONENT.has(text.charCodeAt(at)) || isBig(text.slice(numberStart, at))
  }

  function meetComma(at: number): void {
    mark = at
    commas += 1
    if (commas >= limits.values) throw tooMuch(`more than ${limits.values} values`)
    if (depth === 0) fail(at)
    if (frame.isArray) {
      frame.size += 1
      if (frame.size >= limits.items) throw tooMuch(`an array of more than ${limits.items} items`)
    }
    if (frame.after !== 'value') {
      frame.comma = at
      frame.membersAtComma = members
      return
    }
    takeValues(frame, at, members, at)
    frame.start = at + 1
    frame.after = 'comma'
  }

  for (let at = 0; at < text.length; at += 1) {
    if (at >= end) {
      if (at - mark > MOST_BLANK) {
        if (!isBlank(text.slice(mark + 1, at))) fail(at)
        throw tooMuch(`more than ${MOST_BLANK} characters of white space in a row`)
      }
      takeSlice(at)
      line = findLine(text, findOpen().at(-1)?.start ?? 0, line)
      yield slice
      end = at + slice
    }
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      if (digits === 0) numberStart = at
      digits += 1
      if (digits > MAX_DIGITS) throw tooMuch(`a number of more than ${MAX_DIGITS} digits`)
      continue
    }
    // A point does not end a run: 922337203.6854775807e10 is whole.
    if (code !== POINT && digits > 0) endNumber(at)
    if (code === QUOTE) {
      const opening = at
      let sliceStart = at
      do {
        at = text.indexOf('"', at + 1)
        if (at === -1) at = text.length
        if (at - sliceStart >= slice) {
          yield slice
          sliceStart = at
        }
        if (at - opening > limits.string) throw tooMuch(`a string of more than ${limits.string} characters`)
      } while (at < text.length && isEscaped(text, at))
      mark = at
    } else if (code === COLON) {
      mark = at
      members += 1
      frame.size += 1
      if (frame.size > limits.members) throw tooMuch(`an object of more than ${limits.members} members`)
    } else if (code === COMMA) meetComma(at)
    else if (code === 123 || code === 91) enter(code === 91, at)
    else if (code === 125 || code === 93) leave(code === 93, at)
  }
  endNumber(text.length)
  if (depth > 0) fail(text.length)
  if (root.after !== 'value') return parse(text, members, text.length)
  if (!isBlank(text.slice(root.start))) fail(text.length)
  return root.target[0]
}
