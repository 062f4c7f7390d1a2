import { useEffect, useMemo } from 'hono/jsx/dom'
import { go, toHere, useAddress } from '../../address.ts'
import { useEvery, useHeld, useLive, useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Select } from '../../parts/form.tsx'
import { Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { toCountText, toDurationText } from '../../parts/status.tsx'
import { useListKeys, VirtualList } from '../../parts/virtual-list.tsx'
import type { ListColumn } from '../../parts/virtual-list.tsx'
import { RunComparison, OutcomeOfTest } from './comparison.tsx'
import { SessionList } from './sessions.tsx'
import { TestStrip } from './strip.tsx'
import { TestDetail } from './test-detail.tsx'
import { findRepeated, isRed, searchTests, sortTests, toErrorLine, toTitle, toUnretried, toVariant } from './tests.ts'
import type { BoardRun, RunWithTests, BoardTest } from './tests.ts'

interface NameProps {
  readonly test: BoardTest
  readonly isOpen: boolean
  /** Whether another execution of the test is above it. */
  readonly isRepeated: boolean
}

const TitleOfTest = ({ test, isOpen, isRepeated }: NameProps) => {
  const variant = toVariant(test)
  const facts = [...toUnretried(test), ...(test.error === undefined ? [] : [toErrorLine(test.error)])]
  return (
    <>
      {isRepeated && <span class="quiet">&emsp;↳ </span>}
      <Link href={toHere({ test: test.id })} aria-current={isOpen ? 'true' : undefined}>
        {isRepeated && variant !== '' ? (
          <>
            <span class="sr">{toTitle(test)}: </span>
            {variant}
          </>
        ) : (
          toTitle(test)
        )}
      </Link>{' '}
      {!isRepeated && variant !== '' && <span class="tag">{variant}</span>} <span class="bad">{facts.join(' · ')}</span>
    </>
  )
}

const toTestColumns = (open: string | undefined, repeated: ReadonlySet<string>): readonly ListColumn<BoardTest>[] => [
  { title: 'Result', cell: (test) => <OutcomeOfTest test={test} /> },
  {
    title: 'Test',
    cell: (test) => <TitleOfTest test={test} isOpen={test.id === open} isRepeated={repeated.has(test.id)} />,
  },
  { title: 'Scenarios', cell: ({ scenarios }) => scenarios.join(', ') },
  { title: 'Worker', cell: ({ worker = 0 }) => `w${worker}` },
  { title: 'Requests', isNumber: true, cell: ({ requests }) => requests },
  {
    title: 'Took',
    isNumber: true,
    cell: ({ duration }) => (duration === undefined ? '' : toDurationText(duration)),
  },
]

/** When a run started, and how it went, for the choice of a run. */
function toRunOption({ run, startedAt, counts: { tests, failed, flaky } }: BoardRun): readonly [string, string] {
  const notable = [failed > 0 && `${failed} failed`, flaky > 0 && `${flaky} flaky`].filter(Boolean)
  const name = run.startsWith(startedAt.slice(0, 10)) ? run.slice(0, 19).replace('T', ' ') : run
  return [run, `${name} – ${notable.length === 0 ? '' : `${notable.join(', ')} of `}${toCountText(tests, 'test')}`]
}

/** The tests of a run. */
function Tests({ run }: { readonly run: RunWithTests }) {
  const { params } = useAddress()
  const [text, open] = [params.get('search') ?? '', params.get('test') ?? undefined]
  const sorted = useMemo(() => sortTests(run.tests), [run])
  const found = useMemo(() => searchTests(sorted, text), [sorted, text])
  const { value: rows, holdProps } = useHeld(found, `${run.run}\n${text}`)
  useListKeys(
    rows,
    rows.findIndex(({ id }) => id === open),
    (test) => toHere({ test: test?.id }),
  )
  const red = run.tests.filter(isRed).length
  return (
    <>
      <TestStrip tests={run.tests} open={open} />
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
        columns={toTestColumns(open, findRepeated(rows))}
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

const toRunPath = (run: string | undefined) => (run === undefined ? undefined : `/runs/${encodeURIComponent(run)}`)

const select = (run: string): void => go(toHere({ run, test: undefined, compare: undefined, search: undefined }))

/** Runs and their tests, and the sessions beside them. */
export function BoardView() {
  const { source } = useLive()
  const { params } = useAddress()
  const list = useResource<{ readonly runs: readonly BoardRun[] }>('/runs', ['state', 'test', 'run'])
  const runs = list.value?.runs ?? []
  const name = params.get('run') ?? runs[0]?.run
  const other = params.get('compare') ?? undefined
  const run = useResource<RunWithTests>(toRunPath(name), ['test', 'run'])
  const before = useResource<RunWithTests>(toRunPath(other), [])
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
            <Select aria-label="Run" options={runs.map(toRunOption)} value={name} onChoose={select} />
            {runs.length > 1 && (
              <Select
                aria-label="Compare with"
                options={[['', 'Compare with…'], ...runs.filter((one) => one.run !== name).map(toRunOption)]}
                value={other ?? ''}
                onChoose={(next) => go(toHere({ compare: next, test: undefined }))}
              />
            )}
            {!source.isFile && (
              <a class="button" href={source.toUrl(`/share.html?run=${encodeURIComponent(name)}`)} download="run.html">
                Share file
              </a>
            )}
            {!source.isReadOnly && (
              <ConfirmButton
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
      <ErrorNotice error={list.error ?? run.error ?? before.error} />
      <div class="split" data-open={open === undefined && source.isFile ? undefined : ''}>
        <section class="list" aria-label="Run">
          {run.value !== undefined && other !== undefined && before.value !== undefined ? (
            <RunComparison before={before.value} now={run.value} />
          ) : (
            run.value !== undefined && <Tests run={run.value} />
          )}
          {list.value !== undefined && runs.length === 0 && <NoRuns />}
        </section>
        {open !== undefined ? <TestDetail key={open.id} test={open} /> : !source.isFile && <SessionList />}
      </div>
    </>
  )
}
