import type { View } from '../place.ts'
import type { ViewContext } from '../view-context.ts'

interface PagesProps {
  readonly context: ViewContext
  readonly view: View
  /** URL parameters that the links keep. */
  readonly kept?: Readonly<Record<string, string>>
  readonly total: number
  /** Items per page. */
  readonly size: number
}

const lastOf = (total: number, size: number): number => Math.max(0, Math.ceil(total / size) - 1)

/** The page number in the URL, from 0, limited to the last page. */
export const pageOf = ({ param }: ViewContext, total: number, size: number): number =>
  Math.min(Number(/^\d{1,6}$/.exec(param('page'))?.[0] ?? 0), lastOf(total, size))

/** Links to the previous and the next page. */
export const Pages = ({ context, view, kept = {}, total, size }: PagesProps) => {
  const page = pageOf(context, total, size)
  const to = (at: number) => context.place.to(view, { ...kept, page: at === 0 ? '' : String(at) })
  return (
    <p class="pages quiet">
      <span>{total === 0 ? 'None' : `${page * size + 1}–${Math.min(total, (page + 1) * size)} of ${total}`}</span>
      {page > 0 && (
        <a id="page-back" href={to(page - 1)}>
          Back
        </a>
      )}
      {page < lastOf(total, size) && (
        <a id="page-next" href={to(page + 1)}>
          Next
        </a>
      )}
    </p>
  )
}
