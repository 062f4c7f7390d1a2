import type { RequestLog } from '../journal/request-log.ts'

/** A fault of the mock itself. */
export interface FaultLog {
  /** ISO 8601. */
  readonly time: string
  /** Absent for a fault outside any request. */
  readonly correlationId?: string
  readonly fault: unknown
}

/** A sentence for the user of the mock. */
export interface NoteLog {
  /** ISO 8601. */
  readonly time: string
  readonly level: 'info' | 'warn'
  readonly message: string
}

/** How a log looks: texts of one or more lines. */
export interface LogFormat {
  request(entry: RequestLog): string
  note(entry: NoteLog): string
  fault(entry: FaultLog): string
}

/** A fault with its stack and its causes' messages, as text. */
export function toTrace(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  const trace = fault.stack ?? `${fault.name}: ${fault.message}`
  return fault.cause === undefined ? trace : `${trace}\nCaused by: ${toTrace(fault.cause)}`
}
