import type { Problem } from '../errors.ts'

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

/** The field of the form that was sent, where the page shows it again; else what it is first. */
export const fieldOf = (notice: Notice | undefined, name: string, first: string): string =>
  (notice !== undefined && 'fields' in notice ? notice.fields.get(name) : undefined) ?? first

/** What was wrong with that field of the form that was sent. */
export const findProblem = (notice: Notice | undefined, name: string): Problem | undefined =>
  notice?.kind === 'failed' && notice.problem.errors[0].field === name ? notice.problem : undefined
