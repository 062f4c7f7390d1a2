import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isDateTime } from '../contract/date-time.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { SetupError } from '../errors.ts'
import { MAX_DELAY, findDelay } from '../http/delay.ts'
import type { Delay } from '../options.ts'
import { refuse } from './option.ts'
import type { Parse } from './option.ts'

interface Bounds {
  readonly least: number
  readonly most: number
  /** What the remedy names. */
  readonly such: number
}

/** A whole number within bounds. */
export const wholeNumber =
  ({ least, most, such }: Bounds): Parse<number> =>
  (text, source) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw refuse(
      source,
      text,
      `which is no whole number from ${least} to ${most}`,
      `Give one that is, such as ${such}.`,
    )
  }

/** One of a few words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Parse<Word> =>
  (text, source) => {
    const found = words.find((word) => word === text)
    if (found !== undefined) return found
    throw refuse(source, text, 'which is not known', `Give one of: ${words.join(', ')}.${didYouMean(text, words)}`)
  }

/** Any text but an empty one. */
export const anyText: Parse<string> = (text, source) => {
  if (text !== '') return text
  throw refuse(source, text, 'which is empty', 'Give it a value, or leave it out.')
}

/** A path, which starts where it was written: the working folder, or the configuration file's own. */
export const path: Parse<string> = (text, source) => resolve(source.folder, anyText(text, source))

const HOST_NAME = /^(?!-)[A-Za-z0-9._-]{1,253}$/

/** An IP address or a host name. */
export const host: Parse<string> = (text, source) => {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text
  if (isIP(bare) > 0 || HOST_NAME.test(bare)) return bare
  throw refuse(
    source,
    text,
    'which is no host',
    'Give an address or a name without scheme, port or path, such as 127.0.0.1, ::1 or localhost.',
  )
}

const BYTES = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

/** The largest unit that says a size as a whole number. */
function toSizeText(bytes: number): string {
  const [unit, one] = Object.entries(BYTES).findLast(([, one]) => bytes % one === 0) ?? ['', 1]
  return unit === '' || unit === 'b' ? `${bytes} byte${bytes === 1 ? '' : 's'}` : `${bytes / one}${unit}`
}

/** A size in bytes: `10mb`, `512kb`, `1048576`. */
export const size =
  ({ least, most }: Omit<Bounds, 'such'>): Parse<number> =>
  (text, source) => {
    const [, digits, unit] = /^(\d{1,15})(|b|kb|mb|gb)$/i.exec(text) ?? []
    const bytes = Number(digits) * BYTES[(unit ?? '').toLowerCase() as keyof typeof BYTES]
    if (bytes >= least && bytes <= most) return bytes
    throw refuse(
      source,
      text,
      `which is not a size from ${toSizeText(least)} to ${toSizeText(most)}`,
      'Give a number of bytes, or one with a unit: 10mb, 512kb, 1048576.',
    )
  }

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration in milliseconds: `1h`, `30m`, `90s`, `500ms`. */
export const duration: Parse<number> = (text, source) => {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/i.exec(text) ?? []
  const milliseconds = Number(digits) * MILLISECONDS[(unit ?? 'ms').toLowerCase() as keyof typeof MILLISECONDS]
  if (milliseconds >= 1) return milliseconds
  throw refuse(source, text, 'which is no duration', 'Give a number above 0 with a unit: 1h, 30m, 90s, 500ms.')
}

/** Milliseconds, fixed or from a span: `300`, `100-500`. */
export const delay: Parse<Delay> = (text, source) => {
  const found = findDelay(text)
  if (found !== undefined) return found
  throw refuse(
    source,
    text,
    `which is no delay of at most ${MAX_DELAY} milliseconds`,
    'Give milliseconds, or a span of them from the shorter to the longer: 300 or 100-500.',
  )
}

/** An OAuth client, `id:secret`. */
export const client: Parse<string> = (text, source) => {
  if (/^[^:]+:.+$/.test(text)) return text
  // It may be the secret alone, which does not belong on a screen.
  throw new SetupError(`${source.name} is not an id and a secret with a colon between. Give it as my-client:my-secret.`)
}

/** ISO 8601 with an offset; days that no month has are refused. */
export const dateTime: Parse<string> = (text, source) => {
  if (isDateTime(text)) return text
  throw refuse(
    source,
    text,
    'which is no ISO 8601 date-time',
    'Give date, time and offset, such as 2026-01-31T12:00:00Z.',
  )
}

const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return origin === 'null' ? undefined : origin
}

/** Browser origins, comma-separated. */
export const origins: Parse<readonly string[]> = (text, source) =>
  text.split(',').map((part) => {
    const given = part.trim()
    const origin = originOf(given)
    if (origin === given) return origin
    const wrong =
      origin === undefined
        ? 'which holds something that is no origin'
        : `where ${JSON.stringify(given)} is more than an origin`
    const remedy =
      origin === undefined
        ? 'Give scheme, host and port, comma-separated: http://localhost:5173,https://app.example.'
        : `Write ${origin}.`
    throw refuse(source, text, wrong, remedy)
  })

/** `any`, `off`, or the browser origins that may call, comma-separated. */
export const cors: Parse<'any' | 'off' | readonly string[]> = (text, source) => {
  if (text === 'any' || text === '*') return 'any'
  return text === 'off' ? 'off' : origins(text, source)
}
