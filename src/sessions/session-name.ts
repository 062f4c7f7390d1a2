import type { ReadHeader } from '../http/request-headers.ts'
import { DEFAULT_SESSION } from './sessions.ts'

/** Hono's parser drops a value that no cookie may have; here it is a malformed name of a session, and refused. */
const COOKIE = /(?:^|;\s*)mock-session="?([^";]*)"?/

/** The session that a request names: path prefix, then header, then cookie, then the default one. */
export function toSessionName(fromPath: string | undefined, header: ReadHeader): string {
  if (fromPath !== undefined) return fromPath
  const fromHeader = header('x-mock-session')
  if (fromHeader !== undefined) return fromHeader
  const cookie = header('cookie')
  if (cookie === undefined) return DEFAULT_SESSION
  return COOKIE.exec(cookie)?.[1] ?? DEFAULT_SESSION
}
