import type { JournalEntry } from '../../journal/record.ts'
import { readEntries } from '../../journal/record.ts'
import type { Session } from '../../sessions/sessions.ts'
import { DEFAULT_SESSION, NAME_PATTERN } from '../../sessions/sessions.ts'
import { Act, Confirm, SmallLabel } from '../parts/act.tsx'
import { Method, Status, Time } from '../parts/status.tsx'
import { Clock } from './clock.tsx'
import { Pages, pageOf } from '../parts/pages.tsx'
import { isFailure, toRow } from '../row.ts'
import type { ViewContext } from '../view-context.ts'

/** How many sessions a page has. */
const PAGE = 25

/** Failures are counted among this many of the newest requests. */
const RECENT = 50
const FAILED = 'Recent failures'

interface SessionLineProps {
  readonly context: ViewContext
  readonly session: Session
  /** Its last request. */
  readonly last: JournalEntry | undefined
}

/** The last request of a session. */
const Last = ({ context, session, last }: SessionLineProps) => {
  if (last === undefined) return <span class="quiet">No requests yet</span>
  const row = toRow(last)
  return (
    <a class="last" href={`${context.place.toSession(session.name)}&${new URLSearchParams({ request: last.id })}`}>
      <Status status={row.status} /> <Method method={row.method} /> <span class="mono clip">{row.target}</span>
    </a>
  )
}

const Line = ({ context, session, last }: SessionLineProps) => {
  const { place, parts } = context
  const { name, scenarios, journal, snapshots } = session
  const active = scenarios.active ?? parts.defaults
  const failed = journal.exchanges().slice(-RECENT).filter(isFailure).length
  const isHere = name === place.session
  return (
    <tr id={`row-${name}`} data-on={isHere ? '' : undefined}>
      <th scope="row">
        <a href={place.toSession(name)} aria-current={isHere ? 'true' : undefined}>
          {name}
        </a>
        {isHere && <span class="tag">current</span>}
      </th>
      <td class="stretch">
        <Last context={context} session={session} last={last} />
      </td>
      <td class="number">{journal.size}</td>
      <td class="number">{failed}</td>
      <td>{active.length === 0 ? <span class="quiet">none</span> : active.join(', ')}</td>
      <td class="number">{parts.store.written(name).size}</td>
      <td class="number">{snapshots.size}</td>
      <td class="number quiet">
        <Time at={session.lastUsedAt} />
      </td>
      <td>
        <div class="row-tools">
          {!isHere && (
            <a class="button small" href={place.toSession(name)}>
              Switch<span class="sr"> to {name}</span>
            </a>
          )}
          {name !== DEFAULT_SESSION && (
            <Confirm isSmall label={<SmallLabel text="Delete" name={name} />}>
              <Act
                place={place}
                calls={[`DELETE /sessions/${encodeURIComponent(name)}`]}
                done={`Session ${name} deleted.`}
                to={place.toSession(isHere ? DEFAULT_SESSION : place.session, 'sessions')}
                isLeaving={isHere || place.home !== place.sharedHome}
              >
                <button class="button small danger">
                  Delete data and requests<span class="sr"> – {name}</span>
                </button>
              </Act>
            </Confirm>
          )}
        </div>
      </td>
    </tr>
  )
}

const HEADS = [
  'Name',
  'Last request',
  'Requests',
  FAILED,
  'Active scenarios',
  'Changed projects',
  'Snapshots',
  'Last used',
]
const NUMBERS = new Set(['Requests', FAILED, 'Changed projects', 'Snapshots', 'Last used'])

const byName = new Intl.Collator('en', { numeric: true })

/** The default session first, then by name, so that activity does not move them. */
const inOrder = (a: Session, b: Session): number =>
  Number(b.name === DEFAULT_SESSION) - Number(a.name === DEFAULT_SESSION) || byName.compare(a.name, b.name)

/** All sessions, the default one and the page's own, even before they start. */
function listSessions({ parts: { sessions }, session }: ViewContext): readonly Session[] {
  const byName = new Map([sessions.peek(DEFAULT_SESSION), session, ...sessions.all()].map((one) => [one.name, one]))
  return [...byName.values()].toSorted(inOrder)
}

/** All sessions with their activity. */
export const SessionsView = async ({ context }: { readonly context: ViewContext }) => {
  const all = listSessions(context)
  const sessions = all.slice(pageOf(context, all.length, PAGE) * PAGE).slice(0, PAGE)
  const newest = sessions.flatMap(({ journal }) => journal.exchanges().slice(-1))
  const lasts = new Map<string, JournalEntry>()
  for await (const entry of readEntries(newest, context.parts.elapsed)) lasts.set(entry.session, entry)
  return (
    <>
      <div class="head-line">
        <h1>Sessions</h1>
        <form method="get" action={context.place.sharedHome} class="tools">
          <input type="hidden" name="view" value="requests" />
          <label class="sr" for="session">
            Session name
          </label>
          <input
            id="session"
            name="session"
            required
            pattern={NAME_PATTERN}
            placeholder="worker-1"
            autocomplete="off"
          />
          <button class="button">Open or create</button>
        </form>
      </div>
      <p class="lead">
        Each session has its own data, scenarios and requests. A client chooses one with the path <code>/@name/…</code>,
        the header <code>X-Mock-Session</code> or the cookie <code>mock-session</code>.
      </p>
      <div class="card flush scroll" tabindex={0} role="region" aria-label="Sessions">
        <table class="sessions">
          <thead>
            <tr>
              {HEADS.map((name) => (
                <th
                  scope="col"
                  class={NUMBERS.has(name) ? 'number' : undefined}
                  title={name === FAILED ? `Among the last ${RECENT} requests` : undefined}
                >
                  {name}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody id="sessions" data-live>
            {sessions.map((session) => (
              <Line context={context} session={session} last={lasts.get(session.name)} />
            ))}
          </tbody>
        </table>
      </div>
      <div id="session-pages" data-live>
        <Pages context={context} view="sessions" total={all.length} size={PAGE} />
      </div>
      <Clock context={context} />
    </>
  )
}
