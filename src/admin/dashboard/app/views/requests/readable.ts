import { parseFilterTerms } from '../../../../../sessions/journal/filter-terms.ts'
import { toErrorSentence } from '../../api.ts'

/** Characters that stay encoded: decoded, they would change the meaning of the URL or break the line. */
const KEPT_IN_QUERY = /[%&#+\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
const KEPT_IN_PATH = new RegExp(`[/?]|${KEPT_IN_QUERY.source}`, 'gu')

const ENCODED = /(?:%[\da-f]{2})+/gi

function decodeKept(encoded: string, kept: RegExp): string {
  try {
    return decodeURIComponent(encoded).replaceAll(kept, encodeURIComponent)
  } catch {
    return encoded
  }
}

/**
 * Path and query of a request for people: decoded, except for characters that separate their parts, and without the
 * session that the view already names.
 */
export function toReadable(url: string, session: string): { readonly path: string; readonly query: string } {
  const question = url.indexOf('?')
  const [path, query] = question === -1 ? [url, ''] : [url.slice(0, question), url.slice(question)]
  const prefix = `/@${session}/`
  return {
    path: (path.startsWith(prefix) ? path.slice(prefix.length - 1) : path).replaceAll(ENCODED, (text) =>
      decodeKept(text, KEPT_IN_PATH),
    ),
    query: query.replaceAll(ENCODED, (text) => decodeKept(text, KEPT_IN_QUERY)),
  }
}

/** What a request is called in a list: its operation, or what else it was. */
export function toReadableName({ operation, isPassedThrough, url, nearest }: NamedRequest): string {
  if (operation !== undefined && operation !== 'token') return operation
  const [path = ''] = url.split('?')
  const segments = path.split('/')
  if (segments.includes('oauth')) return `oauth ${segments.at(-1) ?? ''}`
  const what = isPassedThrough === true ? 'passed through' : ''
  if (nearest === undefined) return what
  return what === '' ? `nearly ${nearest}` : `${what}, nearly ${nearest}`
}

interface NamedRequest {
  readonly operation?: string
  readonly isPassedThrough?: boolean
  readonly url: string
  readonly nearest?: string
}

const TIME_TERM = /(?:^|\s)-?time(?:[<>]=?|[:=~])(?:"[^"]*"?|\S+)/gi

/** A filter without its terms for the time. */
export const toTimelessFilter = (filter: string): string => filter.replaceAll(TIME_TERM, '').trim()

const TIME_OF_DAY_TERM = /((?:^|\s)-?time(?:[<>]=?|[:=~])"?\d\d?(?::\d\d){1,2}(?:\.\d+)?)(?="?(?:\s|$))/gi

const toTwoDigits = (number: number): string => String(Math.floor(number)).padStart(2, '0')

/** An offset from UTC, such as `+01:00`, for minutes as `getTimezoneOffset` returns them. */
const toOffsetText = (minutes: number): string =>
  `${minutes > 0 ? '-' : '+'}${toTwoDigits(Math.abs(minutes) / 60)}:${toTwoDigits(Math.abs(minutes) % 60)}`

/**
 * A filter whose times of day are in the reader's time zone, like the times on the page. The mock reads them as UTC.
 *
 * @param minutes of the zone, as `getTimezoneOffset` returns them
 */
export const toZonedFilter = (filter: string, minutes: number): string =>
  minutes === 0 ? filter : filter.replaceAll(TIME_OF_DAY_TERM, `$1${toOffsetText(minutes)}`)

/** The reader's time zone when the page was loaded, as `getTimezoneOffset` returns it. */
const ZONE = new Date(performance.timeOrigin).getTimezoneOffset()

/** A filter as the mock understands it. */
export const toSentFilter = (filter: string): string => toZonedFilter(filter, ZONE)

/** A filter for requests in a period; both times are in epoch milliseconds, and the second one is excluded. */
export const toPeriodFilter = (filter: string, from: number, to: number): string =>
  `${toTimelessFilter(filter)} time>=${new Date(from).toISOString()} time<${new Date(to).toISOString()}`.trim()

/** What is wrong with a filter; undefined if nothing is. */
export function findFilterFault(filter: string): string | undefined {
  try {
    parseFilterTerms(filter)
    return undefined
  } catch (error) {
    const [start = '', ...rest] = toErrorSentence(error)
    return start.toUpperCase() + rest.join('')
  }
}
