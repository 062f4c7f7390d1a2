import { findViolations } from '../contract/check-response.ts'
import type { Answered } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Violation as Broken } from '../contract/violation.ts'
import { toSteps } from './violation.ts'
import type { Violation } from './violation.ts'

const toCode = (path: string): string => {
  if (path === 'status') return 'UndocumentedStatus'
  return path.startsWith('headers.') ? 'UnexpectedHeader' : 'UnexpectedBody'
}

/** The specification shows no headers of answers and no bodies of errors: those rest on decisions alone. */
function toSeverity({ path, message, decision }: Broken, status: number): Violation['severity'] {
  const isDecided = decision !== undefined || (path.startsWith('headers.') && path !== 'headers.Content-Type')
  const isUnknownMember = message === 'is not documented.'
  return path !== 'status' && (isDecided || isUnknownMember || status >= 400) ? 'Warning' : 'Error'
}

/** Where an answer breaks the contract, as the proxy tells it. */
export const toViolations = (broken: readonly Broken[], status: number): readonly Violation[] =>
  broken.map((one) => {
    const { path, message } = one
    const [part = '', ...rest] = path.startsWith('headers.') ? ['headers', path.slice(8)] : toSteps(path)
    return { location: ['response', part, ...rest], severity: toSeverity(one, status), code: toCode(path), message }
  })

/** Holds an answer of the upstream to the contract. The correlation id is the proxy's own to give. */
export function checkResponse(operation: OperationId, method: string, answered: Answered): readonly Violation[] {
  const broken = findViolations(endpoints[operation], method, answered)
  return toViolations(
    broken.filter(({ path }) => path !== 'headers.X-Correlation-ID'),
    answered.status,
  )
}
