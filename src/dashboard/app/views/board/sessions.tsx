import { useMemo, useState } from 'hono/jsx/dom'
import { toSession } from '../../address.ts'
import { useEvery, useHeld, useLive, useResource } from '../../live.ts'
import { Button } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Field } from '../../parts/form.tsx'
import { Empty, Failure } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Time, toCountText } from '../../parts/status.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'

/** A session, as the admin API lists it. */
export interface ListedSession {
  readonly name: string
  /** The id of its test. */
  readonly test?: string
  readonly lastUsedAt: string
  readonly requests: number
  readonly activeScenarios: readonly string[]
}

const byName = new Intl.Collator('en', { numeric: true })

const COLUMNS = [
  ['name', 'Session'],
  ['requests', 'Requests'],
  ['used', 'Last used'],
] as const

type Order = (typeof COLUMNS)[number][0]

/** The sessions without a test whose name or active scenarios contain a text; the default session is always first. */
export function selectSessions(
  sessions: readonly ListedSession[],
  { search, order }: { readonly search: string; readonly order: Order },
): readonly ListedSession[] {
  const text = search.toLowerCase()
  const compare = {
    name: (a: ListedSession, b: ListedSession) => byName.compare(a.name, b.name),
    requests: (a: ListedSession, b: ListedSession) => b.requests - a.requests,
    used: (a: ListedSession, b: ListedSession) => b.lastUsedAt.localeCompare(a.lastUsedAt),
  }[order]
  return sessions
    .filter(
      ({ name, test, activeScenarios }) =>
        test === undefined && [name, ...activeScenarios].join('\n').toLowerCase().includes(text),
    )
    .toSorted((a, b) => Number(b.name === 'default') - Number(a.name === 'default') || compare(a, b))
}

/** Opens a session; a write to it starts it. */
const Create = () => (
  <form class="create" method="get" action={toSession('').split('?', 1)[0]}>
    <Field label="Session name">
      {(props) => (
        <input
          {...props}
          name="session"
          required
          pattern="[A-Za-z0-9._\-]{1,64}"
          placeholder="New session"
          autocomplete="off"
        />
      )}
    </Field>
    <Button type="submit">Open or create</Button>
  </form>
)

const Row = ({ session, onDeleted }: { readonly session: ListedSession; readonly onDeleted: () => void }) => {
  const { source } = useLive()
  const { name, requests, lastUsedAt, activeScenarios } = session
  const isHere = name === source.session
  return (
    <>
      <span role="cell">
        <a class="name" href={toSession(name)} aria-current={isHere ? 'true' : undefined}>
          {name}
        </a>{' '}
        <span class="c-scenarios">{activeScenarios.join(', ')}</span>
      </span>
      <span role="cell" class="number quiet">
        {requests}
      </span>
      <span role="cell" class="number quiet">
        <Time at={lastUsedAt} />
      </span>
      <span role="cell" class="over">
        {name !== 'default' && !isHere && !source.isReadOnly && (
          <ConfirmButton
            label="Delete"
            of={name}
            question={`Delete session ${name}?`}
            confirm="Delete session"
            done={`Session ${name} deleted.`}
            act={async () => {
              await source.send('DELETE', `/sessions/${encodeURIComponent(name)}`)
              onDeleted()
            }}
          >
            Its data and requests are deleted. This cannot be undone.
          </ConfirmButton>
        )}
      </span>
    </>
  )
}

/** The sessions that belong to no test: search, sort, create, switch and delete. */
export function Sessions() {
  const { source } = useLive()
  const { value, error, reload } = useResource<{ readonly sessions: readonly ListedSession[] }>('/sessions', [
    'state',
    'request',
  ])
  useEvery(reload, !source.isReadOnly)
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order>('name')
  const found = useMemo(() => selectSessions(value?.sessions ?? [], { search, order }), [value, search, order])
  const { value: rows, holdProps } = useHeld(found, `${search}\n${order}`)
  return (
    <section class="detail sessions-pane" aria-label="Sessions">
      <header>
        <h2>Sessions</h2>
        {!source.isReadOnly && <Create />}
      </header>
      <Failure error={error} />
      <SearchField
        label="Search sessions"
        placeholder="Search sessions"
        value={search}
        onSearch={setSearch}
        hasKey={false}
      />
      <VirtualList
        label="Sessions"
        class="sessions"
        rows={rows}
        keyOf={({ name }) => name}
        head={
          <>
            {COLUMNS.map(([column, title]) => (
              <span
                key={column}
                role="columnheader"
                class={column === 'name' ? undefined : 'number'}
                aria-sort={order === column ? (column === 'name' ? 'ascending' : 'descending') : undefined}
              >
                <button type="button" class="sort" onClick={() => setOrder(column)}>
                  {title}
                </button>
              </span>
            ))}
            <span role="columnheader">
              <span class="sr">Delete</span>
            </span>
          </>
        }
        render={(session) => <Row session={session} onDeleted={reload} />}
        listProps={holdProps}
      />
      {value !== undefined && rows.length === 0 && <Empty title="No session matches the search" />}
      <p class="foot quiet">{toCountText(rows.length, 'session')} without a test</p>
    </section>
  )
}
