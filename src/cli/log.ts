import type { RequestLog } from '../options.ts'
import { formatJsonFault, formatJsonRequest } from './log-json.ts'
import { createPrettyFormat } from './log-pretty.ts'
import type { LogFormat } from './log-format.ts'
import type { LineWriter } from './line-writer.ts'

export type LogKind = 'pretty' | 'json' | 'silent'

/** The log of a running mock. */
export interface Log {
  /** Absent where requests are not logged. */
  readonly request?: (entry: RequestLog) => void
  /** Faults of the mock itself are never silent. */
  readonly fault: (fault: unknown, correlationId?: string) => void
}

interface LogParts {
  readonly kind: LogKind
  readonly colour: boolean
  readonly writer: LineWriter
  readonly now: () => string
}

/** Creates the log of the kind that `--log` names. */
export function createLog({ kind, colour, writer, now }: LogParts): Log {
  const format: LogFormat =
    kind === 'json' ? { request: formatJsonRequest, fault: formatJsonFault } : createPrettyFormat({ colour })
  return {
    ...(kind === 'silent' ? {} : { request: (entry: RequestLog) => writer.write(format.request(entry)) }),
    fault(fault, correlationId) {
      writer.write(format.fault({ time: now(), fault, ...(correlationId === undefined ? {} : { correlationId }) }))
    },
  }
}
