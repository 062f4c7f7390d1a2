import type { RequestLog } from '../journal/request-log.ts'
import { toTrace } from './log-format.ts'
import type { FaultLog, NoteLog } from './log-format.ts'

type Level = 'info' | 'warn' | 'error'

function toLevel({ status, warnings }: RequestLog): Level {
  if (status >= 500) return 'error'
  return warnings.length > 0 ? 'warn' : 'info'
}

/** Printable ASCII but `"` and `\`: JSON has it as it is (RFC 8259, section 7). */
const PLAIN = /^[ !#-[\]-~]*$/

const toText = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

const toList = (texts: readonly string[]): string => (texts.length === 0 ? '[]' : JSON.stringify(texts))

/** Writes how a line ends, once for all lines in a row that end alike. */
function createEndWriter(): (entry: RequestLog) => string {
  let latest: Pick<RequestLog, 'operation' | 'session'> | undefined
  let latestEnd = ''
  return function toEnd({ operation, session, scenarios, warnings }) {
    const isPlain = scenarios.length === 0 && warnings.length === 0
    if (isPlain && operation === latest?.operation && session === latest?.session) return latestEnd
    const operationMember = operation === undefined ? '' : `"operation":${toText(operation)},`
    const end = `${operationMember}"session":${toText(session)},"scenarios":${toList(scenarios)},"warnings":${toList(warnings)}}`
    if (isPlain) {
      latest = { operation, session }
      latestEnd = end
    }
    return end
  }
}

const toEnd = createEndWriter()

/**
 * One line of JSON with every member of the entry; JSON's own escapes keep it one line. It is put together here because
 * every request passes by: JSON.stringify of the whole takes twice as long. A method is a token (RFC 9110, section 9.1), and
 * neither that nor a correlation id has a character that JSON escapes.
 */
export function formatJsonRequest(entry: RequestLog): string {
  const { time, method, target, status, durationMilliseconds, correlationId, traceId } = entry
  const trace = traceId === undefined ? '' : `"traceId":"${traceId}",`
  return `{"level":"${toLevel(entry)}","time":"${time}","method":"${method}","target":${toText(target)},"status":${status},"durationMilliseconds":${durationMilliseconds},"correlationId":"${correlationId}",${trace}${toEnd(entry)}`
}

/** One line of JSON with the sentence. */
export const formatJsonNote = ({ level, time, message }: NoteLog): string => JSON.stringify({ level, time, message })

/** One line of JSON with the fault's stack. */
export function formatJsonFault({ time, correlationId, fault }: FaultLog): string {
  const message = fault instanceof Error ? fault.message : String(fault)
  return JSON.stringify({ level: 'error', time, correlationId, message, stack: toTrace(fault) })
}
