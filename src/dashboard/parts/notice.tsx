import { toSentence } from '../notice.ts'
import { toHere } from '../place.ts'
import type { ViewContext } from '../view-context.ts'
import { Icon } from './icon.tsx'

const Dismiss = () => (
  <button class="button small square needs-script" type="button" data-dismiss aria-label="Dismiss">
    <Icon name="cross" />
  </button>
)

/** What was done, with a button to undo it, or what was wrong. */
export const NoticeBar = ({ context: { notice, place } }: { readonly context: ViewContext }) => {
  if (notice === undefined || (notice.kind === 'tried' && notice.undo === undefined))
    return <div id="notice" role="status" />
  if (notice.kind === 'failed') {
    return (
      <div id="notice" role="alert" class="notice failed">
        <Icon name="alert" />
        <p title={toSentence(notice.problem)}>{toSentence(notice.problem)}</p>
        <Dismiss />
      </div>
    )
  }
  return (
    <div id="notice" role="status" class="notice">
      <Icon name="check" />
      <p>{notice.kind === 'tried' ? 'Request sent.' : notice.text}</p>
      {notice.undo !== undefined && (
        <form method="post" action={toHere(place)} data-act data-once>
          <input type="hidden" name="takeBack" value={notice.undo} />
          <button class="button small">
            <Icon name="undo" /> Undo
          </button>
        </form>
      )}
      <Dismiss />
    </div>
  )
}
