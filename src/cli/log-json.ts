import type { RequestLog } from '../options.ts'
import { toTrace } from './log-format.ts'
import type { FaultLog } from './log-format.ts'

function toLevel({ status, warnings }: RequestLog): 'info' | 'warn' | 'error' {
  if (status >= 500) return 'error'
  return warnings.length > 0 ? 'warn' : 'info'
}

/** One line of JSON with every member of the entry; JSON's own escapes keep it one line. */
export const formatJsonRequest = (entry: RequestLog): string => JSON.stringify({ level: toLevel(entry), ...entry })

/** One line of JSON with the fault's stack. */
export function formatJsonFault({ time, correlationId, fault }: FaultLog): string {
  const message = fault instanceof Error ? fault.message : String(fault)
  return JSON.stringify({ level: 'error', time, correlationId, message, stack: toTrace(fault) })
}
