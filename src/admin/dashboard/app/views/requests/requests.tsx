import { useLayoutEffect, useMemo, useState } from 'hono/jsx/dom'
import type { OperationCounts, SortName } from '../../../../api/select-requests.ts'
import { findFailureKind } from '../../../../../sessions/journal/failure-kinds.ts'
import { go, toHere, useAddress } from '../../address.ts'
import { createLive, LiveContext, useConnection, useHold, useLive, usePending, useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { ShareButton } from '../../parts/share.tsx'
import { Mark, Method, numbers, Status, Time, toCountText, toDurationText, toSizeText } from '../../parts/status.tsx'
import type { MarkKind } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { sortBy, useListKeys, VirtualList } from '../../parts/virtual-list.tsx'
import type { ListColumn } from '../../parts/virtual-list.tsx'
import { createMockSource } from '../../api.ts'
import type { ConnectionState } from '../../api.ts'
import { RequestDetail } from './detail.tsx'
import { findCommonStart, findIndented, groupRetries, useEntries } from './entries.ts'
import type { ListedRequest } from './entries.ts'
import { findFilterFault, toReadableName, toReadable, toSentFilter } from './readable.ts'
import { RequestStrip } from './strip.tsx'
import { hasTerm, statusFilters, suggestTerms, toggleStatus } from './suggest.ts'

const CONNECTIONS: Readonly<Record<ConnectionState, readonly [text: string, kind: MarkKind]>> = {
  connecting: ['Connecting…', 'neutral'],
  live: ['Live', 'good'],
  lost: ['Reconnecting…', 'failure'],
  refused: ['Not live', 'failure'],
  ended: ['Ended', 'failure'],
  offline: ['Saved', 'neutral'],
}

interface ListParts {
  /** Undefined if the list cannot be sorted. */
  readonly sort: string | undefined
  readonly openId: string | undefined
  /** The ids of the retries below another attempt. */
  readonly indented: ReadonlySet<string>
  /** The session of the page if the list is of all sessions: requests of others name theirs. */
  readonly session: string | undefined
  /** The start that most paths have in common, which is left out. */
  readonly start: string
}

const RequestPath = ({ entry, parts }: { readonly entry: ListedRequest; readonly parts: ListParts }) => {
  const { id, url, retry, retryOf, status, session: of, warnings = 0, tookEffect } = entry
  const { session, indented, openId, start } = parts
  const isIndented = indented.has(id)
  // The session of an archived request is named by the id of its test.
  const { path, query } = toReadable(url, of.split('~', 1)[0] ?? of)
  const short = start !== '' && path.startsWith(`${start}/`) ? path.slice(start.length) : path
  return (
    <>
      {isIndented && <span class="quiet">&emsp;↳ retry</span>}
      {session !== undefined && session !== of && <span class="tag">{of}</span>}
      <Link
        href={toHere({ request: id, of: session && of })}
        aria-current={id === openId ? 'true' : undefined}
        title={path + query}
      >
        {short}
        <span class="quiet">{query}</span>
      </Link>
      {warnings > 0 && <span class="tag warning">{toCountText(warnings, 'warning')}</span>}
      {tookEffect !== undefined && <span class="tag">took effect</span>}
      {retry === 'none' && findFailureKind(status).isRetryable && <span class="tag">not retried</span>}
      {retryOf !== undefined && !isIndented && (
        <Link class="tag" href={toHere({ request: retryOf, of: session && of })}>
          retry of an earlier request
        </Link>
      )}
    </>
  )
}

/** The columns of the list. */
function toRequestColumns(parts: ListParts): readonly ListColumn<ListedRequest>[] {
  const by = (column: SortName) => (parts.sort === undefined ? undefined : sortBy(column, parts.sort))
  return [
    { title: 'Status', track: '68px', sort: by('status'), cell: (entry) => <Status {...entry} /> },
    { title: 'Method', track: '58px', sort: by('method'), cell: ({ method }) => <Method method={method} /> },
    {
      title: 'Path',
      track: 'minmax(0, 3fr)',
      sort: by('path'),
      cell: (entry) => <RequestPath entry={entry} parts={parts} />,
    },
    { title: 'Operation', track: '164px', from: 1000, sort: by('operation'), cell: toReadableName },
    { title: 'Scenarios', track: 'minmax(0, 1fr)', from: 760, cell: ({ scenarios }) => scenarios.join(', ') },
    {
      title: 'Response',
      track: '108px',
      from: 1100,
      isNumber: true,
      cell: ({ size, type = '' }) => (size === 0 ? '' : `${toSizeText(size)} ${type.replace(/^.*[/+]/, '')}`),
    },
    {
      title: 'Took',
      track: '60px',
      from: 480,
      isNumber: true,
      sort: by('took'),
      cell: ({ durationMilliseconds }) => toDurationText(durationMilliseconds),
    },
    {
      title: 'Time',
      track: '100px',
      from: 640,
      isNumber: true,
      sort: by('time'),
      cell: ({ time }) => <Time at={time} />,
    },
  ]
}

/** The requests of each operation, as counted by the mock. */
function Operations({ filter }: { readonly filter: string }) {
  const query = new URLSearchParams({ limit: '0', summary: 'true', operations: 'true' })
  if (filter !== '') query.set('filter', toSentFilter(filter))
  const { value, error } = useResource<{ readonly meta: { readonly operations: readonly OperationCounts[] } }>(
    `/requests?${query}`,
    ['request', 'state'],
  )
  return (
    <div class="list">
      <ErrorNotice error={error} />
      <DataTable
        label="Requests by operation"
        rows={value?.meta.operations ?? []}
        keyOf={({ operation }) => operation}
        columns={[
          {
            title: 'Operation',
            track: 'minmax(0, 1fr)',
            cell: ({ operation }) =>
              operation === '' ? (
                <span class="quiet">no operation</span>
              ) : (
                <Link href={toHere({ by: undefined, filter: `${filter} operation=${operation}`.trim() })}>
                  {operation}
                </Link>
              ),
          },
          { title: 'Requests', isNumber: true, cell: ({ requests }) => numbers.format(requests) },
          {
            title: 'Failures',
            isNumber: true,
            cell: ({ failures }) => <span class={failures > 0 ? 'bad' : 'quiet'}>{numbers.format(failures)}</span>,
          },
          { title: 'p95', isNumber: true, cell: ({ p95 }) => toDurationText(p95) },
        ]}
      />
    </div>
  )
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
  readonly isGrouped: boolean
  readonly filter: string
  /** The session of the page. */
  readonly session: string
}

const Tools = ({ isPaused, setPaused, isAll, isGrouped, filter, session }: RequestToolsProps) => {
  const { source } = useLive()
  const harPath =
    filter === '' ? '/requests.har' : `/requests.har?${new URLSearchParams({ filter: toSentFilter(filter) })}`
  const [state, kind] = CONNECTIONS[useConnection()]
  return (
    <>
      <Mark kind={isPaused ? 'neutral' : kind}>{isPaused ? 'Paused' : state}</Mark>
      {!source.isReadOnly && (
        <>
          <Button isPressed={isAll} onClick={() => go(toHere({ all: isAll ? undefined : 'true' }))}>
            All sessions
          </Button>
          <Button isPressed={isGrouped} onClick={() => go(toHere({ by: isGrouped ? undefined : 'operation' }))}>
            By operation
          </Button>
          <Button icon={isPaused ? 'play' : 'pause'} isPressed={isPaused} onClick={() => setPaused(!isPaused)}>
            Pause
          </Button>
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
      <ShareButton name={session} query={`session=${encodeURIComponent(session)}`}>
        <a class="button small" href={source.toUrl(harPath)} download={`${isAll ? 'all' : source.session}.har`}>
          HAR
        </a>
      </ShareButton>
    </>
  )
}

/** How to send the first request: the base URL for the app, and a command to try. */
const FirstRequest = ({ session }: { readonly session: string }) => {
  const base = location.origin + location.pathname.replace(/(?:\/@[^/]*)?\/__admin\/?$/, '')
  const url = session === 'default' ? base : `${base}/@${session}`
  const command = `curl '${url}/acme/resource' -H 'Authorization: Bearer any'`
  return (
    <>
      <p class="line">
        Use this base URL in your app: <code>{url}</code>
        <CopyButton label="Copy the base URL" text={url} done="Base URL copied." />
      </p>
      <p class="line">
        <code>{command}</code>
        <CopyButton label="Copy the command" text={command} done="Command copied." />
      </p>
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
  const start = useMemo(() => findCommonStart(rows), [rows])
  const isGrouped = params.get('by') === 'operation' && !source.isFile

  useListKeys(
    rows,
    rows.findIndex((entry) => entry?.id === openId),
    (entry) => toHere({ request: entry?.id, of: isAll ? entry?.session : undefined }),
  )

  return (
    <>
      <ViewHead title="Requests">
        <Tools
          isPaused={isPaused}
          setPaused={setPaused}
          isAll={isAll}
          isGrouped={isGrouped}
          filter={filter}
          session={session}
        />
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
        {isGrouped && <Operations filter={filter} />}
        <section class="list" aria-label="Requests" hidden={isGrouped}>
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
            columns={toRequestColumns({
              sort: source.isFile ? undefined : sort,
              openId,
              indented,
              session: isAll ? session : undefined,
              start,
            })}
            openKey={openId}
            isBusy={isBusy}
            onRange={entries.onRange}
            listProps={holdProps}
          />
          {total === 0 && (
            <Empty title={filter === '' ? 'No requests yet' : 'No request matches the filter'}>
              {filter === '' ? (
                <FirstRequest session={session} />
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
          <p class="foot quiet">
            <span>{isBusy ? 'Loading…' : toTotalText(entries)}</span>
            {start !== '' && <span> · paths without {start}</span>}
          </p>
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
