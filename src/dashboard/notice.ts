import type { Problem } from '../errors.ts'

/** What a page says about the last form that was sent. */
export type Notice =
  | {
      readonly kind: 'done'
      readonly text: string
      /** The number of its undo. */
      readonly undo: string | undefined
    }
  /** What was wrong, and the fields of the form, which the page shows again. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly fields: URLSearchParams }
  /** A request was sent from the Contract view, which shows the fields again. */
  | { readonly kind: 'tried'; readonly fields: URLSearchParams; readonly undo: string | undefined }

/** What was wrong, in a sentence; for a body, with the position. */
export const toSentence = ({ message, errors: [{ detailedErrorMessage = message }] }: Problem): string =>
  detailedErrorMessage

/** The value of a field of the form that was sent; `first` if the page does not show that form again. */
export const fieldOf = (notice: Notice | undefined, name: string, first: string): string =>
  (notice !== undefined && 'fields' in notice ? notice.fields.get(name) : undefined) ?? first

/** What was wrong with a field of the form that was sent. */
export const findProblem = (notice: Notice | undefined, name: string): Problem | undefined =>
  notice?.kind === 'failed' && notice.problem.errors[0].field === name ? notice.problem : undefined
