import { toSentence } from '../notice.ts'
import type { Show } from '../show.ts'
import { Act } from './act.tsx'
import { Icon } from './icon.tsx'

/** What was done just now, with its undo, or what was wrong with it. */
export const NoticeBar = ({ show: { notice, place } }: { readonly show: Show }) => {
  if (notice === undefined || notice.kind === 'tried') return <div id="notice" role="status" />
  if (notice.kind === 'failed') {
    return (
      <div id="notice" role="alert" class="notice failed">
        <Icon name="alert" />
        <p>{toSentence(notice.problem)}</p>
      </div>
    )
  }
  return (
    <div id="notice" role="status" class="notice">
      <Icon name="check" />
      <p>{notice.text}</p>
      {notice.undo.length > 0 && (
        <Act place={place} steps={notice.undo} done="Undone.">
          <button class="button small">
            <Icon name="undo" /> Undo
          </button>
        </Act>
      )}
    </div>
  )
}
