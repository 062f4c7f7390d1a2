import type { toExplanationJson } from '../../../../api/explanation.ts'
import { findFailureKind, isFailed } from '../../../../../sessions/journal/failure-kinds.ts'
import { go, toHere, toSession, toView } from '../../address.ts'
import { useLive, useResource } from '../../live.ts'
import { Chip, Link } from '../../parts/controls.tsx'
import { DetailPane, Empty, ErrorNotice, Notice } from '../../parts/layout.tsx'
import { ShareButton } from '../../parts/share.tsx'
import { Mark, Status, Time, toCountText, toDurationText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { ListedRequest } from '../requests/entries.ts'
import { toReadable, toReadableName } from '../requests/readable.ts'
import { findHistoryPath } from '../requests/story-steps.ts'
import { Story } from '../requests/story.tsx'
import { EditorLink } from './editor-link.tsx'
import { isRed, toOutcome, toTitle, toVariant } from './tests.ts'
import type { BoardTest, RunTest } from './tests.ts'

/** How many requests of a test are listed. */
const MOST_REQUESTS_SHOWN = 100

const RETRIES = { none: 'not retried', failed: 'retried, failed again', succeeded: 'retried' } as const

interface WhyProps {
  readonly session: string
  /** The last failed request of the test that it did not retry with success. */
  readonly request: ListedRequest
}

/** Why a request of the test failed; of a conflict, its story. */
function WhyFailed({ session, request: { id, url, status } }: WhyProps) {
  const named = `session=${encodeURIComponent(session)}`
  const { value } = useResource<ReturnType<typeof toExplanationJson>>(`/requests/${id}/explanation?${named}`, [])
  const sentence = value?.sentence
  const history = status === 409 ? findHistoryPath(url, '') : undefined
  if (sentence === undefined) return null
  if (history !== undefined) return <Story path={`${history}&${named}`} subject={id} sentence={sentence} />
  return (
    <Notice kind="failure">
      {sentence} <Link href={toHere({ request: id })}>Open the request</Link>
    </Notice>
  )
}

/** The other views of the test's session. */
const SessionLinks = ({ id }: { readonly id: string }) => {
  return (
    <p class="tools">
      <a class="button small" href={toSession(id, 'requests')}>
        All requests
      </a>
      <a class="button small" href={toSession(id, 'coverage')}>
        Coverage
      </a>
      <ShareButton name={id} query={`session=${id}`} isSmall />
    </p>
  )
}

function TestRequests({ attempt }: { readonly attempt: BoardTest }) {
  const { id, requests, session } = attempt
  const path = `/requests?${new URLSearchParams({ summary: 'true', limit: String(MOST_REQUESTS_SHOWN), retries: 'true', session: id })}`
  const { value, error } = useResource<{ readonly requests: readonly ListedRequest[] }>(path, ['request'])
  if (value === undefined) return <ErrorNotice error={error} />
  const rows = value.requests.toReversed()
  if (rows.length === 0) return <Empty title="No requests" />
  const failed = rows.findLast((row) => isFailed(row) && row.retry !== 'succeeded')
  return (
    <>
      {isRed(attempt) && failed !== undefined && <WhyFailed session={id} request={failed} />}
      <section class="stack" aria-label="Requests">
        <h3>
          {rows.length < requests
            ? `The last ${rows.length} of ${requests} requests`
            : toCountText(requests, 'request')}
        </h3>
        <div class="card flush">
          <DataTable
            label="Requests of the test"
            rows={rows}
            keyOf={(entry) => entry.id}
            columns={[
              { title: 'Status', cell: (entry) => <Status {...entry} /> },
              {
                title: 'Request',
                track: 'minmax(0, 1fr)',
                cell: (entry) => (
                  <Link class="plain clip" href={toHere({ request: entry.id })}>
                    <b>{toReadableName(entry) || entry.method}</b>{' '}
                    <span class="mono">{toReadable(entry.url, session).path}</span>
                  </Link>
                ),
              },
              {
                title: 'Took',
                isNumber: true,
                cell: ({ durationMilliseconds }) => toDurationText(durationMilliseconds),
              },
              {
                title: 'Notes',
                cell: ({ scenarios, retry, status, tookEffect }) => (
                  <span class="quiet">
                    {[
                      ...scenarios.map((name) => `scenario ${name}`),
                      ...(tookEffect === undefined ? [] : ['took effect']),
                      ...(retry !== undefined && (retry !== 'none' || findFailureKind(status).isRetryable)
                        ? [RETRIES[retry]]
                        : []),
                    ].join(', ')}
                  </span>
                ),
              },
            ]}
          />
        </div>
        <SessionLinks id={id} />
      </section>
    </>
  )
}

/** The attempts at a test, to switch between them. */
const Attempts = ({ test: { attempts }, attempt }: DetailProps) => (
  <nav class="line" aria-label="Attempts">
    {attempts.map((one, at) => {
      const [name, mark] = toOutcome(one)
      return (
        <Link
          key={one.id}
          class="button small"
          href={toHere({ test: one.id })}
          aria-current={one === attempt ? 'true' : undefined}
        >
          Attempt {at + 1} <Mark kind={mark}>{name}</Mark>
        </Link>
      )
    })}
  </nav>
)

interface DetailProps {
  readonly test: RunTest
  /** The one that is shown. */
  readonly attempt: BoardTest
}

/** An attempt at a test, with what the mock saw of it. */
export function TestDetail({ test, attempt }: DetailProps) {
  const { source } = useLive()
  const { file, line, worker = 0, startedAt, duration, error, scenarios, archive } = attempt
  const [name, mark] = toOutcome(attempt)
  return (
    <DetailPane
      label="Test details"
      title={toTitle(attempt)}
      facts={
        <>
          <Mark kind={mark}>{name}</Mark>
          {duration !== undefined && <span>{toDurationText(duration)}</span>}
          <Time at={startedAt} isLong />
          <EditorLink file={file} line={line} />
          <span>worker {worker}</span>
          {toVariant(attempt) !== '' && <span>{toVariant(attempt)}</span>}
        </>
      }
      onClose={() => go(toHere({ test: undefined }))}
    >
      {test.attempts.length > 1 && <Attempts test={test} attempt={attempt} />}
      {error !== undefined && (
        <pre class="code" role="region" aria-label="Error" tabindex={0}>
          {error}
        </pre>
      )}
      {scenarios.length > 0 && (
        <div class="chips">
          {scenarios.length === 1 ? 'Scenario' : 'Scenarios'}{' '}
          {scenarios.map((one) =>
            source.isFile ? (
              <span key={one} class="tag">
                {one}
              </span>
            ) : (
              <Chip key={one} href={toView('scenarios', { scenario: one })}>
                {one}
              </Chip>
            ),
          )}
        </div>
      )}
      {archive === 'evicted' ? (
        <Notice>The archive no longer has the requests of this test. To keep more, raise --memory.</Notice>
      ) : (
        <TestRequests attempt={attempt} />
      )}
    </DetailPane>
  )
}
