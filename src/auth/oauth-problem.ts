import { Problem } from '../errors.ts'

/** An error of a token endpoint, in OAuth's words too (RFC 6749, section 5.2), whatever was wrong with the request (D31). */
export function toOAuthProblem(fault: Problem): Problem {
  const { status, errors, headers, members, message } = fault
  if (members['error'] !== undefined) return fault
  const error = status >= 500 ? 'server_error' : 'invalid_request'
  return new Problem({ status, errors, headers, members: { ...members, error, error_description: message } })
}
