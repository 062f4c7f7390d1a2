import { useState } from 'hono/jsx/dom'
import type { Child } from 'hono/jsx'
import type { Copy } from '../../../../api/copies.ts'
import type { toExplanationJson } from '../../../../api/explanation.ts'
import type { JournalEntry, LoggedHeaders } from '../../../../../sessions/journal/wiremock-json.ts'
import { findFailureKind } from '../../../../../sessions/journal/failure-kinds.ts'
import { go, toHere, toSession, toView, useAddress } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Json } from '../../parts/json.tsx'
import { DetailPane, ErrorNotice } from '../../parts/layout.tsx'
import { ShareButton } from '../../parts/share.tsx'
import { Method, Sentence, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import { switchScenario } from '../scenarios/scenario-data.ts'
import { RequestComparison } from './comparison.tsx'
import { parseJournalEntry } from './entries.ts'
import { toReadableName, toReadable } from './readable.ts'
import { findHistoryPath } from './story-steps.ts'
import { Story } from './story.tsx'

type Explanation = ReturnType<typeof toExplanationJson>

interface ReasonProps {
  readonly icon: IconName
  readonly kind: 'failure' | 'warning' | 'info' | 'success'
  readonly children?: Child
}

const WhyReason = ({ icon, kind, children }: ReasonProps) => (
  <li class={kind}>
    <Icon name={icon} />
    <div>{children}</div>
  </li>
)

/** Why the request got its response: the error, scenarios, near misses, retries, violations and the remedy. */
function Why({ entry, explanation }: { readonly entry: JournalEntry; readonly explanation: Explanation }) {
  const { source } = useLive()
  const { value } = useResource<{ readonly active: readonly string[] }>(
    source.isReadOnly ? undefined : '/scenarios/active',
    ['scenario', 'state'],
  )
  const { run, error } = useAction()
  const { sentence, cause, nearMisses = [], retry, contract, remedy, conflict } = explanation
  // The sentence names the nearest one.
  const others = nearMisses.slice(1)
  const { kind, message, code, scenarios, warnings } = cause
  const violations = contract.kind === 'broken' ? contract.violations : []
  const reason = conflict === undefined ? (sentence ?? message) : code
  if (reason === undefined && retry === undefined && scenarios.length + warnings.length + violations.length === 0) {
    return null
  }
  return (
    <ul class="card flush why" aria-label="Explanation">
      {reason !== undefined && (
        <WhyReason icon="alert" kind="failure">
          <b>
            <Sentence text={reason} />
          </b>
          {conflict === undefined && kind !== 'missing-scope' && message !== undefined && message !== reason && (
            <p>{message}</p>
          )}
          {conflict === undefined && code !== undefined && <p class="quiet">{code}</p>}
        </WhyReason>
      )}
      {scenarios.map((name) => (
        <WhyReason key={name} icon="scenarios" kind="info">
          Scenario {source.isFile ? name : <Link href={toView('scenarios', { scenario: name })}>{name}</Link>} fired.{' '}
          {value?.active.includes(name) === true && (
            <Button
              isSmall
              onClick={() => void run(() => switchScenario(source, name, false), `${name} is off.`)}
              label={`Switch ${name} off`}
            >
              Switch off
            </Button>
          )}
          <ErrorNotice error={error} />
        </WhyReason>
      ))}
      {others.length > 0 && (
        <WhyReason icon="info" kind="info">
          Other similar operations:
          {others.map(({ operation, method, path }) => (
            <div key={operation}>
              <code>{`${method} ${path}`}</code> {operation}
            </div>
          ))}
        </WhyReason>
      )}
      {retry !== undefined && isTold(entry, retry) && <Retry entry={entry} retry={retry} />}
      {violations.map((violation) => (
        <WhyReason key={violation.message} icon="alert" kind="failure">
          Contract violation: {violation.message}
        </WhyReason>
      ))}
      {warnings.map((warning) => (
        <WhyReason key={warning} icon="alert" kind="warning">
          {warning.replace(/^D\d+ /, '')}
        </WhyReason>
      ))}
      {remedy !== undefined && (
        <WhyReason icon="info" kind="info">
          <Sentence text={remedy} />
        </WhyReason>
      )}
    </ul>
  )
}

/** Why a request of the session got its response. */
export function WhyOf({ entry }: { readonly entry: JournalEntry }) {
  const { value, error } = useResource<Explanation>(`/requests/${encodeURIComponent(entry.id)}/explanation`, [
    'request',
  ])
  return value === undefined ? <ErrorNotice error={error} /> : <Why entry={entry} explanation={value} />
}

/** Whether there is something to say about other attempts: a client should not send every failed request again. */
const isTold = ({ response }: JournalEntry, { state, previous }: NonNullable<Explanation['retry']>): boolean =>
  state !== 'none' || previous !== undefined || findFailureKind(response.status).isRetryable

/** The other attempts at the request. */
const Retry = ({
  entry,
  retry,
}: {
  readonly entry: JournalEntry
  readonly retry: NonNullable<Explanation['retry']>
}) => {
  const { state, previous, succeeded } = retry
  return (
    <WhyReason icon={succeeded === undefined ? 'undo' : 'check'} kind={succeeded === undefined ? 'warning' : 'success'}>
      {succeeded !== undefined && (
        <>
          The retry <Link href={toHere({ request: succeeded.id })}>succeeded</Link> after{' '}
          {toDurationText(Math.max(0, Date.parse(succeeded.time) - entry.loggedDate))}.{' '}
          <Link href={toHere({ request: succeeded.id, compare: entry.id })}>Compare</Link>{' '}
        </>
      )}
      {state === 'none' && findFailureKind(entry.response.status).isRetryable && 'It was not sent again. '}
      {state === 'failed' && 'It was sent again, and failed again. '}
      {previous !== undefined && (
        <>
          This is a retry of{' '}
          <Link href={toHere({ request: previous.id })}>a request with status {previous.status}</Link>.{' '}
          <Link href={toHere({ compare: previous.id })}>Compare</Link>
        </>
      )}
    </WhyReason>
  )
}

type Copies = { readonly copies: readonly Copy[] }

interface ActionsProps {
  readonly entry: JournalEntry
  readonly toPath: (path: string) => string
  readonly session: string
  /** Whether the request belongs to the session of the page. */
  readonly isOfPage: boolean
}

/** What can be done with the request. */
function Actions({ entry, toPath, session, isOfPage }: ActionsProps) {
  const { source } = useLive()
  const { value } = useResource<Copies>(toPath(`/requests/${entry.id}/copies`), [])
  return (
    <div class="tools">
      {value?.copies.map((copy) =>
        'text' in copy ? (
          <CopyButton key={copy.name} label={`Copy as ${copy.name}`} text={copy.text} done={`Copied as ${copy.name}.`}>
            {copy.name}
          </CopyButton>
        ) : (
          <span key={copy.name} class="quiet">
            {copy.name}: {copy.sentence}
          </span>
        ),
      )}
      <Link class="button small" href={toHere({ compare: entry.id })}>
        Compare
      </Link>
      {!isOfPage && (
        <a class="button small" href={`${toSession(session, 'requests')}&request=${entry.id}`}>
          Open session {entry.session}
        </a>
      )}
      <ShareButton name={session} query={`session=${encodeURIComponent(session)}`} isSmall />
      {isOfPage && !source.isReadOnly && (
        <>
          <Link class="button small" href={toView('send', { from: entry.id })}>
            Edit and resend
          </Link>
          {entry.operation !== undefined && <Again entry={entry} toPath={toPath} />}
        </>
      )}
    </div>
  )
}

const WIDTHS: Readonly<Record<string, string>> = {
  operation: 'All requests of the operation',
  path: 'Requests with the same path',
  request: 'Requests with the same path, query and body',
}

interface AgainScenario {
  readonly name: string
  readonly scenario: unknown
  readonly matches: readonly { readonly match: string; readonly hits: number }[]
  readonly meta: { readonly of: number }
}

/** Creates a scenario that causes the response again, for more or fewer requests. */
function Again({ entry, toPath }: { readonly entry: JournalEntry; readonly toPath: (path: string) => string }) {
  const { source } = useLive()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const path = `/requests/${entry.id}/scenario`
  const { value, error } = useResource<AgainScenario>(isOpen ? toPath(path) : undefined, [])
  const { run, isBusy, error: unsaved } = useAction()
  const match = chosen ?? value?.matches.at(-1)?.match

  async function create(isOn: boolean): Promise<void> {
    const { name, scenario } = JSON.parse(await source.readText(toPath(`${path}?match=${match}`))) as AgainScenario
    await source.send('PUT', `/scenarios/${encodeURIComponent(name)}`, scenario)
    if (isOn) await switchScenario(source, name, true)
    setOpen(false)
    go(toView('scenarios', isOn ? { scenario: name } : { edit: name }))
  }
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}>
        Make this happen again…
      </Button>
      {isOpen && (
        <Dialog title="Make this happen again" onClose={() => setOpen(false)}>
          <p>A scenario can give the same response to:</p>
          <ErrorNotice error={error ?? unsaved} />
          <ul class="stack">
            {value?.matches.map(({ match: one, hits }) => (
              <li key={one}>
                <label class="line">
                  <input type="radio" name="match" checked={one === match} onChange={() => setChosen(one)} />
                  {WIDTHS[one]}
                  <span class="quiet">
                    would have hit {hits} of {value.meta.of}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {match !== undefined && (
            <div class="tools">
              <Button isBusy={isBusy} onClick={() => void run(() => create(false), 'Scenario created. It is off.')}>
                Create
              </Button>
              <Button
                kind="primary"
                isBusy={isBusy}
                onClick={() => void run(() => create(true), 'Scenario created and switched on.')}
              >
                Create and switch on
              </Button>
            </div>
          )}
        </Dialog>
      )}
    </>
  )
}

interface MessageProps {
  readonly title: string
  readonly headers: LoggedHeaders
  readonly body: string
  readonly bodyAsBase64: string
  readonly bodySize?: number | undefined
}

/** Headers and body of a request or a response. */
const Message = ({ title, headers, body, bodyAsBase64, bodySize }: MessageProps) => {
  const names = Object.entries(headers)
  return (
    <section class="stack" aria-label={title}>
      <h3>{title}</h3>
      <details>
        <summary>{toCountText(names.length, 'header')}</summary>
        <pre class="code">
          {names.map(([name, value]) => (
            <div key={name}>
              <b>{name}</b>: {[value].flat().join(', ')}
            </div>
          ))}
        </pre>
      </details>
      {body !== '' && <Json text={body} label={`${title} body`} />}
      {body === '' && (
        <p class="quiet">
          {bodyAsBase64 === '' ? 'No body' : `Binary body, ${toCountText(atob(bodyAsBase64).length, 'byte')}`}
        </p>
      )}
      {bodySize !== undefined && <p class="quiet">Truncated: the body has {toCountText(bodySize, 'byte')}.</p>}
    </section>
  )
}

interface RequestDetailProps {
  readonly id: string
  /** The session of the request. */
  readonly session: string
  /** The session of the page. */
  readonly page: string
  /** A link to where the request was opened. */
  readonly back?: Child
  readonly onClose: () => void
}

/** A request with its explanation, response and request. */
export function RequestDetail({ id, session, page, back, onClose }: RequestDetailProps) {
  const { source } = useLive()
  const { params } = useAddress()
  const toPath = (path: string): string =>
    session === source.session ? path : `${path}${path.includes('?') ? '&' : '?'}session=${encodeURIComponent(session)}`
  const { value: entry, error } = useResource(
    toPath(`/requests/${encodeURIComponent(id)}`),
    ['state'],
    parseJournalEntry,
  )
  const { value: explanation, error: unexplained } = useResource<Explanation>(
    toPath(`/requests/${encodeURIComponent(id)}/explanation`),
    ['request'],
  )
  if (entry === undefined) return <ErrorNotice error={error} />
  const { response, ...request } = entry
  const { path, query } = toReadable(request.url, entry.session)
  const compared = params.get('compare')
  const history = response.status === 409 ? findHistoryPath(request.url, request.body) : undefined
  return (
    <DetailPane
      label="Request details"
      back={back}
      title={
        <span class="mono">
          <Method method={request.method} /> {path}
          <span class="quiet">{query}</span>
        </span>
      }
      facts={
        <>
          <Status {...response} clientLeft={entry.clientLeft} />
          <span>{toDurationText(entry.durationMilliseconds)}</span>
          <Time at={request.loggedDate} isLong />
          <span>{toReadableName(entry)}</span>
          {entry.clientLeft !== undefined && <span>client left</span>}
          {entry.tookEffect !== undefined && <span>took effect</span>}
          {response.fault !== undefined && <span>{response.fault}</span>}
        </>
      }
      onClose={onClose}
    >
      <ErrorNotice error={error ?? unexplained} />
      {history !== undefined && explanation?.sentence !== undefined && (
        <Story path={toPath(history)} subject={id} sentence={explanation.sentence} />
      )}
      {explanation !== undefined && <Why entry={entry} explanation={explanation} />}
      <Actions entry={entry} toPath={toPath} session={session} isOfPage={session === page} />
      {compared === id && <p class="quiet">Open another request to compare it with this one.</p>}
      {compared !== null && compared !== id && (
        <RequestComparison
          entry={entry}
          retry={explanation?.retry}
          other={compared}
          path={toPath(`/requests/${encodeURIComponent(compared)}`)}
        />
      )}
      <Message title="Response" {...response} />
      <Message title="Request" {...request} />
    </DetailPane>
  )
}
