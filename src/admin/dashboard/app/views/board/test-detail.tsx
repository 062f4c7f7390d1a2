import { go, toHere, toSession, toView } from '../../address.ts'
import { useLive, useResource } from '../../live.ts'
import { Chip } from '../../parts/controls.tsx'
import { DetailPane, Empty, ErrorNotice, Notice } from '../../parts/layout.tsx'
import { isFailure, Method, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { ListedRequest } from '../requests/entries.ts'
import { toReadable } from '../requests/readable.ts'
import { OutcomeOfTest } from './comparison.tsx'
import { toTitle, toUnretried, toVariant } from './tests.ts'
import type { BoardTest } from './tests.ts'

/** How many requests of a test are listed. */
const MOST_REQUESTS_SHOWN = 100

const RETRIES = { none: 'not retried', failed: 'retried, failed again', succeeded: 'retried' } as const

function TestRequests({ test: { id, requests, session } }: { readonly test: BoardTest }) {
  const { source } = useLive()
  const path = `/requests?${new URLSearchParams({ summary: 'true', limit: String(MOST_REQUESTS_SHOWN), retries: 'true', session: id })}`
  const { value, error } = useResource<{ readonly requests: readonly ListedRequest[] }>(path, ['request'])
  if (value === undefined) return <ErrorNotice error={error} />
  const rows = value.requests.toReversed()
  if (rows.length === 0) return <Empty title="No requests" />
  return (
    <section class="stack" aria-label="Requests">
      <p class="tools">
        <a class="button" href={toSession(id, 'requests')}>
          All requests
        </a>
        {!source.isFile && (
          <>
            <a class="button" href={toSession(id, 'data')}>
              Versions
            </a>
            <a class="button" href={toSession(id, 'scenarios')}>
              Scenarios
            </a>
          </>
        )}
        <a class="button" href={toSession(id, 'coverage')}>
          Coverage
        </a>
        {!source.isFile && (
          <a class="button" href={source.toUrl(`/share.html?session=${id}`)} download={`${id}.html`}>
            Share file
          </a>
        )}
      </p>
      <h3>
        {rows.length < requests ? `The last ${rows.length} of ${requests} requests` : toCountText(requests, 'request')}
      </h3>
      <div class="card flush">
        <DataTable
          label="Requests of the test"
          rows={rows}
          keyOf={(entry) => entry.id}
          columns={[
            { title: 'Status', cell: ({ status }) => <Status status={status} /> },
            {
              title: 'Request',
              track: 'minmax(0, 1fr)',
              cell: (entry) => (
                <a class="mono plain clip" href={`${toSession(id, 'requests')}&request=${entry.id}`}>
                  <Method method={entry.method} /> {toReadable(entry.url, session).path}
                </a>
              ),
            },
            {
              title: 'Notes',

              cell: ({ scenarios, retry, status }) => (
                <span class="quiet">
                  {[...scenarios, ...(isFailure(status) && retry !== undefined ? [RETRIES[retry]] : [])].join(', ')}
                </span>
              ),
            },
          ]}
        />
      </div>
    </section>
  )
}

/** A test with what the mock saw of it. */
export function TestDetail({ test }: { readonly test: BoardTest }) {
  const { file, line, worker = 0, startedAt, duration, error, scenarios, archive } = test
  const unretried = toUnretried(test)
  return (
    <DetailPane
      label="Test details"
      title={toTitle(test)}
      facts={
        <>
          <OutcomeOfTest test={test} />
          {duration !== undefined && <span>{toDurationText(duration)}</span>}
          <Time at={startedAt} isLong />
          <span>
            {file}:{line}
          </span>
          <span>worker {worker}</span>
          {toVariant(test) !== '' && <span>{toVariant(test)}</span>}
        </>
      }
      onClose={() => go(toHere({ test: undefined }))}
    >
      {error !== undefined && (
        <pre class="code" role="region" aria-label="Error" tabindex={0}>
          {error}
        </pre>
      )}
      {unretried.length > 0 && <Notice kind="warning">{unretried.join(', ')}</Notice>}
      {scenarios.length > 0 && (
        <div class="chips">
          {scenarios.map((name) => (
            <Chip key={name} href={toView('scenarios', { scenario: name })}>
              {name}
            </Chip>
          ))}
        </div>
      )}
      {archive === 'evicted' ? (
        <Notice>The archive no longer has the requests of this test. To keep more, raise --memory.</Notice>
      ) : (
        <TestRequests test={test} />
      )}
    </DetailPane>
  )
}
