import * as z from 'zod'
import type { FileContent, FileContents } from '../../util/load-partially.ts'
import { SetupError } from '../../errors.ts'
import { showValue } from '../../service/http/json.ts'
import { dateTime as dateTimeSchema } from '../../service/contract/models.ts'
import { MAX_DELAY, findDelay } from '../../service/http/connection.ts'
import { didYouMean, toChoice } from '../../util/did-you-mean.ts'

/** An option of a command. Its flag, validation, help and documentation are derived from this. */
export interface Option {
  readonly value: Value<unknown, unknown>
  /** As written on the command line, `-p, --port <n>`; absent for options that only code can set. */
  readonly flag?: string
  readonly env?: string
  /** The name in a configuration file, if it differs from the option name. */
  readonly configName?: string
  readonly about?: string
  /** As a user would write it. */
  readonly default?: unknown
  /** How the help describes a default that is not a fixed value: `random`. */
  readonly otherwise?: string
  /** Can be repeated on the command line. */
  readonly isRepeatable?: true
  /** The help text for the `--no-` form of the flag, which sets `false`. */
  readonly negated?: string
  /** Its value must not appear in error messages. */
  readonly isSecret?: true
  /** Starts a new group in the help. */
  readonly heading?: string
}

/** An option of the mock, which code can also set. */
export interface MockOption extends Option {
  /**
   * Where it applies: `mock` in `createMock`, `startServer` and the command; `server` in the last two; `command` in the
   * last.
   */
  readonly for: 'mock' | 'server' | 'command'
  /** The value type in code, if the command line takes a folder instead. */
  readonly inCode?: Value<unknown, unknown>
}

export type MockOptionTable = Readonly<Record<string, MockOption>>

/** The options of a command, keyed by name. */
export type Options = Readonly<Record<string, Option>>

type WithDefault<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { readonly default: unknown } ? Name : never
}[keyof Table]

/** Parsed options; those without a default may be absent. */
export type Parsed<Table extends Options> = {
  readonly [Name in WithDefault<Table>]: z.output<Table[Name]['value']['schema']>
} & { readonly [Name in Exclude<keyof Table, WithDefault<Table>>]?: z.output<Table[Name]['value']['schema']> }

/** The long flag: `--port` for `-p, --port <n>`. */
export const toFlag = ({ flag = '' }: Option): string => /--[a-z-]+/.exec(flag)?.[0] ?? flag

/** The name in a configuration file. */
export const toConfigName = (name: string, { configName = name }: Option): string => configName

/**
 * Parses the value of an option.
 *
 * @param subject the start of the error message: `--port`
 * @throws {SetupError} if the value is invalid.
 */
export function parseValue({ value, isSecret }: Pick<Option, 'value' | 'isSecret'>, input: unknown, subject: string) {
  const { schema, expected, suggest } = value
  const result = schema.safeParse(input)
  if (result.success) return result.data
  // A repeatable flag is an array even if it was passed once.
  const one: unknown = Array.isArray(input) && input.length === 1 ? input[0] : input
  const shown = isSecret === true ? '' : `, not ${showValue(one)}`
  throw new SetupError(`${subject} must be ${expected}${shown}.${suggest?.(input) ?? ''}`)
}

/** The type of an option's value, as written in code, a configuration file or on the command line. */
export interface Value<Parsed, Written = Parsed> {
  readonly schema: z.ZodType<Parsed, Written>
  /** Completes the message `--port must be …`. */
  readonly expected: string
  /** Converts the text of a flag or environment variable; absent if the text is the value. */
  readonly fromText?: (text: string) => unknown
  /** A path, relative to the folder of the source that sets it. */
  readonly isPath?: true
  /** Returns a sentence with a leading space, or an empty string. */
  readonly suggest?: (input: unknown) => string
}

export const text: Value<string> = { schema: z.string().min(1), expected: 'a non-empty string' }

export const path: Value<string> = { schema: z.string().min(1), expected: 'a path', isPath: true }

export const onOrOff: Value<boolean> = { schema: z.boolean(), expected: 'true or false' }

export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }): Value<number> => ({
  schema: z.int().min(min).max(max),
  expected: `a whole number from ${min} to ${max}`,
  fromText: (input) => (/^\d{1,15}$/.test(input) ? Number(input) : input),
})

/** A percentage such as 80 or 62.5. */
export const percent: Value<number> = {
  schema: z.number().min(0).max(100),
  expected: 'a percentage from 0 to 100',
  fromText: (input) => (/^\d{1,3}(?:\.\d{1,9})?$/.test(input) ? Number(input) : input),
}

export const oneOf = <const Word extends string>(words: readonly Word[]): Value<Word> => ({
  schema: z.enum(words),
  expected: toChoice(words),
  suggest: (input) => (typeof input === 'string' ? didYouMean(input, words) : ''),
})

/** One item or an array; always parsed to an array. */
export const oneOrMany = <Item>(
  item: Value<Item>,
  expected: string,
): Value<readonly Item[], Item | readonly Item[]> => ({
  schema: z
    .union([item.schema, z.array(item.schema).readonly()])
    // The schemas above accept only an item or an array of items.
    .transform((input) => (Array.isArray(input) ? input : [input]) as readonly Item[]),
  expected,
  ...(item.suggest === undefined ? {} : { suggest: item.suggest }),
})

/** Creates a function that multiplies a number by its unit, in any case. */
const createToNumber = (units: ReadonlyMap<string, number>) => (input: string) =>
  Number.parseInt(input, 10) * (units.get(input.replace(/^\d+/, '').toLowerCase()) ?? Number.NaN)

const BYTES = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }
const toBytes = createToNumber(new Map(Object.entries(BYTES)))

/**
 * Bytes, or a string such as `10mb`.
 *
 * @param max a string in the same format
 */
export function size(max: string, min: 0 | 1 = 1): Value<number, number | string> {
  const bytes = z.int().min(min).max(toBytes(max))
  const written = z.string().regex(/^\d{1,15}(?:b|kb|mb|gb)?$/i)
  return {
    schema: z.union([bytes, written.transform(toBytes).pipe(bytes)]),
    expected: `a size from ${min === 1 ? '1 byte' : '0'} to ${max}, such as 10mb, 512kb or 1048576`,
  }
}

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const toMilliseconds = createToNumber(new Map(Object.entries(MILLISECONDS)))

/** In the largest unit that divides it: `10m` for 600,000. */
function formatDuration(milliseconds: number): string {
  const [unit, size] = Object.entries(MILLISECONDS).findLast(([, size]) => milliseconds % size === 0) ?? ['ms', 1]
  return `${milliseconds / size}${unit}`
}

/** Milliseconds, or a string such as `90s`. */
export function duration({
  min,
  max,
  minWritten = 1,
}: {
  readonly min: number
  readonly max?: number
  readonly minWritten?: number
}): Value<number, number | string> {
  const milliseconds = z
    .number()
    .min(min)
    .max(max ?? Number.MAX_SAFE_INTEGER)
  const bounds = [
    ...(minWritten === 0 ? [] : ['above 0']),
    ...(max === undefined ? [] : [`${minWritten === 0 ? 'of ' : ''}up to ${formatDuration(max)}`]),
  ].join(' and ')
  const written = z.string().regex(/^\d{1,9}(?:ms|s|m|h|d)$/i)
  return {
    // Code may let sessions expire immediately; 0s on the command line is probably a mistake.
    schema: z.union([milliseconds, written.transform(toMilliseconds).pipe(milliseconds.min(minWritten))]),
    expected: `a duration ${bounds}, with a unit, such as 1h, 30m, 90s or 500ms`,
  }
}

const milliseconds = z.number().min(0).max(MAX_DELAY)
const span = z.strictObject({ from: milliseconds, to: milliseconds }).readonly()

/** Milliseconds, fixed or within a range: `300`, `100-500`, `{ from: 100, to: 500 }`. */
export const delay = {
  schema: z.union([
    span.refine(({ from, to }) => from <= to),
    milliseconds.transform((fixed) => ({ from: fixed, to: fixed })),
    z
      .string()
      .refine((input) => findDelay(input) !== undefined)
      .transform((input) => findDelay(input) ?? { from: 0, to: 0 }),
  ]),
  expected: `at most ${MAX_DELAY} milliseconds, fixed such as 300 or a range such as 100-500`,
} satisfies Value<unknown, unknown>

/** ISO 8601 date-time with an offset. */
export const dateTime: Value<string> = {
  schema: dateTimeSchema,
  expected: 'an ISO 8601 date-time with an offset, such as 2026-01-31T12:00:00Z',
}

const HOST_NAME = /^(?!-)[A-Za-z0-9._-]{1,253}$/

/** An IP address or host name; brackets around IPv6 addresses are removed. */
export const host: Value<string> = {
  schema: z
    .string()
    .transform((input) => /^\[(.*)\]$/.exec(input)?.[1] ?? input)
    .refine(
      (host) =>
        HOST_NAME.test(host) || (host.includes(':') && URL.canParse(`http://[${host.replace(/%[^%\]]+$/, '')}]`)),
    ),
  expected: 'an IP address or host name without scheme, port or path, such as 127.0.0.1, ::1 or localhost',
}

export const client: Value<string> = {
  schema: z.string().regex(/^[^:]+:.+$/),
  expected: 'an id and a secret separated by a colon, such as my-client:my-secret',
}

const originOf = (input: string): string | undefined => {
  const origin = URL.canParse(input) ? new URL(input).origin : 'null'
  return origin === 'null' ? undefined : origin
}
const origin = z.string().refine((input) => originOf(input) === input)
const originList = z.array(origin)
const commaSeparated = z.string().transform((input) => input.split(',').map((part) => part.trim()))

/** ` Did you mean "http://a.test"?` for a URL with a path or a trailing slash. */
function suggestOrigins(input: unknown): string {
  if (typeof input !== 'string') return ''
  const found = input.split(',').map((part) => originOf(part.trim()))
  return found.includes(undefined) ? '' : ` Did you mean "${found.join(',')}"?`
}

/** Browser origins: an array, or a comma-separated string. */
export const origins = {
  schema: z.union([originList.readonly(), commaSeparated.pipe(originList)]),
  expected: 'origins such as http://localhost:5173, separated by commas',
  suggest: suggestOrigins,
} satisfies Value<unknown, unknown>

/** `any`, `off`, or origins. */
export const cors = {
  schema: z.union([
    z.enum(['any', 'off']),
    z.literal('*').transform(() => 'any' as const),
    z.literal(false).transform(() => 'off' as const),
    origins.schema,
  ]),
  expected: `any, off or ${origins.expected}`,
  suggest: suggestOrigins,
} satisfies Value<unknown, unknown>

/** The base URL of a service, without a trailing slash. */
export const baseUrl: Value<string> = {
  schema: z
    .string()
    .refine((input) => {
      const url = URL.canParse(input) ? new URL(input) : undefined
      if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return false
      return url.search + url.hash + url.username + url.password === ''
    })
    .transform((input) => input.replace(/\/+$/, '')),
  expected: 'a base URL such as http://127.0.0.1:4010, without credentials, query or fragment',
}

export const projectKey: Value<string> = {
  // URL parsers remove segments of one or two dots (URL standard, "double-dot URL path segment").
  schema: z.string().regex(/^(?!\.\.?$)[^/]+$/),
  expected: 'a project key such as acme, which is a single path segment',
}

/** Characters allowed in a header. */
export const bearerToken: Value<string> = {
  schema: z.string().regex(/^[!-~]+$/),
  expected: 'a bearer token of printable ASCII characters without spaces',
}

/** File contents, keyed by file name. */
export const texts: Value<Readonly<Record<string, string>>> = {
  schema: z.record(z.string(), z.string()),
  expected: 'an object that maps file names to their contents',
}

/** File contents like {@link texts}, or bytes. */
export const contents: Value<FileContents> = {
  // Not `instanceof`: a test environment may have its own classes.
  schema: z.record(
    z.string(),
    z.custom<FileContent>((input) => typeof input === 'string' || ArrayBuffer.isView(input)),
  ),
  expected: 'an object that maps file names to their contents',
}

/** A function, or an object of functions. */
export const code = <T>(expected: string, isValid: (input: unknown) => boolean): Value<T> => ({
  schema: z.custom<T>(isValid),
  expected,
})

/** A list of these ids, comma-separated on the command line. */
export function idList<const Id extends string>(
  ids: readonly Id[],
  expected: string,
): Value<readonly Id[], Id | readonly Id[]> {
  const isUnknown = (name: unknown): name is string => typeof name === 'string' && !ids.some((id) => id === name)
  const isListed = expected.startsWith(toChoice(ids))
  return {
    ...oneOrMany(oneOf(ids), expected),
    fromText: (text) => text.split(',').map((name) => name.trim()),
    suggest(input) {
      const unknown = [input].flat().find(isUnknown)
      if (unknown === undefined) return ''
      return `${didYouMean(unknown, ids)}${isListed ? '' : ` The ids are: ${ids.join(', ')}.`}`
    },
  }
}
