import type { Child } from 'hono/jsx'
import { CLIENT_DISCONNECTED } from '../../../../sessions/journal/failure-kinds.ts'
import { isToday, toUtcDay } from '../live.ts'

/** `broken`: no response came; `neutral`: neither good nor bad. */
export type MarkKind = 'good' | 'info' | 'warning' | 'failure' | 'broken' | 'neutral'

/** A word with the mark and colour of its kind. */
export const Mark = ({ kind, children }: { readonly kind: MarkKind; readonly children?: Child }) => (
  <span class={`mark ${kind}`}>{children}</span>
)

const STATUS_MARKS: readonly MarkKind[] = ['broken', 'neutral', 'good', 'info', 'warning', 'failure']

interface StatusProps {
  readonly status: number
  readonly fault?: string | undefined
  /** The client left before it had the whole response. */
  readonly clientLeft?: boolean | undefined
}

/** A status with the mark of its class; 0 is a broken connection. */
export const Status = ({ status, fault, clientLeft = false }: StatusProps) =>
  fault === CLIENT_DISCONNECTED || (clientLeft && fault === undefined) ? (
    <Mark kind="neutral">left</Mark>
  ) : (
    <Mark kind={STATUS_MARKS[Math.floor(status / 100)] ?? 'failure'}>{status === 0 ? 'broken' : status}</Mark>
  )

export const Method = ({ method }: { readonly method: string }) => <span class="method">{method}</span>

const SECONDS = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const CLOCK = { ...SECONDS, fractionalSecondDigits: 3 } as const
const DAY = { day: 'numeric', month: 'short' } as const
const formats = {
  clock: new Intl.DateTimeFormat(undefined, CLOCK),
  dayAndClock: new Intl.DateTimeFormat(undefined, { ...DAY, ...CLOCK }),
  seconds: new Intl.DateTimeFormat(undefined, SECONDS),
  dayAndSeconds: new Intl.DateTimeFormat(undefined, { ...DAY, ...SECONDS }),
  whole: new Intl.DateTimeFormat(undefined, { ...DAY, ...CLOCK, year: 'numeric' }),
  wholeSeconds: new Intl.DateTimeFormat(undefined, { ...DAY, ...SECONDS, year: 'numeric' }),
}

interface TimeProps {
  /** Epoch milliseconds or ISO 8601. */
  readonly at: number | string
  /** With the whole date. */
  readonly isLong?: boolean
  /** Without milliseconds. */
  readonly isShort?: boolean
}

/** `14:03:07.250` in the reader's time zone, with the day if it is not today. */
export const toTimeText = (at: number | string): string =>
  (isToday(at) ? formats.clock : formats.dayAndClock).format(new Date(at))

/** A time in the reader's time zone, with the day if it is not today. */
export const Time = ({ at, isLong = false, isShort = false }: TimeProps) => {
  const date = new Date(at)
  const short = isLong ? formats.wholeSeconds : isToday(at) ? formats.seconds : formats.dayAndSeconds
  return (
    <time datetime={date.toISOString()} title={toUtcText(date)}>
      {isShort ? short.format(date) : isLong ? formats.whole.format(date) : toTimeText(at)}
    </time>
  )
}

const toUtcText = (date: Date): string => date.toISOString().replace('T', ' ').replace('Z', ' UTC')

/** A time in a sentence of the mock: `14:03:07.250 UTC`, with the date if it is not that of today. */
const UTC_TIME = /((?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3} UTC)/

/** A sentence of the mock with its times in the reader's time zone. */
export const Sentence = ({ text }: { readonly text: string }) => (
  <>
    {text.split(UTC_TIME).map((part, at) => {
      if (at % 2 === 0) return part
      const [day, clock] = part.length > 16 ? part.split(' ') : [toUtcDay(), part.slice(0, 12)]
      return <Time at={`${day}T${clock}Z`} />
    })}
  </>
)

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function toDurationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

/** A text of which only the start is shown if it is long. */
export const toShortText = (text: string, most = 200): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** The longest key that is shown in full. */
const LONGEST_KEY = 48

/** A key or id, without its middle if it is long. */
export const toShortKey = (key: string): string =>
  key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY / 2)}…${key.slice(1 - LONGEST_KEY / 2)}` : key

/** `420 B`, `1.2 KB`, `2.0 MB`. */
export function toSizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Numbers as the page writes them: `50,800`. */
export const numbers = new Intl.NumberFormat('en')

/** `1 request`, `50,800 requests`. */
export const toCountText = (number: number, noun: string): string =>
  `${numbers.format(number)} ${noun}${number === 1 ? '' : 's'}`
