import { toTrace } from './log-format.ts'
import type { LogFormat } from './log-format.ts'

const STYLES = {
  bold: ['\u001B[1m', '\u001B[22m'],
  dim: ['\u001B[2m', '\u001B[22m'],
  red: ['\u001B[31m', '\u001B[39m'],
  green: ['\u001B[32m', '\u001B[39m'],
  yellow: ['\u001B[33m', '\u001B[39m'],
  cyan: ['\u001B[36m', '\u001B[39m'],
} as const

type LogStyle = keyof typeof STYLES

/** Returns what styles texts for a terminal, or leaves them as they are. */
export const createPaint =
  (colour: boolean) =>
  (style: LogStyle, text: string): string =>
    colour ? STYLES[style].join(text) : text

/** Control characters, C1 among them, and marks that turn the direction of text: a terminal would obey them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** Spells out characters that a terminal would obey rather than show. */
export const toPrintable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

function toStatusStyle(status: number): LogStyle {
  // 0: a fault broke the connection.
  if (status >= 500 || status === 0) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** Three digits at most before the unit, so that the column keeps its width: `0.4 ms`, `12 ms`, `1.5 s`. */
function toDuration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
}

/** The time of day where the mock runs. */
const toTimeOfDay = (time: string): string => new Date(time).toTimeString().slice(0, 8)

/** Lines for people: columns of time, method, target, status, duration, operation and scenarios, and warnings below. */
export function createPrettyFormat({ colour }: { readonly colour: boolean }): LogFormat {
  const paint = createPaint(colour)

  return {
    request({ time, method, target, status, durationMilliseconds, operation, scenarios, warnings }) {
      const columns = [
        paint('dim', toTimeOfDay(time)),
        paint('bold', toPrintable(method).padEnd(7)),
        toPrintable(target).padEnd(48),
        paint(toStatusStyle(status), String(status)),
        toDuration(durationMilliseconds).padStart(7),
        paint('dim', operation ?? '-'),
        ...(scenarios.length === 0 ? [] : [paint('cyan', `[${scenarios.map(toPrintable).join(', ')}]`)]),
      ]
      const below = warnings.map((warning) => `\n         ${paint('yellow', `! ${toPrintable(warning)}`)}`)
      return columns.join(' ') + below.join('')
    },

    note({ time, level, message }) {
      const label = level === 'info' ? paint('cyan', 'note   ') : paint('yellow', 'warning')
      return `${paint('dim', toTimeOfDay(time))} ${label} ${toPrintable(message)}`
    },

    fault({ time, correlationId, fault }) {
      const about = correlationId === undefined ? '' : ` ${paint('dim', toPrintable(correlationId))}`
      const trace = toTrace(fault).split('\n').map(toPrintable).join('\n  ')
      return `${paint('dim', toTimeOfDay(time))} ${paint('red', 'fault')}${about}\n  ${trace}`
    },
  }
}

/** Whether to colour: FORCE_COLOR and NO_COLOR where they are set, else only on a terminal. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb' && isTerminal
}
