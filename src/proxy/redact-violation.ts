import { REDACTED } from '../journal/redact.ts'
import type { Redactor } from '../journal/redact.ts'
import type { ProxyViolation } from './violation.ts'

const PLACES = { headers: 'header', query: 'parameter' } as const

/** A text as messages quote it. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g

/**
 * Creates what redacts the values that messages repeat: those of headers and parameters with the name of a secret, and user
 * and password in a path.
 */
export const createRedactViolation =
  ({ isSecretName, url }: Pick<Redactor, 'isSecretName' | 'url'>) =>
  (violation: ProxyViolation): ProxyViolation => {
    const [, part = '', name = ''] = violation.location
    if (part === 'path') return { ...violation, message: url(violation.message) }
    if ((part !== 'headers' && part !== 'query') || !isSecretName(name, PLACES[part])) return violation
    const shown = violation.message.split('\n', 1)[0] ?? ''
    const message = shown.replaceAll(QUOTED, JSON.stringify(REDACTED)).replace(/, got [^"].*$/, `, got ${REDACTED}.`)
    return { ...violation, message }
  }
