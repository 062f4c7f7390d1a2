import { findRepeated } from '../../admin/requests.ts'
import type { JournalEntry } from '../../journal/record.ts'
import { findLineChanges } from '../line-diff.ts'
import { fieldOf } from '../notice.ts'
import { Body } from '../parts/body.tsx'
import { Editor } from '../parts/editor.tsx'
import { Status, Time } from '../parts/status.tsx'
import { toPrettyText } from '../pretty.ts'
import { toResendFields } from '../resend.ts'
import { toDurationText } from '../row.ts'
import { findEntry } from '../rows.ts'
import type { ViewContext } from '../view-context.ts'

interface ResendProps {
  readonly context: ViewContext
  readonly entry: JournalEntry
}

/** A form that sends a request again, with changes. It leads to the new request. */
export const ResendForm = ({ context, entry }: ResendProps) => {
  const { place, param } = context
  const notice = fieldOf(context.notice, 'resend', '') === entry.id ? context.notice : undefined
  const first = toResendFields(entry)
  const read = (name: keyof typeof first): string => fieldOf(notice, `resend-${name}`, first[name])
  const { body } = entry.request
  return (
    <details class="more" open={notice !== undefined}>
      <summary>Edit and resend</summary>
      <form
        method="post"
        action={place.to('requests', { request: entry.id, from: param('from') })}
        class="stack-wide"
        autocomplete="off"
      >
        <input type="hidden" name="resend" value={entry.id} />
        <div class="field whole">
          <label for="resend-method">Method</label>
          <input id="resend-method" name="resend-method" required value={read('method')} />
        </div>
        <div class="field whole">
          <label for="resend-url">Path and query</label>
          <input id="resend-url" name="resend-url" required pattern="/.*" value={read('url')} />
        </div>
        <Editor id="resend-headers" label="Headers" text={read('headers')} problem={undefined} mostLines={8} />
        {body?.encoding === 'base64' && <p class="quiet">The binary body is sent as it was.</p>}
        {body?.isCut === true && (
          <p class="quiet">The journal has only the beginning of the body. Paste the whole one.</p>
        )}
        <Editor id="resend-body" label="Body" text={read('body')} problem={undefined} mostLines={16} />
        <div class="row-of">
          <button class="button primary">Send again</button>
          <span class="quiet">Sent to session {entry.session}, listed as a new request.</span>
        </div>
      </form>
    </details>
  )
}

const Answer = ({ title, entry }: { readonly title: string; readonly entry: JournalEntry }) => (
  <div class="answer">
    <h4>{title}</h4>
    <p class="facts">
      <Status status={entry.response.status} />
      <span>{toDurationText(entry.durationMilliseconds)}</span>
      <Time at={entry.time} />
    </p>
    <Body body={entry.response.body} label={`Response body, ${title.toLowerCase()}`} />
  </div>
)

/** How many lines may differ: the time to find them grows with the square of it. */
const MOST_LINES = 600

const toLines = ({ response: { body } }: JournalEntry): readonly string[] =>
  body?.encoding === 'utf-8' ? toPrettyText(body.text).split('\n') : [body?.text ?? '']

/** The responses to a request and to its first sending, side by side; nothing for a request that repeats none. */
export const BothAnswers = ({ context, entry }: ResendProps) => {
  const id = findRepeated(entry)
  const first = id === undefined ? undefined : findEntry(context, id)
  if (first === undefined) return null
  const changes = findLineChanges(toLines(first), toLines(entry), MOST_LINES)
  return (
    <section>
      <h3>Both responses</h3>
      <p class="quiet">
        Sent again from{' '}
        <a href={context.place.to('requests', { request: first.id, from: context.param('from') })}>this request</a>.
      </p>
      <div class="answers">
        <Answer title="Before" entry={first} />
        <Answer title="Now" entry={entry} />
      </div>
      {changes?.length === 0 ? (
        <p class="quiet">The bodies are the same.</p>
      ) : (
        <details class="more">
          <summary>Differences of the bodies</summary>
          <pre class="diff" tabindex={0} role="region" aria-label="Differences of the bodies">
            {changes === undefined && 'Too many differences to list.'}
            {changes?.map(({ kind, line }) =>
              kind === 'removed' ? <del>{`− ${line}\n`}</del> : <ins>{`+ ${line}\n`}</ins>,
            )}
          </pre>
        </details>
      )}
    </section>
  )
}
