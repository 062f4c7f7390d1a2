import type { Session } from '../../sessions/session.ts'
import { DEFAULT_SESSION, NAME_PATTERN } from '../../sessions/sessions.ts'
import { Act } from '../parts/act.tsx'
import { Method, Status, Time } from '../parts/status.tsx'
import { isFailure, toRow } from '../row.ts'
import type { Show } from '../show.ts'

interface LineProps {
  readonly show: Show
  readonly session: Session
}

/** The last request of a session: what it is doing. */
const Last = ({ show, session }: LineProps) => {
  const entries = session.journal.entries()
  const last = entries.at(-1)
  if (last === undefined) return <span class="quiet">nothing asked yet</span>
  const row = toRow(last)
  return (
    <a
      class="last"
      data-key={`last of ${session.name}`}
      href={`${show.place.toSession(session.name)}&${new URLSearchParams({ request: last.id })}`}
    >
      <Status status={row.status} /> <Method method={row.method} /> <span class="mono clip">{row.target}</span>
    </a>
  )
}

const Line = ({ show, session }: LineProps) => {
  const { place, parts } = show
  const { name, stageplay, journal, snapshots } = session
  const active = stageplay.active ?? parts.defaults
  const failed = journal.entries().map(toRow).filter(isFailure).length
  const isHere = name === place.session
  return (
    <tr data-on={isHere ? '' : undefined}>
      <th scope="row">
        <a href={place.toSession(name)} aria-current={isHere ? 'true' : undefined}>
          {name}
        </a>
        {isHere && <span class="tag">here</span>}
      </th>
      <td class="stretch">
        <Last show={show} session={session} />
      </td>
      <td class="number">{journal.size}</td>
      <td class="number">{failed}</td>
      <td>{active.length === 0 ? <span class="quiet">none</span> : active.join(', ')}</td>
      <td class="number">{parts.store.written(name).size}</td>
      <td class="number">{snapshots.all().length}</td>
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
            <details class="confirm">
              <summary class="button small">
                Delete<span class="sr"> {name}</span>
              </summary>
              <Act
                place={place}
                steps={[`DELETE /sessions/${encodeURIComponent(name)}`]}
                done={`The session ${name} is gone.`}
                to={place.toSession(isHere ? DEFAULT_SESSION : place.session, 'sessions')}
                isLeaving={isHere || place.home !== place.door}
              >
                <button class="button small danger">
                  Yes, with all it has<span class="sr"> – {name}</span>
                </button>
              </Act>
            </details>
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
  'Failed',
  'Active scenarios',
  'Changed projects',
  'Snapshots',
  'Last used',
]
const NUMBERS = new Set(['Requests', 'Failed', 'Changed projects', 'Snapshots', 'Last used'])

const byName = new Intl.Collator('en', { numeric: true })

/** Everyone's own first, then by name, so that each stays where it is whatever is asked of it. */
const inOrder = (a: Session, b: Session): number =>
  Number(b.name === DEFAULT_SESSION) - Number(a.name === DEFAULT_SESSION) || byName.compare(a.name, b.name)

/** Every session, and what each is doing. */
export const SessionsView = ({ show }: { readonly show: Show }) => {
  // Everyone's own, which a mock that was only asked by other names does not have yet.
  if (show.parts.sessions.find(DEFAULT_SESSION) === undefined) show.parts.sessions.enter(DEFAULT_SESSION)
  const sessions = [...show.parts.sessions.all()].toSorted(inOrder)
  return (
    <>
      <div class="head-line">
        <h1>Sessions</h1>
        <form method="get" action={show.place.door} class="tools">
          <input type="hidden" name="view" value="requests" />
          <label class="sr" for="session">
            Name of a session
          </label>
          <input
            id="session"
            name="session"
            required
            pattern={NAME_PATTERN}
            placeholder="worker-1"
            autocomplete="off"
          />
          <button class="button">Open or begin</button>
        </form>
      </div>
      <p class="lead">
        A session has data, scenarios and requests of its own. A client is in one by the path <code>/@name/…</code>, by
        the header <code>X-Mock-Session</code> or by the cookie <code>mock-session</code>.
      </p>
      <div class="card flush scroll" tabindex={0} role="region" aria-label="Sessions">
        <table class="sessions">
          <thead>
            <tr>
              {HEADS.map((name) => (
                <th scope="col" class={NUMBERS.has(name) ? 'number' : undefined}>
                  {name}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody id="sessions" data-live>
            {sessions.map((session) => (
              <Line show={show} session={session} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
