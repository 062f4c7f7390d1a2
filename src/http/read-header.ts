import type { Connection } from './connection.ts'

/** A header of a request by its lower-case name; several of one name are joined. */
export type ReadHeader = (name: string) => string | undefined

/** Headers are asked for by name many times a request, and most are absent: those that are read already are quicker. */
export function createHeaderReader({ headers }: Pick<Request, 'headers'>, connection?: Connection): ReadHeader {
  const known = connection?.headers
  if (known === undefined) return (name) => headers.get(name) ?? undefined
  return (name) => {
    const value = known[name]
    return typeof value === 'object' ? value.join(', ') : value
  }
}
