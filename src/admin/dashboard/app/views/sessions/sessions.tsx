import { useMemo, useState } from 'hono/jsx/dom'
import { toHere, toSession, useAddress } from '../../address.ts'
import { useEvery, useHeld, useLive, useResource } from '../../live.ts'
import { Button } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/form.tsx'
import { Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
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

type SessionOrder = 'name' | 'requests' | 'used'

/** The sessions without a test whose name or active scenarios contain a text; the default session is always first. */
export function selectSessions(
  sessions: readonly ListedSession[],
  { search, order }: { readonly search: string; readonly order: SessionOrder },
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
const CreateSession = () => (
  <form class="line create" method="get" action={toSession('').split('?', 1)[0]}>
    <TextField label="Session name" name="session" required pattern="[A-Za-z0-9._\-]{1,64}" placeholder="New session" />
    <Button type="submit">Open or create</Button>
  </form>
)

const Delete = ({ name, onDeleted }: { readonly name: string; readonly onDeleted: () => void }) => {
  const { source } = useLive()
  if (name === 'default' || name === source.session || source.isReadOnly) return null
  return (
    <ConfirmButton
      name={name}
      confirm="Delete session"
      done={`Session ${name} deleted.`}
      act={() => source.send('DELETE', `/sessions/${encodeURIComponent(name)}`).then(onDeleted)}
    >
      Its data and requests are deleted. This cannot be undone.
    </ConfirmButton>
  )
}

/** The sessions that belong to no test: search, sort, create, switch and delete. */
export function SessionsView() {
  const { source } = useLive()
  const { value, error, reload } = useResource<{ readonly sessions: readonly ListedSession[] }>('/sessions', [
    'state',
    'request',
  ])
  useEvery(reload, !source.isReadOnly)
  const [search, setSearch] = useState('')
  const sort = useAddress().params.get('sort')
  const order = sort === 'requests' || sort === 'used' ? sort : 'name'
  const by = (one: SessionOrder, direction: 'ascending' | 'descending') => ({
    order: order === one ? direction : undefined,
    href: toHere({ sort: one }),
  })
  const found = useMemo(() => selectSessions(value?.sessions ?? [], { search, order }), [value, search, order])
  const { value: held, holdProps } = useHeld(found, `${search}\n${order}`)
  // A deleted session goes at once.
  const rows = useMemo(() => {
    const names = new Set(found.map(({ name }) => name))
    return held.filter(({ name }) => names.has(name))
  }, [held, found])
  return (
    <>
      <ViewHead title="Sessions">{!source.isReadOnly && <CreateSession />}</ViewHead>
      <ErrorNotice error={error} />
      <div class="split">
        <section class="list" aria-label="Sessions">
          <SearchField
            label="Search sessions"
            placeholder="Search sessions and their active scenarios"
            value={search}
            onSearch={setSearch}
          />
          <VirtualList
            label="Sessions"
            class="sessions"
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              {
                title: 'Session',
                sort: by('name', 'ascending'),
                cell: ({ name }) => (
                  <a class="name" href={toSession(name)} aria-current={name === source.session ? 'true' : undefined}>
                    {name}
                  </a>
                ),
              },
              { title: 'Active scenarios', cell: ({ activeScenarios }) => activeScenarios.join(', ') },
              {
                title: 'Requests',
                isNumber: true,
                sort: by('requests', 'descending'),
                cell: ({ requests }) => requests,
              },
              {
                title: 'Last used',
                isNumber: true,
                sort: by('used', 'descending'),
                cell: ({ lastUsedAt }) => <Time at={lastUsedAt} isShort />,
              },
              { title: 'Delete', cell: ({ name }) => <Delete name={name} onDeleted={reload} /> },
            ]}
            listProps={holdProps}
          />
          {value !== undefined && rows.length === 0 && <Empty title="No session matches the search" />}
          <p class="foot quiet">{toCountText(rows.length, 'session')} without a test</p>
        </section>
      </div>
    </>
  )
}
