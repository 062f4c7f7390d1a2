import { DecisionList } from '../parts/decision-list.tsx'
import type { JournalEntry } from '../../journal/record.ts'
import { toSent } from '../../journal/target.ts'
import { toCopies } from '../copies.ts'
import { toReadable, toDurationText } from '../row.ts'
import { Body } from '../parts/body.tsx'
import { Icon } from '../parts/icon.tsx'
import { Method, Status, Time } from '../parts/status.tsx'
import type { ViewContext } from '../view-context.ts'
import { decisionsOf } from '../../admin/explanation.ts'
import { checkContract } from '../../admin/contract-check.ts'
import { AgainLink } from './happen-again.tsx'
import { BothAnswers, ResendForm } from './resend.tsx'
import { Why } from './why.tsx'

const Headers = ({ headers, of }: { readonly headers: Readonly<Record<string, string>>; readonly of: string }) => {
  const all = Object.entries(headers)
  return (
    <details class="headers">
      <summary>
        {all.length} {of} {all.length === 1 ? 'header' : 'headers'}
      </summary>
      <dl>
        {all.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const CheckLine = ({ entry }: { readonly entry: JournalEntry }) => {
  const check = checkContract(entry)
  if (check.kind === 'none') return <p class="verdict none">{check.sentence}</p>
  if (check.kind === 'holds') {
    return (
      <p class="verdict holds">
        <Icon name="check" /> Status, headers and body match the contract.
      </p>
    )
  }
  return (
    <div class="verdict broken">
      <p>
        <Icon name="alert" /> The response violates the contract:
      </p>
      <ul>
        {check.violations.map(({ path, message }) => (
          <li>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

const Contract = ({ context, entry }: { readonly context: ViewContext; readonly entry: JournalEntry }) => (
  <section>
    <h3>Contract</h3>
    <CheckLine entry={entry} />
    {entry.operation !== undefined && (
      <p>
        Operation <a href={context.place.to('contract', { operation: entry.operation })}>{entry.operation}</a>.
        Decisions that apply where the specification is silent:
      </p>
    )}
    <DecisionList ids={decisionsOf(entry)} />
  </section>
)

const Copies = ({ entry }: { readonly entry: JournalEntry }) => (
  <section class="copies">
    <h3>Copy as</h3>
    {toCopies(entry).map((copy, at) =>
      copy.kind === 'none' ? (
        <p class="quiet">{copy.sentence}</p>
      ) : (
        <div class="copy">
          <details>
            <summary>{copy.name}</summary>
            <pre class="code" tabindex={0} role="region" aria-label={`As ${copy.name}`}>
              <code id={`copy-${at}`}>{copy.text}</code>
            </pre>
          </details>
          <button class="button small needs-script" type="button" data-copy={`copy-${at}`}>
            <Icon name="copy" />
            <span>Copy</span>
            <span class="sr"> as {copy.name}</span>
          </button>
        </div>
      ),
    )}
  </section>
)

/** The target as sent, with a button to copy it. */
const Sent = ({ target }: { readonly target: string }) => (
  <p class="sent">
    <code id="target">{target}</code>
    <button class="button small needs-script" type="button" data-copy="target">
      <Icon name="copy" />
      <span>Copy</span>
      <span class="sr"> path and query</span>
    </button>
  </p>
)

interface ExchangeDetailProps {
  readonly context: ViewContext
  readonly entry: JournalEntry | undefined
  /** The address of the list alone. */
  readonly close: string
}

/** A request and its response in detail. */
export const ExchangeDetail = ({ context, entry, close }: ExchangeDetailProps) => {
  const closing = (
    <a class="button close" href={close} id="close" aria-label="Close" title="Close (Esc)">
      <Icon name="cross" />
    </a>
  )
  if (entry === undefined) {
    const { isJournaling } = context.parts
    return (
      <div class="exchange">
        <header>
          <h2 tabindex={-1}>{isJournaling ? 'Request no longer available' : 'Request not recorded'}</h2>
          {closing}
        </header>
        <p>
          {isJournaling
            ? 'The journal no longer has this request. It was cleared, or newer requests took its place.'
            : 'The journal is turned off (--journal 0). Start the mock with a journal to see requests and responses here.'}
        </p>
      </div>
    )
  }
  const { request, response } = entry
  const target = toSent(request.url)
  return (
    <article class="exchange" data-id={entry.id}>
      <header>
        <div>
          <h2 tabindex={-1}>
            <Method method={request.method} /> <span class="target">{toReadable(target)}</span>
          </h2>
          <p class="facts">
            <Status status={response.status} />
            <span>{toDurationText(entry.durationMilliseconds)}</span>
            <Time at={entry.time} isLong />
            {entry.operation !== undefined && <span>{entry.operation}</span>}
            {entry.isPassedThrough === true && <span>passed through</span>}
            <span>session {entry.session}</span>
          </p>
        </div>
        {closing}
      </header>
      <Why context={context} entry={entry} />
      <BothAnswers context={context} entry={entry} />
      <section>
        <h3>Response</h3>
        <Headers headers={response.headers} of="response" />
        <Body body={response.body} label="Response body" />
      </section>
      <section>
        <h3>Request</h3>
        <Sent target={target} />
        <Headers headers={request.headers} of="request" />
        <Body body={request.body} label="Request body" />
      </section>
      <section>
        <h3>Again</h3>
        <ResendForm context={context} entry={entry} />
        <AgainLink context={context} entry={entry} />
      </section>
      <Contract context={context} entry={entry} />
      <Copies entry={entry} />
      <p class="quiet foot">
        Correlation id <code>{entry.correlationId}</code>
        {entry.traceId !== undefined && (
          <>
            , trace id <code>{entry.traceId}</code>
          </>
        )}
      </p>
    </article>
  )
}
