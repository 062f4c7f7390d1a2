import type { Child } from 'hono/jsx'
import { isToday } from '../live.ts'

/** Whether the response is an error, or there was none. */
export const isFailure = (status: number): boolean => status === 0 || status >= 400

interface MarkProps {
  /** As the first digit of a status: 2 is good, 5 is bad, 1 is neither. */
  readonly kind: number
  readonly children?: Child
}

/** A word with the mark and colour of its kind. */
export const Mark = ({ kind, children }: MarkProps) => <span class={`status s${kind}`}>{children}</span>

/** A status with the mark of its class; 0 is a broken connection. */
export const Status = ({ status }: { readonly status: number }) => (
  <Mark kind={Math.floor(status / 100)}>{status === 0 ? 'none' : status}</Mark>
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
  const whole = formats.whole.format(date)
  const short = isLong ? formats.wholeSeconds : isToday(at) ? formats.seconds : formats.dayAndSeconds
  return (
    <time datetime={date.toISOString()} title={isLong ? undefined : whole}>
      {isShort ? short.format(date) : isLong ? whole : toTimeText(at)}
    </time>
  )
}

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function toDurationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

/** Numbers as the page writes them: `50,800`. */
export const numbers = new Intl.NumberFormat('en')

/** `1 request`, `50,800 requests`. */
export const toCountText = (number: number, noun: string): string =>
  `${numbers.format(number)} ${noun}${number === 1 ? '' : 's'}`
