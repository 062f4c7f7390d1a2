import { findViolations } from '../contract/check-response.ts'
import type { Answered } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { toSteps } from './violation.ts'
import type { Violation } from './violation.ts'

const toCode = (path: string): string => {
  if (path === 'status') return 'UndocumentedStatus'
  return path.startsWith('headers.') ? 'UnexpectedHeader' : 'UnexpectedBody'
}

/** The specification shows no headers of answers and no bodies of errors: those rest on decisions alone. */
function toSeverity(path: string, message: string, status: number): Violation['severity'] {
  const isDecided = path.startsWith('headers.') && path !== 'headers.Content-Type'
  const isUnknownMember = message === 'is not documented.'
  return path !== 'status' && (isDecided || isUnknownMember || status >= 400) ? 'Warning' : 'Error'
}

/** Holds an answer of the upstream to the contract. The correlation id is the proxy's own to give. */
export function checkResponse(operation: OperationId, method: string, answered: Answered): readonly Violation[] {
  return findViolations(endpoints[operation], method, answered)
    .filter(({ path }) => path !== 'headers.X-Correlation-ID')
    .map(({ path, message }) => {
      const [part = '', ...rest] = path.startsWith('headers.') ? ['headers', path.slice(8)] : toSteps(path)
      const severity = toSeverity(path, message, answered.status)
      return { location: ['response', part, ...rest], severity, code: toCode(path), message }
    })
}
