import { useEffect, useMemo } from 'hono/jsx/dom'
import { go, toHere, useAddress } from '../../address.ts'
import { useEvery, useHeld, useLive, useResource } from '../../live.ts'
import { Link, useKeys } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { valueOf } from '../../parts/form.tsx'
import { Empty, Failure, ViewHead } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { toCountText, toDurationText } from '../../parts/status.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { Comparison } from './comparison.tsx'
import { Sessions } from './sessions.tsx'
import { Strip } from './strip.tsx'
import { TestDetail } from './test-detail.tsx'
import { isRed, searchTests, sortTests, toErrorLine, toState, toTitle, toUnretried, toVariant } from './tests.ts'
import type { Run, RunWithTests, Test } from './tests.ts'

const RunLine = ({ test, isOpen }: { readonly test: Test; readonly isOpen: boolean }) => {
  const variant = toVariant(test)
  const facts = [...toUnretried(test), ...(test.error === undefined ? [] : [toErrorLine(test.error)])]
  return (
    <>
      <span role="cell">
        <span class="outcome" data-state={toState(test)}>
          {toState(test)}
        </span>
      </span>
      <span role="cell">
        <Link class="name" href={toHere({ test: test.id })} aria-current={isOpen ? 'true' : undefined}>
          {toTitle(test)}
        </Link>{' '}
        {variant !== '' && <span class="tag">{variant}</span>} <span class="fact">{facts.join(' · ')}</span>
      </span>
      <span role="cell" class="quiet c-scenarios">
        {test.scenarios.join(', ')}
      </span>
      <span role="cell" class="quiet">
        w{test.worker ?? 0}
      </span>
      <span role="cell" class="number quiet">
        {test.requests}
      </span>
      <span role="cell" class="number quiet">
        {test.duration === undefined ? '' : toDurationText(test.duration)}
      </span>
    </>
  )
}

const HEAD = ['Result', 'Test', 'Scenarios', 'Worker', 'Requests', 'Took']

const Head = () => (
  <>
    {HEAD.map((title) => (
      <span
        key={title}
        role="columnheader"
        class={title === 'Scenarios' ? 'c-scenarios' : title === 'Requests' || title === 'Took' ? 'number' : undefined}
      >
        {title}
      </span>
    ))}
  </>
)

/** When a run started, and how it went, for the choice of a run. */
function toRunText({ run, startedAt, counts: { tests, failed, timedOut } }: Run): string {
  const red = failed + timedOut
  const start = startedAt.slice(0, 10)
  return `${run.startsWith(start) ? run.slice(0, 19).replace('T', ' ') : run} – ${red === 0 ? '' : `${red} failed of `}${toCountText(tests, 'test')}`
}

interface RunSelectProps {
  readonly label: string
  readonly runs: readonly Run[]
  readonly value: string
  readonly none?: string
  readonly onChange: (run: string) => void
}

const RunSelect = ({ label, runs, value, none, onChange }: RunSelectProps) => (
  <select aria-label={label} onChange={(event: Event) => onChange(valueOf(event))}>
    {none !== undefined && (
      <option value="" selected={value === ''}>
        {none}
      </option>
    )}
    {runs.map((one) => (
      <option key={one.run} value={one.run} selected={one.run === value}>
        {toRunText(one)}
      </option>
    ))}
  </select>
)

/** The tests of a run. */
function Tests({ run }: { readonly run: RunWithTests }) {
  const { params } = useAddress()
  const [text, open] = [params.get('search') ?? '', params.get('test') ?? undefined]
  const sorted = useMemo(() => sortTests(run.tests), [run])
  const found = useMemo(() => searchTests(sorted, text), [sorted, text])
  const { value: rows, holdProps } = useHeld(found, `${run.run}\n${text}`)
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    event.preventDefault()
    const at = rows.findIndex(({ id }) => id === open)
    const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]
    if (next !== undefined) go(toHere({ test: next.id }), open === undefined ? 'push' : 'replace')
  }
  useKeys({
    j: move(1),
    ArrowDown: move(1),
    k: move(-1),
    ArrowUp: move(-1),
    Escape: () => go(toHere({ test: undefined })),
  })
  const red = run.tests.filter(isRed).length
  return (
    <>
      <Strip tests={run.tests} open={open} />
      <SearchField
        label="Search tests"
        placeholder="Search: title, file, w2, failed, scenario, error"
        value={text}
        onSearch={(next) => go(toHere({ search: next, test: undefined }), 'replace')}
      />
      <VirtualList
        label="Tests"
        class="tests"
        rows={rows}
        keyOf={({ id }) => id}
        head={<Head />}
        render={(test) => <RunLine test={test} isOpen={test.id === open} />}
        openKey={open}
        listProps={holdProps}
      />
      <p class="foot quiet">
        {found.length === run.tests.length ? '' : `${found.length} of `}
        {toCountText(run.tests.length, 'test')}
        {red > 0 && `, ${red} failed`}
      </p>
    </>
  )
}

const NoRuns = () => (
  <Empty title="No tests yet">
    <p>
      Tests that use <code>resource-mock/playwright</code> appear here with what the mock saw of them. Other runners
      report their tests with <code>session.test</code>.
    </p>
  </Empty>
)

const toPath = (run: string | undefined) => (run === undefined ? undefined : `/runs/${encodeURIComponent(run)}`)

const select = (run: string): void => go(toHere({ run, test: undefined, compare: undefined, search: undefined }))

/** Runs and their tests, and the sessions beside them. */
export function BoardView() {
  const { source } = useLive()
  const { params } = useAddress()
  const list = useResource<{ readonly runs: readonly Run[] }>('/runs', ['state', 'test', 'run'])
  const runs = list.value?.runs ?? []
  const name = params.get('run') ?? runs[0]?.run
  const other = params.get('compare') ?? undefined
  const run = useResource<RunWithTests>(toPath(name), ['test', 'run'])
  const before = useResource<RunWithTests>(toPath(other), [])
  const current = JSON.stringify(runs.find((one) => one.run === name))
  useEvery(list.reload, !source.isReadOnly)
  useEffect(() => {
    if (run.value !== undefined) run.reload()
  }, [current])
  const open = run.value?.tests.find(({ id }) => id === params.get('test'))

  return (
    <>
      <ViewHead title="Tests">
        {name !== undefined && runs.length > 0 && (
          <>
            <RunSelect label="Run" runs={runs} value={name} onChange={select} />
            {runs.length > 1 && (
              <RunSelect
                label="Compare with"
                runs={runs.filter((one) => one.run !== name)}
                value={other ?? ''}
                none="Compare with…"
                onChange={(next) => go(toHere({ compare: next, test: undefined }))}
              />
            )}
            {!source.isFile && (
              <a class="button" href={source.toUrl(`/share.html?run=${encodeURIComponent(name)}`)} download="run.html">
                Share file
              </a>
            )}
            {!source.isReadOnly && (
              <ConfirmButton
                label="Delete"
                question="Delete this run?"
                confirm="Delete run"
                done="Run deleted."
                act={async () => {
                  await source.send('DELETE', `/runs/${encodeURIComponent(name)}`)
                  select('')
                  list.reload()
                }}
              >
                Its tests and what the archive keeps of them are deleted. This cannot be undone.
              </ConfirmButton>
            )}
          </>
        )}
      </ViewHead>
      <Failure error={list.error ?? run.error ?? before.error} />
      <div class="split" data-open={open === undefined && source.isFile ? undefined : ''}>
        <section class="list" aria-label="Run">
          {run.value !== undefined && other !== undefined && before.value !== undefined ? (
            <Comparison before={before.value} now={run.value} />
          ) : (
            run.value !== undefined && <Tests run={run.value} />
          )}
          {list.value !== undefined && runs.length === 0 && <NoRuns />}
        </section>
        {open !== undefined ? <TestDetail key={open.id} test={open} /> : !source.isFile && <Sessions />}
      </div>
    </>
  )
}
