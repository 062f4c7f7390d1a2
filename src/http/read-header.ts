import type { Connection } from './connection.ts'

/** A header of a request by its lower-case name; several of one name are joined. */
export type ReadHeader = (name: string) => string | undefined

/** Reads headers that a server has by lower-case name already. */
export const toHeaderReader =
  (known: NonNullable<Connection['headers']>): ReadHeader =>
  (name) => {
    const value = known[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

/** Headers are asked for by name many times a request, and most are absent: those that are read already are quicker. */
export const createHeaderReader = ({ headers }: Pick<Request, 'headers'>, connection?: Connection): ReadHeader =>
  connection?.headers === undefined ? (name) => headers.get(name) ?? undefined : toHeaderReader(connection.headers)
