import { BoundedMap } from '../util/bounded-map.ts'
import type { Problem } from '../errors.ts'
import type { Session } from '../sessions/session.ts'
import type { Undo } from './undo.ts'

/** What a page says of what was asked of it just now. */
export type Notice =
  | {
      readonly kind: 'done'
      readonly text: string
      /** The number of what takes it back. */
      readonly undo: string | undefined
    }
  /** What was wrong with it, and the fields of the form, for the page to show them again. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly fields: URLSearchParams }
  /** A request was sent as the form says, whose fields the page shows again. */
  | { readonly kind: 'tried'; readonly fields: URLSearchParams; readonly undo: string | undefined }

/** What was wrong, in a sentence; of a body, with the place. */
export const toSentence = ({ message, errors: [{ detailedErrorMessage = message }] }: Problem): string =>
  detailedErrorMessage

/** What was done and not told yet, between a form and the page that it leads to, and what takes it back. */
export interface Notices {
  /** Returns the number by which the page asks for it. */
  keep(notice: Notice): string
  /** The notice of that number, once. */
  take(number: string | null): Notice | undefined
  /** Returns the number by which a form asks for it, in that session. */
  keepUndo(session: Session, undo: Undo): string
  findUndo(session: Session, number: string): Undo | undefined
  /** Forgets what was taken back. */
  dropUndo(number: string): void
}

/** Keeps the last hundred. No other mock has their numbers, such as the one that is started after this one on its port. */
export function createNotices(): Notices {
  const mark = crypto.randomUUID()
  const kept = new BoundedMap<string, Notice>(100)
  const undos = new BoundedMap<string, { readonly session: Session; readonly undo: Undo }>(20)
  let count = 0
  function next(): string {
    count += 1
    return `${mark}-${count}`
  }
  return {
    keep(notice) {
      const number = next()
      kept.set(number, notice)
      return number
    },
    take(number) {
      const notice = number === null ? undefined : kept.get(number)
      if (number !== null) kept.delete(number)
      return notice
    },
    keepUndo(session, undo) {
      const number = next()
      undos.set(number, { session, undo })
      return number
    },
    findUndo(session, number) {
      const found = undos.get(number)
      return found?.session === session ? found.undo : undefined
    },
    dropUndo: (number) => void undos.delete(number),
  }
}

/** The field of the form that was sent, where the page shows it again; else what it is first. */
export const fieldOf = (notice: Notice | undefined, name: string, first: string): string =>
  (notice !== undefined && 'fields' in notice ? notice.fields.get(name) : undefined) ?? first

/** What was wrong with that field of the form that was sent. */
export const findProblem = (notice: Notice | undefined, name: string): Problem | undefined =>
  notice?.kind === 'failed' && notice.problem.errors[0].field === name ? notice.problem : undefined
