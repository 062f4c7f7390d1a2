import { toMessage } from '../../errors.ts'
import type { LogLine } from '../../sessions/journal/record.ts'
import { memoize } from '../../util/collections.ts'
import type { Writable } from 'node:stream'

/** Times are ISO 8601. An error outside of a request has no correlation ID. */
interface LogFormat {
  request(entry: LogLine): string
  note(time: string, level: 'info' | 'warn', message: string): string
  fault(time: string, fault: unknown, correlationId?: string): string
}

/** Formats an error with its stack and its causes. */
export function toTrace(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  const trace = fault.stack ?? `${fault.name}: ${fault.message}`
  return fault.cause === undefined ? trace : `${trace}\nCaused by: ${toTrace(fault.cause)}`
}

function toLevel({ status, warnings }: LogLine): 'info' | 'warn' | 'error' {
  if (status >= 500) return 'error'
  return warnings.length > 0 ? 'warn' : 'info'
}

/** Printable ASCII except `"` and `\`, which JSON leaves unescaped (RFC 8259, section 7). */
const PLAIN = /^[ !#-[\]-~]*$/

const toLogValue = memoize((text) => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)))

const toLogList = (texts: readonly string[]): string => (texts.length === 0 ? '[]' : JSON.stringify(texts))

/** Creates a function that formats the end of a line and reuses it for consecutive lines with the same end. */
function createEndWriter(): (entry: LogLine) => string {
  let latest: Pick<LogLine, 'operation' | 'session'> | undefined
  let latestEnd = ''
  return function toEnd({ operation, session, scenarios, warnings }) {
    const isPlain = scenarios.length === 0 && warnings.length === 0
    if (isPlain && operation === latest?.operation && session === latest?.session) return latestEnd
    const operationMember = operation === undefined ? '' : `"operation":${toLogValue(operation)},`
    const end = `${operationMember}"session":${toLogValue(session)},"scenarios":${toLogList(scenarios)},"warnings":${toLogList(warnings)}}`
    if (isPlain) {
      latest = { operation, session }
      latestEnd = end
    }
    return end
  }
}

const toEnd = createEndWriter()

/**
 * Formats a log entry as one line of JSON; JSON escapes line breaks. Built by hand because it runs for every request, and
 * JSON.stringify of the whole entry takes twice as long. A method is a token (RFC 9110, section 9.1); neither methods nor
 * correlation IDs contain characters that JSON escapes.
 */
export function formatJsonRequest(entry: LogLine): string {
  const { time, method, target, status, clientLeft, tookEffect, durationMilliseconds, correlationId, traceId } = entry
  const left =
    clientLeft === undefined ? '' : `"clientLeft":true,${tookEffect === undefined ? '' : '"tookEffect":true,'}`
  const trace = traceId === undefined ? '' : `"traceId":"${traceId}",`
  return `{"level":"${toLevel(entry)}","time":"${time}","method":"${method}","target":${toLogValue(target)},"status":${status},${left}"durationMilliseconds":${durationMilliseconds},"correlationId":"${correlationId}",${trace}${toEnd(entry)}`
}

/** JSON lines, with error stacks. */
const jsonFormat: LogFormat = {
  request: formatJsonRequest,
  note: (time, level, message) => JSON.stringify({ level, time, message }),
  fault(time, fault, correlationId) {
    const message = toMessage(fault)
    return JSON.stringify({ level: 'error', time, correlationId, message, stack: toTrace(fault) })
  },
}

const STYLES = {
  bold: ['\u001B[1m', '\u001B[22m'],
  dim: ['\u001B[2m', '\u001B[22m'],
  red: ['\u001B[31m', '\u001B[39m'],
  green: ['\u001B[32m', '\u001B[39m'],
  yellow: ['\u001B[33m', '\u001B[39m'],
  cyan: ['\u001B[36m', '\u001B[39m'],
} as const

/** Creates a function that styles text for a terminal, or returns it unchanged. */
export const createPaint =
  (colour: boolean) =>
  (style: keyof typeof STYLES, text: string): string =>
    colour ? STYLES[style].join(text) : text

/** Control characters, including C1, and bidirectional formatting characters, which a terminal would interpret. */
// oxlint-disable-next-line no-control-regex -- they are replaced
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** Escapes characters that a terminal would interpret rather than display. */
export const toPrintable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

function toStatusStyle(status: number): keyof typeof STYLES {
  // 0: a fault broke the connection.
  if (status >= 500 || status === 0) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** At most three digits before the unit, so that the column keeps its width: `0.4 ms`, `12 ms`, `1.5 s`. */
function toDuration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
}

/** The local time. */
const toTimeOfDay = (time: string): string => new Date(time).toTimeString().slice(0, 8)

/**
 * Human-readable lines: time, method, target, status, duration, operation and scenarios in columns, followed by warnings.
 */
function createPrettyFormat(colour: boolean): LogFormat {
  const paint = createPaint(colour)

  return {
    request({ time, method, target, status, durationMilliseconds, operation, scenarios, warnings, ...entry }) {
      const left = entry.tookEffect === undefined ? 'client left' : 'client left, took effect'
      const columns = [
        paint('dim', toTimeOfDay(time)),
        paint('bold', toPrintable(method).padEnd(7)),
        toPrintable(target).padEnd(48),
        paint(toStatusStyle(status), String(status)),
        toDuration(durationMilliseconds).padStart(7),
        paint('dim', operation ?? '-'),
        ...(entry.clientLeft === undefined ? [] : [paint('yellow', left)]),
        ...(scenarios.length === 0 ? [] : [paint('cyan', `[${scenarios.map(toPrintable).join(', ')}]`)]),
      ]
      const below = warnings.map((warning) => `\n         ${paint('yellow', `! ${toPrintable(warning)}`)}`)
      return columns.join(' ') + below.join('')
    },

    note(time, level, message) {
      const label = level === 'info' ? paint('cyan', 'note   ') : paint('yellow', 'warning')
      const lines = message.split('\n').map(toPrintable).join('\n         ')
      return `${paint('dim', toTimeOfDay(time))} ${label} ${lines}`
    },

    fault(time, fault, correlationId) {
      const about = correlationId === undefined ? '' : ` ${paint('dim', toPrintable(correlationId))}`
      const trace = toTrace(fault).split('\n').map(toPrintable).join('\n  ')
      return `${paint('dim', toTimeOfDay(time))} ${paint('red', 'fault')}${about}\n  ${trace}`
    },
  }
}

/** Whether to use color: FORCE_COLOR and NO_COLOR take precedence; otherwise only on a terminal. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb' && isTerminal
}

export type LogKind = 'pretty' | 'json' | 'silent'

/** The log of a running mock. */
export interface Log {
  /** Undefined if requests are not logged. */
  readonly request?: (entry: LogLine) => void
  /** Undefined if only warnings and errors are logged. */
  readonly note?: (message: string) => void
  /** Logs a problem outside of requests; always printed. */
  readonly warn: (message: string) => void
  /** Logs an error of the mock itself; always printed. */
  readonly fault: (fault: unknown, correlationId?: string) => void
}

/** Creates the log in the format set by `--log`. */
export function createLog(parts: {
  readonly kind: LogKind
  readonly colour: boolean
  readonly writer: Pick<LineWriter, 'write'>
  readonly now: () => string
}): Log {
  const { kind, colour, writer, now } = parts
  const format = kind === 'json' ? jsonFormat : createPrettyFormat(colour)
  return {
    ...(kind === 'silent'
      ? {}
      : {
          request: (entry) => writer.write(format.request(entry)),
          note: (message) => writer.write(format.note(now(), 'info', message)),
        }),
    warn: (message) => writer.write(format.note(now(), 'warn', message)),
    fault: (fault, correlationId) => writer.write(format.fault(now(), fault, correlationId)),
  }
}

const LARGEST_BATCH = 64 * 1024

/** Limit for buffered bytes. Above it, new lines are dropped and counted. */
export const LARGEST_BACKLOG = 1024 * 1024

/** How long `drain` waits for the stream to be read, in milliseconds. */
const DRAIN_PATIENCE = 1_000

/** How long a line may be buffered, in milliseconds: too short to notice, and it saves a busy mock system calls. */
const LOG_PATIENCE = 10

/**
 * Buffers lines, so that many requests need only one write. Flushes to a stream every 10 ms, or immediately at 64 KiB.
 * Drops lines if the stream is closed, as after `| head`, or while more than 1 MiB is waiting because the stream is not
 * being read.
 *
 * @param onDropped called with the number of dropped lines once the stream is read again
 */
export function createLineWriter(stream: Writable, onDropped: (lines: number) => void = () => undefined) {
  let gathered = ''
  let dropped = 0
  let scheduled: NodeJS.Timeout | undefined
  let broken = false
  stream.on('error', () => {
    broken = true
  })

  function flush(): void {
    clearTimeout(scheduled)
    scheduled = undefined
    const text = gathered
    gathered = ''
    if (text === '' || broken) return
    if (stream.writableLength > LARGEST_BACKLOG) {
      dropped += text.split('\n').length - 1
      return
    }
    stream.write(text)
    if (dropped > 0) {
      const lines = dropped
      dropped = 0
      onDropped(lines)
    }
  }

  return {
    write(line: string): void {
      gathered += `${line}\n`
      if (gathered.length >= LARGEST_BATCH) flush()
      else scheduled ??= setTimeout(flush, LOG_PATIENCE)
    },
    /** Writes the buffered lines immediately. */
    flush,
    /** Resolves when all output is handed to the system, or after one second without a reader. */
    drain(): Promise<void> {
      flush()
      return new Promise((resolve) => {
        if (broken) return resolve()
        const timer = setTimeout(resolve, DRAIN_PATIENCE)
        stream.write('', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}

export type LineWriter = ReturnType<typeof createLineWriter>
