import { problem } from '../errors.ts'
import { NAME_PATTERN } from '../service/http/request-head.ts'

/** The default session, for requests that do not name one. */
export const DEFAULT_SESSION = 'default'

const NAME = new RegExp(`^${NAME_PATTERN}$`)

/** Whether a text is a valid session or snapshot name. */
export const isName = (text: string): boolean => NAME.test(text)

/**
 * Checks a session or snapshot name.
 *
 * @param what the kind of name, for the error message: `session` or `snapshot`
 * @throws {Problem} 400 for an invalid name.
 */
export function expectName(name: string, what: string): void {
  if (isName(name)) return
  throw problem.invalidInput(
    `Invalid ${what} name ${JSON.stringify(name.slice(0, 100))}. Use 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-".`,
  )
}

/**
 * Checks that a session can be deleted permanently.
 *
 * @throws {Problem} 400 for an invalid name, and for the default session, which everyone shares.
 */
export function expectEndable(name: string): void {
  expectName(name, 'session')
  if (name === DEFAULT_SESSION) {
    throw problem.invalidInput(
      'The session "default" is shared by everyone and cannot be deleted permanently. Leave final out.',
    )
  }
}
