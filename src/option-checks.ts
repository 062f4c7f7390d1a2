import { didYouMean } from './util/did-you-mean.ts'
import { SetupError } from './errors.ts'
import { MAX_DELAY } from './http/delay.ts'
import { isJsonObject } from './http/json.ts'
import { optionBounds } from './option-bounds.ts'
import type { MockOptions } from './options.ts'
import { showValue } from './util/show-value.ts'

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

const text: Check = { expected: 'a string', holds: isText }
const flag: Check = { expected: 'true or false', holds: (value) => typeof value === 'boolean' }
const texts: Check = { expected: 'an array of strings', holds: isList }
const files: Check = {
  expected: 'an object of texts by file name',
  holds: (value) => isJsonObject(value) && Object.values(value).every(isText),
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

const wholeWithin = ({ least, most }: { readonly least: number; readonly most: number }): Check => ({
  expected: `a whole number from ${least} to ${most}`,
  holds: (value) => wholeFrom(least).holds(value) && Number(value) <= most,
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
  generate: wholeWithin(optionBounds.generate),
  seed: wholeFrom(0),
  clock: text,
  delay: {
    expected: `an object such as { from: 100, to: 500 }, in milliseconds, at most ${MAX_DELAY}`,
    holds: (value) => {
      if (!isJsonObject(value) || !('from' in value) || !('to' in value)) return false
      const { from, to } = value
      return typeof from === 'number' && typeof to === 'number' && from >= 0 && from <= to && to <= MAX_DELAY
    },
  },
  cors: {
    expected: '"any", "off" or an array of origins such as "http://localhost:5173"',
    holds: (value) => value === 'any' || value === 'off' || (Array.isArray(value) && value.every(isOrigin)),
  },
  maxBody: wholeWithin(optionBounds.maxBody),
  maxSessions: wholeWithin(optionBounds.maxSessions),
  sessionTtl: { expected: 'a number of milliseconds', holds: (value) => typeof value === 'number' && value >= 0 },
  journal: wholeWithin(optionBounds.journal),
  journalBytes: wholeWithin(optionBounds.journalBytes),
  imageBytes: wholeWithin(optionBounds.imageBytes),
  redact: texts,
  admin: flag,
  adminToken: text,
  adminOrigins: texts,
  host: text,
  onShutdown: callback,
  persistence: {
    expected: 'an object with the functions read and write',
    holds: (value) =>
      isJsonObject(value) && 'read' in value && 'write' in value && [value.read, value.write].every(isFunction),
  },
  onRequest: callback,
  onFault: callback,
}

const isOption = (name: string): name is keyof MockOptions => Object.hasOwn(checks, name)

const serverChecks: Readonly<Record<'tls' | 'persist' | 'lightweightGlobals', Check>> = {
  tls: { expected: 'an object with the PEM texts cert and key', holds: isJsonObject },
  persist: { expected: 'the name of a file', holds: isText },
  lightweightGlobals: flag,
}

/** What `startServer` takes besides. */
const serverOptions: readonly string[] = ['port', ...Object.keys(serverChecks)]

function describeStranger(name: string): string {
  if (serverOptions.includes(name)) {
    return `The option ${name} belongs to startServer of resource-mock/node: what has no server of its own does not take it. Use startServer, or leave it out.`
  }
  const known = Object.keys(checks)
  const remedy = didYouMean(name, [...known, ...serverOptions]) || ` There are: ${known.join(', ')}.`
  return `Unknown option "${name}".${remedy}`
}

/** What these were given is never shown. */
const secretOptions: ReadonlySet<string> = new Set(['adminToken', 'clients', 'tls', 'tokenSecret'])

/** What is undefined is absent. */
function expectValue(name: string, value: unknown, { expected, holds }: Check): void {
  if (value === undefined || holds(value)) return
  const shown = secretOptions.has(name) ? '' : `${showValue(value)}, which is `
  throw new SetupError(`The option ${name} is ${shown}not ${expected}. Give it so, or leave it out.`)
}

/**
 * Holds what was given in the place of options to an object.
 *
 * @throws {SetupError} for anything else.
 */
export function expectOptions(options: unknown): void {
  if (isJsonObject(options) && !('then' in options)) return
  throw new SetupError(
    `The options are ${showValue(options)}. Give an object such as { scenario: 'slow' }, or leave them out.`,
  )
}

/**
 * Holds options to what {@link MockOptions} says, for callers without a compiler that does. What is undefined is absent.
 *
 * @throws {SetupError} for the first that is unknown or has a value it cannot have.
 */
export function checkOptions(options: MockOptions): void {
  expectOptions(options)
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) throw new SetupError(describeStranger(name))
    expectValue(name, value, checks[name])
  }
}

/**
 * Holds what only a server takes to what it is, but for the port: that is checked where it is opened.
 *
 * @throws {SetupError} for the first that has a value it cannot have.
 */
export function checkServerOptions(options: Readonly<Record<keyof typeof serverChecks, unknown>>): void {
  expectValue('tls', options.tls, serverChecks.tls)
  expectValue('persist', options.persist, serverChecks.persist)
  expectValue('lightweightGlobals', options.lightweightGlobals, serverChecks.lightweightGlobals)
}
