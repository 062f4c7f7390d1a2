import { useState } from 'hono/jsx/dom'
import { toSession } from './address.ts'
import { useEvery, useLive, useResource } from './live.ts'
import { Button } from './parts/controls.tsx'
import { ConfirmButton, Dialog } from './parts/dialog.tsx'
import { Form, TextField, valueOf } from './parts/form.tsx'
import { Time, toCountText } from './parts/status.tsx'

/** A session, as the admin API lists it. */
export interface ListedSession {
  readonly name: string
  /** The id of its test. */
  readonly test?: string
  readonly lastUsedAt: string
  readonly requests: number
  readonly activeScenarios: readonly string[]
}

/** How many sessions are listed. */
const MOST_LISTED = 50

const SESSION_NAME = /^[\w.-]{1,64}$/

/**
 * The sessions without a test whose name or active scenarios contain a text: the default session first, then the last used
 * ones.
 */
export function searchSessions(sessions: readonly ListedSession[], search: string): readonly ListedSession[] {
  const text = search.toLowerCase()
  return sessions
    .filter(
      ({ name, test, activeScenarios }) =>
        test === undefined && [name, ...activeScenarios].join('\n').toLowerCase().includes(text),
    )
    .toSorted(
      (a, b) => Number(b.name === 'default') - Number(a.name === 'default') || b.lastUsedAt.localeCompare(a.lastUsedAt),
    )
}

/** Searches, opens, creates and deletes sessions. */
function Sessions() {
  const { source } = useLive()
  const [search, setSearch] = useState('')
  const { value, error, reload } = useResource<{ readonly sessions: readonly ListedSession[] }>('/sessions', [
    'state',
    'request',
  ])
  useEvery(reload, true)
  const name = search.trim()
  const found = searchSessions(value?.sessions ?? [], name)
  const isNew = SESSION_NAME.test(name) && value?.sessions.some((one) => one.name === name) === false
  const [first = isNew ? name : undefined] = found.map((one) => one.name)
  return (
    <Form error={error} onSubmit={() => first !== undefined && location.assign(toSession(first))}>
      <TextField
        label="Search or create a session"
        autofocus
        placeholder="Name or active scenario"
        onInput={(event: Event) => setSearch(valueOf(event))}
      />
      <ul class="lines sessions" aria-label="Sessions">
        {isNew && (
          <li class="line">
            <a href={toSession(name)}>Create session {name}</a>
          </li>
        )}
        {found.slice(0, MOST_LISTED).map((one) => (
          <li key={one.name} class="line">
            <a href={toSession(one.name)} aria-current={one.name === source.session ? 'true' : undefined}>
              {one.name}
            </a>
            {one.activeScenarios.length > 0 && <span class="tag">{one.activeScenarios.join(', ')}</span>}
            <span class="quiet">
              {toCountText(one.requests, 'request')}, <Time at={one.lastUsedAt} isShort />
            </span>
            {one.name !== 'default' && one.name !== source.session && !source.isReadOnly && (
              <div class="tools">
                <ConfirmButton
                  name={one.name}
                  confirm="Delete session"
                  done={`Session ${one.name} deleted.`}
                  act={() => source.send('DELETE', `/sessions/${encodeURIComponent(one.name)}`).then(reload)}
                >
                  Its data and requests are deleted. This cannot be undone.
                </ConfirmButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      <p class="quiet">
        {toCountText(found.length, 'session')} without a test
        {found.length > MOST_LISTED && `, the last ${MOST_LISTED} of them listed`}
      </p>
    </Form>
  )
}

/** The name of the page's session, which opens the others. */
export function SessionMenu() {
  const { source } = useLive()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" title="Switch to another session" onClick={() => setOpen(true)}>
        <span class="session-name">{source.session}</span> <span aria-hidden="true">▾</span>
      </Button>
      {isOpen && (
        <Dialog title="Sessions" onClose={() => setOpen(false)}>
          <Sessions />
        </Dialog>
      )}
    </>
  )
}
