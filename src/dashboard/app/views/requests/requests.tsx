import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { go, toHere, useAddress } from '../../address.ts'
import { useConnection, useHeld, useLive } from '../../live.ts'
import { Button, Link, useKeys } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Field, valueOf } from '../../parts/form.tsx'
import { Empty, Failure, ViewHead } from '../../parts/layout.tsx'
import { Method, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import type { Connection } from '../../api.ts'
import { Detail } from './detail.tsx'
import { useEntries } from './entries.ts'
import type { Entry } from './entries.ts'
import { toReadable } from './readable.ts'

/** How long after the last key the filter is applied, in milliseconds. */
const TYPING = 250

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Reconnecting…',
  refused: 'Not live',
  ended: 'Ended',
  offline: 'Saved',
}

const COLUMNS = [
  ['status', 'Status'],
  ['method', 'Method'],
  ['path', 'Path'],
  ['operation', 'Operation'],
  ['', 'Scenarios'],
  ['took', 'Took'],
  ['time', 'Time'],
] as const

/** The order after a click on a column: ascending, descending, then the newest first. */
const toNextSort = (column: string, sort: string): string => {
  if (sort === column) return `-${column}`
  return sort === `-${column}` ? '' : column
}

const Head = ({ sort }: { readonly sort: string }) => (
  <>
    {COLUMNS.map(([column, title]) => {
      const order = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
      return (
        <span
          key={title}
          role="columnheader"
          class={`c-${title.toLowerCase()}`}
          aria-sort={column === '' ? undefined : order}
        >
          {column === '' ? title : <Link href={toHere({ sort: toNextSort(column, sort) })}>{title}</Link>}
        </span>
      )
    })}
  </>
)

const Row = ({ entry, isOpen }: { readonly entry: Entry; readonly isOpen: boolean }) => {
  const { path, query } = toReadable(entry.request.url, entry.session)
  return (
    <>
      <span role="cell" class="c-status">
        <Status status={entry.response.status} />
      </span>
      <span role="cell" class="c-method">
        <Method method={entry.request.method} />
      </span>
      <span role="cell" class="c-path">
        <Link href={toHere({ request: entry.id })} aria-current={isOpen ? 'true' : undefined}>
          {path}
          <span class="query">{query}</span>
        </Link>
      </span>
      <span role="cell" class="c-operation">
        {entry.operation ?? (entry.isPassedThrough === true ? 'passed through' : '')}
      </span>
      <span role="cell" class="c-scenarios">
        {entry.scenarios.join(', ')}
      </span>
      <span role="cell" class="c-took">
        {toDurationText(entry.durationMilliseconds)}
      </span>
      <span role="cell" class="c-time">
        <Time at={entry.request.loggedDate} />
      </span>
    </>
  )
}

const apply = (text: string): void => go(toHere({ filter: text, request: undefined }), 'replace')

/** The filter; it is applied to the address while the user types. */
function Filter({ value }: { readonly value: string }) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useKeys({
    '/': (event) => {
      event.preventDefault()
      input.current?.select()
      input.current?.focus()
    },
  })
  useEffect(() => {
    // The address changed by a link or the history.
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return (
    <search class="filter">
      <Field label="Filter">
        {(props) => (
          <input
            {...props}
            ref={input}
            type="search"
            value={value}
            placeholder='Filter: oak status>=400 -method:GET body~"linen" time>14:00'
            autocomplete="off"
            spellcheck={false}
            onInput={(event: Event) => {
              clearTimeout(timer.current ?? undefined)
              timer.current = setTimeout(() => apply(valueOf(event)), TYPING)
            }}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Enter' && event.key !== 'Escape') return
              clearTimeout(timer.current ?? undefined)
              event.preventDefault()
              if (event.key === 'Enter') apply(valueOf(event))
              else input.current?.blur()
            }}
          />
        )}
      </Field>
      <kbd aria-hidden="true">/</kbd>
    </search>
  )
}

export function RequestsView() {
  const { source } = useLive()
  const { params } = useAddress()
  const [filter, sort, openId] = [
    params.get('filter') ?? '',
    params.get('sort') ?? '',
    params.get('request') ?? undefined,
  ]
  const connection = useConnection()
  const { key, list, total, dropped, error, loadMore } = useEntries(filter, sort)
  const [isPaused, setPaused] = useState(false)
  const { value: held, holdProps, release } = useHeld(list, key)
  const paused = useRef<readonly Entry[] | null>(null)
  if (!isPaused) paused.current = held
  const rows = (isPaused ? paused.current : held) ?? held
  const firstId = rows[0]?.id
  const newer = sort === '' && rows !== list ? list.findIndex(({ id }) => id === firstId) : 0

  const open = (id: string | undefined): void => go(toHere({ request: id }), openId === undefined ? 'push' : 'replace')
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    if (rows.length === 0) return
    event.preventDefault()
    const at = rows.findIndex(({ id }) => id === openId)
    open(rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.id)
  }
  useKeys({
    j: move(1),
    ArrowDown: move(1),
    k: move(-1),
    ArrowUp: move(-1),
    Escape: () => open(undefined),
  })

  return (
    <>
      <ViewHead title="Requests">
        <span class="connection" data-state={isPaused ? 'paused' : connection}>
          {isPaused ? 'Paused' : CONNECTIONS[connection]}
        </span>
        {!source.isReadOnly && (
          <>
            <Button icon={isPaused ? 'play' : 'pause'} isPressed={isPaused} onClick={() => setPaused(!isPaused)}>
              Pause
            </Button>
            <a class="button" href={source.toUrl('/requests.har')} download={`${source.session}.har`}>
              HAR
            </a>
            <ConfirmButton
              label="Clear"
              question="Clear the list of requests?"
              confirm="Clear requests"
              done="Requests cleared."
              act={() => source.send('DELETE', '/requests')}
            >
              The journal of session {source.session} is deleted. This cannot be undone.
            </ConfirmButton>
          </>
        )}
      </ViewHead>
      <Filter value={filter} />
      <Failure error={error} />
      <div class="split" data-open={openId === undefined ? undefined : ''}>
        <section class="list" aria-label="Requests">
          {newer > 0 && (
            <Button
              isSmall
              onClick={() => {
                setPaused(false)
                release()
              }}
            >
              {newer} new
            </Button>
          )}
          <VirtualList
            label="Requests"
            class="requests"
            rows={rows}
            keyOf={({ id }) => id}
            head={<Head sort={sort} />}
            render={(entry) => <Row entry={entry} isOpen={entry.id === openId} />}
            openKey={openId}
            onEnd={loadMore}
            listProps={holdProps}
          />
          {total === 0 && (
            <Empty title={filter === '' ? 'No requests yet' : 'No request matches the filter'}>
              {filter === '' ? (
                <pre>{`curl '${location.origin}/@${source.session}/acme/resource' -H 'Authorization: Bearer any'`}</pre>
              ) : (
                <Link class="button" href={toHere({ filter: undefined })}>
                  Show all requests
                </Link>
              )}
            </Empty>
          )}
          <p class="foot quiet">
            {total !== undefined && toCountText(total, 'request')}
            {dropped > 0 && `, ${toCountText(dropped, 'older one')} no longer kept`}
          </p>
        </section>
        {openId !== undefined && <Detail key={openId} id={openId} onClose={() => open(undefined)} />}
      </div>
    </>
  )
}
