import { parse as parseLosslessly } from 'lossless-json'
import { problem } from '../../errors.ts'
import { FIRST_LINE, describeDuplicate, describeSyntaxFault, findLine, isEscaped } from './json-problems.ts'
import type { Level, JsonLimits } from './json-problems.ts'
import type { Steps } from '../../util/turns.ts'

export type Members = Record<string, unknown>

/**
 * An object or array whose end has not been reached. The outermost frame represents the text itself, which may contain one
 * value.
 */
export interface Frame {
  isArray: boolean
  /** The offset of its opening bracket. */
  opening: number
  /** The offset from which the text has not been parsed yet. */
  start: number
  /** The token right before `start`. */
  after: 'opening' | 'comma' | 'value'
  /** The offset of the last comma at or after `start`; -1 if there is none. */
  comma: number
  /** The total number of members before `start` and before `comma`. */
  membersAtStart: number
  membersAtComma: number
  /** The number of members of an object, or of commas in an array. */
  size: number
  /** Receives the parsed values; undefined until parsing of this frame starts. */
  target: unknown[] | Members | undefined
  /** The member that is being read, if its value is an open object or array. */
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

/** Whether a text is empty or contains only white space (RFC 8259, section 2). */
export const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

/** Counts the members of all objects in a parsed value. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === 'object') count += countMembers(entry)
    return count
  }
  // Object.values takes twice as long for an object with 100,000 members.
  const members = value as Readonly<Members>
  for (const name of Object.keys(members)) {
    const member = members[name]
    count += typeof member === 'object' ? 1 + countMembers(member) : 1
  }
  return count
}

/** Sets a member of an object, even if its name is `__proto__`. */
export function setMember(target: Members, name: string, value: unknown): void {
  // An assignment would set the prototype.
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
}

/** The maximum number of digits of a 64-bit integer. */
const MOST_DIGITS = 19

/** Parses an integer exactly; undefined for a fraction, and for an exponent too large for 64 bits. */
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

/** The number of digits from which a double may round an integer. */
const UNSAFE_DIGITS = 16

/** Counts the digits of a number, without those of its exponent. */
const countDigits = (text: string): number => (/[\d.]+/.exec(text)?.[0] ?? '').replace('.', '').length

/**
 * D3: returns a `number` if a double is exact, a `bigint` if a double would round the integer, and Infinity if a double
 * would overflow.
 */
export function parseNumber(text: string): number | bigint {
  const rounded = Number(text)
  // A double with fewer digits round-trips exactly, whatever other numbers the text contains.
  if (countDigits(text) < UNSAFE_DIGITS) return rounded
  // No array of the contract accepts such a number, and as a bigint it takes a second to parse and another to write.
  if (!Number.isFinite(rounded)) return rounded
  return Number.isSafeInteger(rounded) ? rounded : (toExactInteger(text) ?? rounded)
}

/** A number with at least 16 digits, counting decimal points; also matches within strings. */
const LONG_NUMBER = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g

/**
 * Whether a text contains a number that must be a `bigint`. Most texts do not, and the platform's parser is much faster for
 * them.
 */
function hasBigint(text: string): boolean {
  // Much faster than the loop, and most texts have no long numbers.
  if (!/[\d.]{16}/.test(text)) return false
  for (const [number] of text.matchAll(LONG_NUMBER)) if (isBig(number)) return true
  return false
}

/** Whether an unsigned number must be a `bigint`. */
const isBig = (text: string): boolean => typeof parseNumber(text) === 'bigint'

/** Parses JSON text written by a mock, which needs no further checks. Integers keep all digits (D3). */
export const parseOwnJson = (text: string): unknown =>
  hasBigint(text)
    ? parseLosslessly(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text)

/** Maximum nesting depth. Documented bodies need fewer than ten levels. */
export const MAX_DEPTH = 100

/** Maximum number of digits in a number. RFC 8259, section 9, allows parsers to limit numbers. */
const MAX_DIGITS = 10_000

/** Maximum number of consecutive white space characters. */
const MOST_BLANK = 1_000_000

const QUOTE = 34
const COMMA = 44
const POINT = 46
const COLON = 58
/** Character codes of `E` and `e`. */
const EXPONENT = new Set([69, 101])

const limitExceeded = (what: string): Error =>
  problem.invalidInput(`The JSON text contains ${what}. Reduce its size (D97).`)

/**
 * Parses JSON text (RFC 8259) in slices. The platform's parser parses each slice; this function only counts values and
 * finds the commas at which the text can be split. Text that exceeds a limit is rejected as soon as the limit is reached.
 *
 * @param slice the number of characters to parse before each `yield`
 * @throws {Problem} 400 InvalidJsonInput, or InvalidInput if a limit is exceeded.
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
  /** The offset at which the current number starts. */
  let numberStart = 0
  let hasBigNumber = false
  let end = slice
  /** The line of the position up to which the text has been parsed. */
  let line = FIRST_LINE
  /** The offset of the last token that was not white space, a number or a word. */
  let lastTokenEnd = 0

  /** Finds the frames whose parsing has started, outermost first. */
  function findOpen(): readonly Frame[] {
    const unopened = frames.findIndex(({ target }, level) => level > depth || target === undefined)
    return unopened === -1 ? frames : frames.slice(0, unopened)
  }

  /** @param at the offset at which the syntax error was detected */
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

  /** Parses an object's or array's values up to a comma or its end. The values may only be missing if it is empty. */
  function parseValues(one: Frame, to: number, toMembers: number, at: number): void {
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
    // `parsed` and `target` are both objects here.
    const [from, into] = [parsed as Members, target as Members]
    const names = Object.keys(from)
    if (names.length === 0 && (one.after === 'comma' || to === one.comma)) fail(at)
    if (names.some((name) => Object.hasOwn(into, name))) failForDuplicate()
    for (const name of names) setMember(into, name, from[name])
  }

  /** Starts parsing an object or array by adding it to its parent while it is still empty. */
  function openFrame(one: Frame, parent: Frame, at: number): void {
    const target = one.isArray ? [] : {}
    const head = text.slice(parent.start, one.opening)
    if (parent.after === 'value') fail(at)
    if (Array.isArray(parent.target)) {
      if (!isBlank(head)) fail(at)
      parent.target.push(target)
    } else {
      const [name, ...others] = Object.keys(parse(`{${head}null}`, 0, at) as Members)
      // The parent's target is defined, because frames are opened from the outermost inward.
      const into = parent.target as Members
      if (name === undefined || others.length > 0) fail(at)
      if (Object.hasOwn(into, name)) failForDuplicate()
      setMember(into, name, target)
      parent.name = name
    }
    one.target = target
  }

  /** Parses everything before the last comma of each open object and array. */
  function parseSlice(at: number): void {
    for (const [level, one] of frames.entries()) {
      if (level > depth) return
      const parent = frames[level - 1]
      if (one.target === undefined && parent !== undefined) openFrame(one, parent, at)
      if (one.comma === -1) continue
      parseValues(one, one.comma, one.membersAtComma, at)
      one.start = one.comma + 1
      one.after = 'comma'
      one.comma = -1
      one.membersAtStart = one.membersAtComma
    }
  }

  function enter(isArray: boolean, at: number): void {
    lastTokenEnd = at
    nested += 1
    if (nested > limits.nested) throw limitExceeded(`more than ${limits.nested} objects and arrays`)
    depth += 1
    if (depth > MAX_DEPTH) throw problem.invalidJson(`nested more than ${MAX_DEPTH} levels deep. Flatten it.`)
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
    lastTokenEnd = at
    const parent = frames[depth - 1]
    if (parent === undefined || frame.isArray !== isArray) fail(at)
    const isOpen = frame.target !== undefined
    if (isOpen) parseValues(frame, at, members, at)
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
    // A number with an exponent does not end here.
    hasBigNumber = EXPONENT.has(text.charCodeAt(at)) || isBig(text.slice(numberStart, at))
  }

  function onComma(at: number): void {
    lastTokenEnd = at
    commas += 1
    if (commas >= limits.values) throw limitExceeded(`more than ${limits.values} values`)
    if (depth === 0) fail(at)
    if (frame.isArray) {
      frame.size += 1
      if (frame.size >= limits.items) throw limitExceeded(`an array with more than ${limits.items} items`)
    }
    if (frame.after !== 'value') {
      frame.comma = at
      frame.membersAtComma = members
      return
    }
    parseValues(frame, at, members, at)
    frame.start = at + 1
    frame.after = 'comma'
  }

  for (let at = 0; at < text.length; at += 1) {
    if (at >= end) {
      if (at - lastTokenEnd > MOST_BLANK) {
        if (!isBlank(text.slice(lastTokenEnd + 1, at))) fail(at)
        throw limitExceeded(`more than ${MOST_BLANK} consecutive white space characters`)
      }
      parseSlice(at)
      line = findLine(text, findOpen().at(-1)?.start ?? 0, line)
      yield slice
      end = at + slice
    }
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      if (digits === 0) numberStart = at
      digits += 1
      if (digits > MAX_DIGITS) throw limitExceeded(`a number with more than ${MAX_DIGITS} digits`)
      continue
    }
    // Keep counting across a decimal point: 922337203.6854775807e10 is an integer.
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
        if (at - opening > limits.string) throw limitExceeded(`a string with more than ${limits.string} characters`)
      } while (at < text.length && isEscaped(text, at))
      lastTokenEnd = at
    } else if (code === COLON) {
      lastTokenEnd = at
      members += 1
      frame.size += 1
      if (frame.size > limits.members) throw limitExceeded(`an object with more than ${limits.members} members`)
    } else if (code === COMMA) onComma(at)
    else if (code === 123 || code === 91) enter(code === 91, at)
    else if (code === 125 || code === 93) leave(code === 93, at)
  }
  endNumber(text.length)
  if (depth > 0) fail(text.length)
  if (root.after !== 'value') return parse(text, members, text.length)
  if (!isBlank(text.slice(root.start))) fail(text.length)
  return root.target[0]
}
