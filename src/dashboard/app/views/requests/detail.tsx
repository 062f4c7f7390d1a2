import { useEffect, useRef } from 'hono/jsx/dom'
import type { Explanation } from '../../../../admin/explanation.ts'
import type { LoggedHeaders } from '../../../../journal/wiremock-json.ts'
import { toView } from '../../address.ts'
import { useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Json } from '../../parts/json.tsx'
import { Failure } from '../../parts/layout.tsx'
import { isFailure, Method, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import type { Child } from 'hono/jsx'
import type { Entry } from './entries.ts'
import { toReadable } from './readable.ts'

interface ReasonProps {
  readonly icon: IconName
  readonly kind: 'failure' | 'warning' | 'scenario' | 'remedy'
  readonly children?: Child
}

const Reason = ({ icon, kind, children }: ReasonProps) => (
  <li class={kind}>
    <Icon name={icon} />
    <div>{children}</div>
  </li>
)

/** Why the request got its response: the error, the conflict, scenarios, warnings, near misses and the remedy. */
function Why({ entry }: { readonly entry: Entry }) {
  const { value, error } = useResource<Explanation>(`/requests/${entry.id}/explanation`, [])
  if (value === undefined) return <Failure error={error} />
  const { sentence, cause, nearMisses = [], remedy } = value
  const { code, message, scenarios, warnings } = cause
  if (!isFailure(entry.response.status) && scenarios.length === 0 && warnings.length === 0) return null
  return (
    <ul class="card flush why" aria-label="Explanation">
      {(message ?? sentence) !== undefined && (
        <Reason icon="alert" kind="failure">
          <b>{sentence ?? message}</b>
          {code !== undefined && <p class="quiet">{code}</p>}
        </Reason>
      )}
      {scenarios.map((name) => (
        <Reason key={name} icon="scenarios" kind="scenario">
          Scenario <Link href={toView('scenarios', { scenario: name })}>{name}</Link> fired.
        </Reason>
      ))}
      {nearMisses.map((near) => (
        <Reason key={near.message} icon="info" kind="remedy">
          {near.message}
        </Reason>
      ))}
      {warnings.map((warning) => (
        <Reason key={warning} icon="alert" kind="warning">
          {warning.replace(/^D\d+ /, '')}
        </Reason>
      ))}
      {remedy !== undefined && (
        <Reason icon="info" kind="remedy">
          {remedy}
        </Reason>
      )}
    </ul>
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
    <section aria-label={title}>
      <h3>{title}</h3>
      <details class="headers">
        <summary>{toCountText(names.length, 'header')}</summary>
        <dl>
          {names.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : value.join('\n')}</dd>
            </div>
          ))}
        </dl>
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

interface DetailProps {
  readonly id: string
  readonly onClose: () => void
}

/** A request with its explanation, response and request. */
export function Detail({ id, onClose }: DetailProps) {
  const { value: entry, error } = useResource<Entry>(`/requests/${encodeURIComponent(id)}`, [])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Keys move the open request; the focus stays in the list while it is there.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [entry === undefined])
  if (entry === undefined) {
    return (
      <section class="detail" aria-label="Request details">
        <Failure error={error} />
      </section>
    )
  }
  const { request, response } = entry
  const { path, query } = toReadable(request.url, entry.session)
  return (
    <section class="detail" aria-label="Request details">
      <header>
        <div>
          <h2 ref={heading} tabindex={-1}>
            <Method method={request.method} /> {path}
            <span class="query">{query}</span>
          </h2>
          <p class="facts">
            <Status status={response.status} />
            <span>{toDurationText(entry.durationMilliseconds)}</span>
            <Time at={request.loggedDate} isLong />
            {entry.operation !== undefined && <span>{entry.operation}</span>}
            {response.fault !== undefined && <span>{response.fault}</span>}
          </p>
        </div>
        <Button kind="plain" icon="cross" label="Close" onClick={onClose} />
      </header>
      <div class="detail-body">
        <Why entry={entry} />
        <Message title="Response" {...response} />
        <Message title="Request" {...request} />
      </div>
    </section>
  )
}
