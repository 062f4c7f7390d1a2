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
import { RequestDetail } from '../requests/detail.tsx'
import { RunComparison, VerdictOfTest } from './comparison.tsx'
import { Causes, filterBy, NO_FILTER, TestFilters, toTestFilter } from './filters.tsx'
import { TestStrip } from './strip.tsx'
import { TestDetail } from './test-detail.tsx'
import { countSharedTitles, filterTests, toFirstOpened, toRunTests, toTitle, toVariant } from './tests.ts'
import type { BoardRun, BoardTest, RunTest, RunWithTests } from './tests.ts'

interface NameProps {
  readonly test: RunTest
  readonly isOpen: boolean
  /** How many suites are left out, since all tests are in them. */
  readonly shared: number
}

/** The title of a test, and below it why it failed. */
const TitleOfTest = ({ test, isOpen, shared }: NameProps) => {
  const { last, attempts, cause } = test
  const suites = last.title.slice(shared, -1)
  const variant = toVariant(last)
  return (
    <>
      <span>
        <Link
          href={toHere({ test: toFirstOpened(test).id, request: undefined })}
          aria-current={isOpen ? 'true' : undefined}
        >
          {suites.length > 0 && <span class="quiet">{suites.join(' › ')} › </span>}
          <span>{last.title.at(-1)}</span>
        </Link>
        {variant !== '' && <span class="tag">{variant}</span>}
        {attempts.length > 1 && (
          <span class="tag" title={`${attempts.length} attempts`}>
            {attempts.length}×<span class="sr"> attempts</span>
          </span>
        )}
      </span>
      {cause !== '' && <span class="why-failed">{cause}</span>}
    </>
  )
}

const hasCause = ({ cause }: RunTest): boolean => cause !== ''

const toTestColumns = (open: RunTest | undefined, shared: number): readonly ListColumn<RunTest>[] => [
  { title: 'Result', cell: (test) => <VerdictOfTest test={test} /> },
  { title: 'Test', cell: (test) => <TitleOfTest test={test} isOpen={test === open} shared={shared} /> },
  { title: 'Scenarios', cell: ({ last }) => last.scenarios.join(', ') },
  { title: 'Worker', cell: ({ last: { worker = 0 } }) => `w${worker}` },
  { title: 'Requests', isNumber: true, cell: ({ last }) => last.requests },
  {
    title: 'Took',
    isNumber: true,
    cell: ({ last: { duration } }) => (duration === undefined ? '' : toDurationText(duration)),
  },
]

/** `20 failed, 8 flaky`. */
const toNotable = ({ failed, flaky }: { readonly failed: number; readonly flaky: number }): string =>
  [failed > 0 && `${failed} failed`, flaky > 0 && `${flaky} flaky`].filter(Boolean).join(', ')

/** When a run started, and how it went, for the choice of a run. */
function toRunOption({ run, startedAt, counts }: BoardRun): readonly [string, string] {
  const notable = toNotable(counts)
  const name = run.startsWith(startedAt.slice(0, 10)) ? run.slice(0, 19).replace('T', ' ') : run
  return [run, `${name} – ${notable === '' ? toCountText(counts.tests, 'test') : `${notable} of ${counts.tests}`}`]
}

interface TestsProps {
  readonly run: string
  /** Every attempt. */
  readonly attempts: readonly BoardTest[]
  readonly tests: readonly RunTest[]
}

/** The tests of a run. */
function Tests({ run, attempts, tests }: TestsProps) {
  const { params } = useAddress()
  const openId = params.get('test') ?? undefined
  const filter = toTestFilter(params)
  const filterText = JSON.stringify(filter)
  const found = useMemo(() => filterTests(tests, filter), [tests, filterText])
  const { value: rows, holdProps } = useHeld(found, `${run}\n${filterText}`)
  const openAt = rows.findIndex((test) => test.attempts.some(({ id }) => id === openId))
  useListKeys(rows, openAt, (test) =>
    test === undefined && params.has('request')
      ? toHere({ request: undefined })
      : toHere({ test: test && toFirstOpened(test).id, request: undefined }),
  )
  const shared = countSharedTitles(tests)
  const suites = tests[0]?.last.title.slice(0, shared) ?? []
  const countOf = (verdict: string): number => found.filter((test) => test.verdict === verdict).length
  const notable = toNotable({ failed: countOf('failed'), flaky: countOf('flaky') })
  return (
    <>
      <TestStrip tests={attempts} open={openId} />
      <SearchField
        label="Search tests"
        placeholder="Search: title, file, w2, scenario, error"
        value={filter.search}
        onSearch={(search) => filterBy({ search })}
      />
      <TestFilters tests={tests} filter={filter} />
      <Causes tests={tests} filter={filter} />
      <VirtualList
        label="Tests"
        class="tests"
        rows={rows}
        keyOf={({ key }) => key}
        columns={toTestColumns(rows[openAt], shared)}
        openKey={rows[openAt]?.key}
        isTall={hasCause}
        listProps={holdProps}
      />
      {found.length === 0 && (
        <Empty title="No test matches the filter">
          <Link class="button" href={toHere(NO_FILTER)}>
            Show all tests
          </Link>
        </Empty>
      )}
      <p class="foot quiet">
        {found.length === tests.length ? '' : `${found.length} of `}
        {toCountText(tests.length, 'test')}
        {notable !== '' && `, ${notable}`}
        {suites.length > 0 && ` · all in ${suites.join(' › ')}`}
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

const closeRequest = (): string => toHere({ request: undefined, compare: undefined })

const select = (run: string): void =>
  go(toHere({ ...NO_FILTER, run, test: undefined, request: undefined, before: undefined }))

interface ToolsProps {
  readonly runs: readonly BoardRun[]
  readonly name: string
  /** The run to compare with. */
  readonly other: string | undefined
  readonly onDeleted: () => void
}

const Tools = ({ runs, name, other, onDeleted }: ToolsProps) => {
  const { source } = useLive()
  return (
    <>
      <Select aria-label="Run" options={runs.map(toRunOption)} value={name} onChoose={select} />
      {runs.length > 1 && (
        <Select
          aria-label="Compare with"
          options={[['', 'Compare with…'], ...runs.filter((one) => one.run !== name).map(toRunOption)]}
          value={other ?? ''}
          onChoose={(before) => go(toHere({ before, test: undefined, request: undefined }))}
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
            onDeleted()
          }}
        >
          Its tests and what the archive keeps of them are deleted. This cannot be undone.
        </ConfirmButton>
      )}
    </>
  )
}

/** Runs and their tests. */
export function BoardView() {
  const { source } = useLive()
  const { params } = useAddress()
  const list = useResource<{ readonly runs: readonly BoardRun[] }>('/runs', ['state', 'test', 'run'])
  const runs = list.value?.runs ?? []
  const name = params.get('run') ?? runs[0]?.run
  const other = params.get('before') ?? undefined
  const run = useResource<RunWithTests>(toRunPath(name), ['test', 'run'])
  const before = useResource<RunWithTests>(toRunPath(other), [])
  const current = JSON.stringify(runs.find((one) => one.run === name))
  useEvery(list.reload, !source.isReadOnly)
  useEffect(() => {
    if (run.value !== undefined) run.reload()
  }, [current])
  const attempts = run.value?.tests
  const tests = useMemo(() => attempts && toRunTests(attempts), [attempts])
  const testsBefore = useMemo(() => before.value && toRunTests(before.value.tests), [before.value])
  const openId = params.get('test')
  const request = params.get('request')
  const open = tests?.find((test) => test.attempts.some(({ id }) => id === openId))
  const attempt = open?.attempts.find(({ id }) => id === openId)

  return (
    <>
      <ViewHead title="Tests">
        {name !== undefined && runs.length > 0 && (
          <Tools runs={runs} name={name} other={other} onDeleted={list.reload} />
        )}
      </ViewHead>
      <ErrorNotice error={list.error ?? run.error ?? before.error} />
      <div class="split" data-open={attempt === undefined ? undefined : ''}>
        <section class="list" aria-label="Run">
          {tests !== undefined && testsBefore !== undefined ? (
            <RunComparison before={testsBefore} now={tests} />
          ) : (
            tests !== undefined && <Tests run={name ?? ''} attempts={attempts ?? []} tests={tests} />
          )}
          {list.value !== undefined && runs.length === 0 && <NoRuns />}
        </section>
        {attempt !== undefined &&
          open !== undefined &&
          (request === null ? (
            <TestDetail key={attempt.id} test={open} attempt={attempt} />
          ) : (
            <RequestDetail
              key={request}
              id={request}
              session={attempt.id}
              page={source.session}
              back={<Link href={closeRequest()}>← {toTitle(attempt)}</Link>}
              onClose={() => go(closeRequest())}
            />
          ))}
      </div>
    </>
  )
}
