import { problem } from '../errors.ts'

/** The session of a request that names none. */
export const DEFAULT_SESSION = 'default'

/** What names a session or a snapshot, as the attribute `pattern` of HTML has it too. */
export const NAME_PATTERN = String.raw`[A-Za-z0-9._\-]{1,64}`

const NAME = new RegExp(`^${NAME_PATTERN}$`)

/** Whether a text names a session or a snapshot. */
export const isName = (text: string): boolean => NAME.test(text)

/**
 * What names a session, and what is kept of one.
 *
 * @param what what it names, for the error message: `session` or `snapshot`
 * @throws {Problem} 400 for an invalid name.
 */
export function expectName(name: string, what: string): void {
  if (isName(name)) return
  throw problem.invalidInput(
    `Invalid ${what} name ${JSON.stringify(name.slice(0, 100))}. Use 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-".`,
  )
}

/**
 * Expects a session that can be deleted permanently.
 *
 * @throws {Problem} 400 for an invalid name, and for the default session, which is everyone's.
 */
export function expectRetirable(name: string): void {
  expectName(name, 'session')
  if (name === DEFAULT_SESSION) {
    throw problem.invalidInput(
      'The session "default" is shared by everyone and cannot be deleted permanently. Leave final out.',
    )
  }
}
