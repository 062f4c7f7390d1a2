import { didYouMean } from './did-you-mean.ts'
import { SetupError } from './errors.ts'
import { stringifyJson } from './http/json.ts'
import type { MockOptions } from './options.ts'

/** What an option has to be, and how a sentence goes on from "which is not". */
interface Check {
  readonly expected: string
  holds(value: unknown): boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isFunction = (value: unknown): boolean => typeof value === 'function'
/** As a browser sends it: without a slash at its end. */
const isOrigin = (value: unknown): boolean => isText(value) && URL.canParse(value) && new URL(value).origin === value
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text: Check = { expected: 'a string', holds: isText }
const flag: Check = { expected: 'true or false', holds: (value) => typeof value === 'boolean' }
const texts: Check = { expected: 'an array of strings', holds: isList }
const files: Check = {
  expected: 'an object of texts by file name',
  holds: (value) => isObject(value) && Object.values(value).every(isText),
}
const callback: Check = { expected: 'a function', holds: isFunction }
const oneOf = (...known: readonly string[]): Check => ({
  expected: `one of ${known.map((one) => `"${one}"`).join(', ')}`,
  holds: (value) => isText(value) && known.includes(value),
})
const wholeFrom = (least: number): Check => ({
  expected: `a whole number of at least ${least}`,
  holds: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= least,
})

const checks: Readonly<Record<keyof MockOptions, Check>> = {
  fixtures: files,
  scenario: { expected: 'a name or an array of names', holds: (value) => isText(value) || isList(value) },
  scenarios: files,
  auth: oneOf('off', 'lenient', 'strict'),
  tokenSecret: text,
  clients: texts,
  strict: flag,
  checkResponses: flag,
  identity: oneOf('header', 'body'),
  generate: wholeFrom(0),
  seed: wholeFrom(0),
  clock: text,
  delay: {
    expected: 'an object such as { from: 100, to: 500 }, in milliseconds',
    holds: (value) => {
      if (!isObject(value) || !('from' in value) || !('to' in value)) return false
      const { from, to } = value
      return typeof from === 'number' && typeof to === 'number' && from >= 0 && from <= to
    },
  },
  cors: {
    expected: '"any", "off" or an array of origins such as "http://localhost:5173"',
    holds: (value) => value === 'any' || value === 'off' || (Array.isArray(value) && value.every(isOrigin)),
  },
  maxBody: wholeFrom(1),
  maxSessions: wholeFrom(1),
  sessionTtl: { expected: 'a number of milliseconds', holds: (value) => typeof value === 'number' && value >= 0 },
  journal: wholeFrom(0),
  adminToken: text,
  adminOrigins: texts,
  host: text,
  onShutdown: callback,
  persistence: {
    expected: 'an object with the functions read and write',
    holds: (value) =>
      isObject(value) && 'read' in value && 'write' in value && [value.read, value.write].every(isFunction),
  },
  onRequest: callback,
  onFault: callback,
}

const isOption = (name: string): name is keyof MockOptions => Object.hasOwn(checks, name)

function show(value: unknown): string {
  if (value instanceof Promise) return 'a promise that is not awaited'
  if (typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : stringifyJson(value).slice(0, 80)
}

/**
 * Holds options to what {@link MockOptions} says, for callers without a compiler that does. What is undefined is absent.
 *
 * @throws {SetupError} for the first that is unknown or has a value it cannot have.
 */
export function checkOptions(options: MockOptions): void {
  if (!isObject(options) || 'then' in options) {
    throw new SetupError(
      `The options are ${show(options)}. Give an object such as { scenario: 'slow' }, or leave them out.`,
    )
  }
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) throw new SetupError(`Unknown option "${name}".${didYouMean(name, Object.keys(checks))}`)
    const { expected, holds } = checks[name]
    if (value === undefined || holds(value)) continue
    throw new SetupError(`The option ${name} is ${show(value)}, which is not ${expected}. Give it so, or leave it out.`)
  }
}
