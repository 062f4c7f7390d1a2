import type { ReadHeader } from './request-headers.ts'

/** The header that names the session of a request. */
export const SESSION_HEADER = 'x-mock-session'
/** The cookie that names it where no header does. */
export const SESSION_COOKIE = 'mock-session'

/** Hono's parser drops a value that no cookie may have; here it is a malformed name of a session, and refused. */
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}="?([^";]*)"?`)

/** The session that the headers of a request name. */
export const findSessionName = (header: ReadHeader): string | undefined =>
  header(SESSION_HEADER) ?? COOKIE.exec(header('cookie') ?? '')?.[1]
