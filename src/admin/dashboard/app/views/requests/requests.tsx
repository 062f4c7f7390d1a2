import { useLayoutEffect, useMemo, useState } from 'hono/jsx/dom'
import { go, toHere, useAddress } from '../../address.ts'
import { createLive, LiveContext, useConnection, useHold, useLive, usePending } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { isFailure, Mark, Method, numbers, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import { useListKeys, VirtualList } from '../../parts/virtual-list.tsx'
import type { ListColumn } from '../../parts/virtual-list.tsx'
import { createMockSource } from '../../api.ts'
import type { ConnectionState } from '../../api.ts'
import { RequestDetail } from './detail.tsx'
import { findIndented, groupRetries, useEntries } from './entries.ts'
import type { ListedRequest } from './entries.ts'
import { findFilterFault, toReadableName, toReadable, toSentFilter } from './readable.ts'
import { RequestStrip } from './strip.tsx'
import { hasTerm, statusFilters, suggestTerms, toggleStatus } from './suggest.ts'

const CONNECTIONS: Readonly<Record<ConnectionState, readonly [text: string, kind: number]>> = {
  connecting: ['Connecting…', 1],
  live: ['Live', 2],
  lost: ['Reconnecting…', 5],
  refused: ['Not live', 5],
  ended: ['Ended', 5],
  offline: ['Saved', 1],
}

/** The order after a click on a column: ascending, descending, then the newest first. */
const toNextSort = (column: string, sort: string): string => {
  if (sort === column) return `-${column}`
  return sort === `-${column}` ? '' : column
}

interface PathProps {
  readonly entry: ListedRequest
  readonly isOpen: boolean
  /** Whether it is a retry of the request above. */
  readonly isIndented: boolean
  /** The session of the page if the list is of all sessions: requests of others name theirs. */
  readonly session: string | undefined
}

const RequestPath = ({ entry, isOpen, isIndented, session }: PathProps) => {
  const { id, url, retry, retryOf, status, session: of } = entry
  // The session of an archived request is named by the id of its test.
  const { path, query } = toReadable(url, of.split('~', 1)[0] ?? of)
  return (
    <>
      {isIndented && <span class="quiet">&emsp;↳ retry</span>}
      {session !== undefined && session !== of && <span class="tag">{of}</span>}
      <Link href={toHere({ request: id, of: session && of })} aria-current={isOpen ? 'true' : undefined}>
        {path}
        <span class="quiet">{query}</span>
      </Link>
      {retry === 'none' && isFailure(status) && <span class="tag">not retried</span>}
      {retryOf !== undefined && !isIndented && (
        <Link class="tag" href={toHere({ request: retryOf, of: session && of })}>
          retry of an earlier request
        </Link>
      )}
    </>
  )
}

/**
 * The columns of the list.
 *
 * @param sort undefined if the list cannot be sorted
 * @param indented the ids of the retries below another attempt
 * @param session the session of the page if the list is of all sessions
 */
const toRequestColumns = (
  sort: string | undefined,
  openId: string | undefined,
  indented: ReadonlySet<string>,
  session: string | undefined,
): readonly ListColumn<ListedRequest>[] => {
  const by = (column: string) =>
    sort === undefined
      ? undefined
      : {
          order: sort === column ? ('ascending' as const) : sort === `-${column}` ? ('descending' as const) : undefined,
          href: toHere({ sort: toNextSort(column, sort) }),
        }
  return [
    { title: 'Status', sort: by('status'), cell: ({ status }) => <Status status={status} /> },
    { title: 'Method', sort: by('method'), cell: ({ method }) => <Method method={method} /> },
    {
      title: 'Path',
      sort: by('path'),
      cell: (entry) => (
        <RequestPath entry={entry} isOpen={entry.id === openId} isIndented={indented.has(entry.id)} session={session} />
      ),
    },
    { title: 'Operation', sort: by('operation'), cell: toReadableName },
    { title: 'Scenarios', cell: ({ scenarios }) => scenarios.join(', ') },
    {
      title: 'Took',
      isNumber: true,
      sort: by('took'),
      cell: ({ durationMilliseconds }) => toDurationText(durationMilliseconds),
    },
    { title: 'Time', isNumber: true, sort: by('time'), cell: ({ time }) => <Time at={time} /> },
  ]
}

/** `234 of 50,800 requests, 12 older ones no longer kept`. */
function toTotalText({ total, kept, dropped }: Pick<ReturnType<typeof useEntries>, 'total' | 'kept' | 'dropped'>) {
  if (total === undefined) return ''
  const of = total === kept ? '' : `${numbers.format(total)} of `
  return `${of}${toCountText(kept, 'request')}${dropped > 0 ? `, ${toCountText(dropped, 'older one')} no longer kept` : ''}`
}

interface RequestToolsProps {
  readonly isPaused: boolean
  readonly setPaused: (isPaused: boolean) => void
  readonly isAll: boolean
  readonly filter: string
}

const Tools = ({ isPaused, setPaused, isAll, filter }: RequestToolsProps) => {
  const { source } = useLive()
  const harPath =
    filter === '' ? '/requests.har' : `/requests.har?${new URLSearchParams({ filter: toSentFilter(filter) })}`
  const [state, kind] = CONNECTIONS[useConnection()]
  return (
    <>
      <Mark kind={isPaused ? 1 : kind}>{isPaused ? 'Paused' : state}</Mark>
      {!source.isReadOnly && (
        <>
          <Button isPressed={isAll} onClick={() => go(toHere({ all: isAll ? undefined : 'true' }))}>
            All sessions
          </Button>
          <Button icon={isPaused ? 'play' : 'pause'} isPressed={isPaused} onClick={() => setPaused(!isPaused)}>
            Pause
          </Button>
          <a class="button" href={source.toUrl(harPath)} download={`${isAll ? 'all' : source.session}.har`}>
            HAR
          </a>
          <ConfirmButton
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

/**
 * The requests of the source's session, or of all sessions.
 *
 * @param session the session of the page
 */
function RequestList({ session, isAll }: { readonly session: string; readonly isAll: boolean }) {
  const { source } = useLive()
  const { params } = useAddress()
  const [filter, sort, openId] = [
    params.get('filter') ?? '',
    params.get('sort') ?? '',
    params.get('request') ?? undefined,
  ]
  const [isPaused, setPaused] = useState(false)
  const { isHeld, holdProps } = useHold()
  const entries = useEntries({ filter, sort, openId, isStill: isPaused || isHeld })
  const { list, newer, total, error, histogram, isBusy } = entries
  const pending = usePending()
  const rows = useMemo(() => (sort === '' ? groupRetries(list.slice(newer)) : list), [list, newer, sort])
  const indented = useMemo(() => findIndented(rows), [rows])

  useListKeys(
    rows,
    rows.findIndex((entry) => entry?.id === openId),
    (entry) => toHere({ request: entry?.id, of: isAll ? entry?.session : undefined }),
  )

  return (
    <>
      <ViewHead title="Requests">
        <Tools isPaused={isPaused} setPaused={setPaused} isAll={isAll} filter={filter} />
      </ViewHead>
      {!source.isFile && (
        <div class="line">
          <SearchField
            label="Filter"
            placeholder='Filter: oak status:409 -method:GET body~"linen" time>14:00'
            value={filter}
            onSearch={(text) => go(toHere({ filter: text, request: undefined }), 'replace')}
            findFault={findFilterFault}
            suggest={(term) => suggestTerms(term, list)}
          />
          <div class="chips" role="group" aria-label="Filter by status">
            {statusFilters.map(([name, term]) => (
              <Button
                key={term}
                isPressed={hasTerm(filter, term)}
                onClick={() => go(toHere({ filter: toggleStatus(filter, term), request: undefined }), 'replace')}
              >
                {name}
              </Button>
            ))}
          </div>
        </div>
      )}
      <ErrorNotice error={error} />
      <div class="split" data-open={openId === undefined ? undefined : ''}>
        <section class="list" aria-label="Requests">
          {histogram !== undefined && <RequestStrip histogram={histogram} filter={filter} />}
          <div class="newer">
            {newer > 0 && (
              <Button
                isSmall
                onClick={() => {
                  setPaused(false)
                  entries.release()
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
            columns={toRequestColumns(source.isFile ? undefined : sort, openId, indented, isAll ? session : undefined)}
            openKey={openId}
            isBusy={isBusy}
            onRange={entries.onRange}
            listProps={holdProps}
          />
          {total === 0 && (
            <Empty title={filter === '' ? 'No requests yet' : 'No request matches the filter'}>
              {filter === '' ? (
                <pre>{`curl '${location.origin}/@${session}/acme/resource' -H 'Authorization: Bearer any'`}</pre>
              ) : (
                <>
                  {!isAll && /(?:^|\s)test[:=~]/i.test(filter) && !source.isReadOnly && (
                    <Link class="button" href={toHere({ all: 'true' })}>
                      Search all sessions and the archive
                    </Link>
                  )}{' '}
                  <Link class="button" href={toHere({ filter: undefined })}>
                    Show all requests
                  </Link>
                </>
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
          <p class="foot quiet">{isBusy ? 'Loading…' : toTotalText(entries)}</p>
        </section>
        {openId !== undefined && (
          <RequestDetail
            key={openId}
            id={openId}
            session={params.get('of') ?? session}
            page={session}
            onClose={() => go(toHere({ request: undefined, of: undefined }))}
          />
        )}
      </div>
    </>
  )
}

/** The requests of the page's session, or of all sessions by a connection of their own. */
export function RequestsView() {
  const page = useLive()
  const isAll = useAddress().params.has('all') && !page.source.isReadOnly
  const all = useMemo(
    () =>
      isAll
        ? { ...createLive(createMockSource(location.pathname.replace(/\/$/, ''), '*')), notify: page.notify }
        : undefined,
    [isAll],
  )
  useLayoutEffect(() => all?.close, [all])
  return (
    <LiveContext.Provider value={all ?? page}>
      <RequestList session={page.source.session} isAll={isAll} />
    </LiveContext.Provider>
  )
}
