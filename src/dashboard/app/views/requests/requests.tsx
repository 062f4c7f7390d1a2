import { useLayoutEffect, useMemo, useRef, useState } from 'hono/jsx/dom'
import { go, toHere, useAddress } from '../../address.ts'
import { createLive, LiveContext, useConnection, useHeld, useLive } from '../../live.ts'
import { Button, Link, useKeys } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Field, valueOf } from '../../parts/form.tsx'
import { Empty, Failure, ViewHead } from '../../parts/layout.tsx'
import { Method, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { createMockSource } from '../../api.ts'
import type { Connection } from '../../api.ts'
import { Detail } from './detail.tsx'
import { groupRetries, useEntries, usePending } from './entries.ts'
import type { Entry } from './entries.ts'
import { findFilterFault, toName, toReadable } from './readable.ts'
import { Strip } from './strip.tsx'

const count = new Intl.NumberFormat('en')

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

interface RowProps {
  readonly entry: Entry
  readonly isOpen: boolean
  /** The session of the page; requests of other sessions name theirs. */
  readonly session: string
}

const Row = ({ entry, isOpen, session }: RowProps) => {
  const { path, query } = toReadable(entry.url, entry.session)
  const isRetry = entry.retryOf !== undefined
  return (
    <>
      <span role="cell" class="c-status">
        <Status status={entry.status} />
      </span>
      <span role="cell" class="c-method">
        <Method method={entry.method} />
      </span>
      <span role="cell" class={isRetry ? 'c-path retry' : 'c-path'}>
        {isRetry && <span class="quiet">↳ retry</span>}
        {session !== entry.session && <span class="tag">{entry.session}</span>}
        <Link href={toHere({ request: entry.id, of: entry.session })} aria-current={isOpen ? 'true' : undefined}>
          {path}
          <span class="query">{query}</span>
        </Link>
        {entry.retry === 'none' && entry.status >= 409 && <span class="tag">not retried</span>}
      </span>
      <span role="cell" class="c-operation">
        {toName(entry)}
      </span>
      <span role="cell" class="c-scenarios">
        {entry.scenarios.join(', ')}
      </span>
      <span role="cell" class="c-took">
        {toDurationText(entry.durationMilliseconds)}
      </span>
      <span role="cell" class="c-time">
        <Time at={entry.time} />
      </span>
    </>
  )
}

const apply = (text: string): void => go(toHere({ filter: text, request: undefined }), 'replace')

/** The filter; it is applied to the address while the user types, unless it has a fault. */
function Filter({ value }: { readonly value: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const read = (event: Event): void => {
    const text = valueOf(event)
    const found = findFilterFault(text)
    setFault(found)
    if (found === undefined) apply(text)
  }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useKeys({
    '/': (event) => {
      event.preventDefault()
      input.current?.select()
      input.current?.focus()
    },
  })
  useLayoutEffect(() => {
    // The address changed by a link or the history.
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value
  }, [value])
  useLayoutEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return (
    <search class="filter">
      <Field label="Filter" error={fault}>
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
              timer.current = setTimeout(() => read(event), TYPING)
            }}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Enter' && event.key !== 'Escape') return
              clearTimeout(timer.current ?? undefined)
              event.preventDefault()
              if (event.key === 'Enter') read(event)
              else input.current?.blur()
            }}
          />
        )}
      </Field>
      <kbd aria-hidden="true">/</kbd>
    </search>
  )
}

/** `234 of 50,800 requests, 12 older ones no longer kept`. */
function toTotalText({ total, kept, dropped }: Pick<ReturnType<typeof useEntries>, 'total' | 'kept' | 'dropped'>) {
  if (total === undefined) return ''
  const of = total === kept ? '' : `${count.format(total)} of `
  return `${of}${toCountText(kept, 'request')}${dropped > 0 ? `, ${toCountText(dropped, 'older one')} no longer kept` : ''}`
}

interface ToolsProps {
  readonly isPaused: boolean
  readonly setPaused: (isPaused: boolean) => void
  readonly isAll: boolean
}

const Tools = ({ isPaused, setPaused, isAll }: ToolsProps) => {
  const { source } = useLive()
  const connection = useConnection()
  return (
    <>
      <span class="connection" data-state={isPaused ? 'paused' : connection}>
        {isPaused ? 'Paused' : CONNECTIONS[connection]}
      </span>
      {!source.isReadOnly && (
        <>
          <Button isPressed={isAll} onClick={() => go(toHere({ all: isAll ? undefined : 'true' }))}>
            All sessions
          </Button>
          <Button icon={isPaused ? 'play' : 'pause'} isPressed={isPaused} onClick={() => setPaused(!isPaused)}>
            Pause
          </Button>
          <a class="button" href={source.toUrl('/requests.har')} download={`${isAll ? 'all' : source.session}.har`}>
            HAR
          </a>
          <ConfirmButton
            label="Clear"
            question="Clear the list of requests?"
            confirm="Clear requests"
            done="Requests cleared."
            act={() => source.send('DELETE', '/requests')}
          >
            {isAll ? 'The journals of all sessions are' : `The journal of session ${source.session} is`} deleted. This
            cannot be undone.
          </ConfirmButton>
        </>
      )}
    </>
  )
}

/** The requests of the source's session, or of all sessions. */
function Requests({ session, isAll }: { readonly session: string; readonly isAll: boolean }) {
  const { source } = useLive()
  const { params } = useAddress()
  const [filter, sort, openId] = [
    params.get('filter') ?? '',
    params.get('sort') ?? '',
    params.get('request') ?? undefined,
  ]
  const entries = useEntries(filter, sort)
  const { key, list, total, error, histogram } = entries
  const pending = usePending()
  const [isPaused, setPaused] = useState(false)
  const { value: held, holdProps, release } = useHeld(list, key)
  const paused = useRef<readonly Entry[] | null>(null)
  if (!isPaused) paused.current = held
  const shown = (isPaused ? paused.current : held) ?? held
  const rows = useMemo(() => (sort === '' ? groupRetries(shown) : shown), [shown, sort])
  const firstId = shown[0]?.id
  const newer = sort === '' && shown !== list ? list.findIndex(({ id }) => id === firstId) : 0

  const open = (entry: Entry | undefined): void =>
    go(toHere({ request: entry?.id, of: entry?.session }), openId === undefined ? 'push' : 'replace')
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    if (rows.length === 0) return
    event.preventDefault()
    const at = rows.findIndex(({ id }) => id === openId)
    open(rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))])
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
        <Tools isPaused={isPaused} setPaused={setPaused} isAll={isAll} />
      </ViewHead>
      {!source.isFile && <Filter value={filter} />}
      <Failure error={error} />
      <div class="split" data-open={openId === undefined ? undefined : ''}>
        <section class="list" aria-label="Requests">
          {histogram !== undefined && <Strip histogram={histogram} filter={filter} />}
          <div class="newer">
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
          </div>
          <VirtualList
            label="Requests"
            class="requests"
            rows={rows}
            keyOf={({ id }) => id}
            head={<Head sort={sort} />}
            render={(entry) => <Row entry={entry} isOpen={entry.id === openId} session={session} />}
            openKey={openId}
            onEnd={entries.loadMore}
            listProps={holdProps}
          />
          {total === 0 && (
            <Empty title={filter === '' ? 'No requests yet' : 'No request matches the filter'}>
              {filter === '' ? (
                <pre>{`curl '${location.origin}/@${session}/acme/resource' -H 'Authorization: Bearer any'`}</pre>
              ) : (
                <Link class="button" href={toHere({ filter: undefined })}>
                  Show all requests
                </Link>
              )}
            </Empty>
          )}
          {pending.length > 0 && (
            <ul class="foot" aria-label="Pending requests">
              {pending.map(({ correlationId, method, url, time }) => (
                <li key={correlationId}>
                  <Method method={method} /> {toReadable(url, session).path}{' '}
                  <span class="quiet">
                    pending since <Time at={time} isShort />
                  </span>
                </li>
              ))}
            </ul>
          )}
          <p class="foot quiet">{toTotalText(entries)}</p>
        </section>
        {openId !== undefined && (
          <Detail
            key={openId}
            id={openId}
            session={params.get('of') ?? session}
            page={session}
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </>
  )
}

/** The requests of all sessions, by a connection of their own. */
function AllRequests() {
  const { source, notify } = useLive()
  const live = useMemo(
    () => ({ ...createLive(createMockSource(location.pathname.replace(/\/$/, ''), '*')), notify }),
    [],
  )
  useLayoutEffect(() => live.close, [])
  return (
    <LiveContext.Provider value={live}>
      <Requests session={source.session} isAll />
    </LiveContext.Provider>
  )
}

export function RequestsView() {
  const { source } = useLive()
  const isAll = useAddress().params.has('all') && !source.isReadOnly
  return isAll ? <AllRequests /> : <Requests session={source.session} isAll={false} />
}
