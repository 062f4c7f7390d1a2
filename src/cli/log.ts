import type { RequestLog } from '../journal/request-log.ts'
import { formatJsonFault, formatJsonNote, formatJsonRequest } from './log-json.ts'
import { createPrettyFormat } from './log-pretty.ts'
import type { LogFormat, NoteLog } from './log-format.ts'
import type { LineWriter } from './line-writer.ts'

export type LogKind = 'pretty' | 'json' | 'silent'

/** The log of a running mock. */
export interface Log {
  /** Absent where requests are not logged. */
  readonly request?: (entry: RequestLog) => void
  /** Absent if only warnings and faults are logged. */
  readonly note?: (message: string) => void
  /** What goes wrong outside of requests is always printed. */
  readonly warn: (message: string) => void
  /** Faults of the mock itself are never silent. */
  readonly fault: (fault: unknown, correlationId?: string) => void
}

interface LogParts {
  readonly kind: LogKind
  readonly colour: boolean
  readonly writer: Pick<LineWriter, 'write'>
  readonly now: () => string
}

/** Creates the log of the kind that `--log` names. */
export function createLog({ kind, colour, writer, now }: LogParts): Log {
  const format: LogFormat =
    kind === 'json'
      ? { request: formatJsonRequest, note: formatJsonNote, fault: formatJsonFault }
      : createPrettyFormat({ colour })
  const tell = (level: NoteLog['level'], message: string) => writer.write(format.note({ time: now(), level, message }))
  const whole: Pick<Log, 'request' | 'note'> = {
    request: (entry) => writer.write(format.request(entry)),
    note: (message) => tell('info', message),
  }
  return {
    ...(kind === 'silent' ? {} : whole),
    warn: (message) => tell('warn', message),
    fault(fault, correlationId) {
      writer.write(format.fault({ time: now(), fault, ...(correlationId === undefined ? {} : { correlationId }) }))
    },
  }
}
