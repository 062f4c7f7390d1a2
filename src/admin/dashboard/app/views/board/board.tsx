import { useEffect, useLayoutEffect, useMemo, useState } from 'hono/jsx/dom'
import { go, toHere, useAddress } from '../../address.ts'
import { useEvery, useHeld, useLive, useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Select } from '../../parts/form.tsx'
import { Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { ShareButton } from '../../parts/share.tsx'
import { Mark, toCountText, toDurationText } from '../../parts/status.tsx'
import { sortBy, useListKeys, VirtualList } from '../../parts/virtual-list.tsx'
import type { ListColumn } from '../../parts/virtual-list.tsx'
import { RequestDetail } from '../requests/detail.tsx'
import { Causes, NO_FILTER, TestFilters, toNotable, toTestFilter } from './filters.tsx'
import { TestDetail } from './test-detail.tsx'
import {
  countSharedTitles,
  filterTests,
  isNewIn,
  sortTests,
  toCommand,
  toFirstOpened,
  toPastText,
  toRunTests,
  toTitle,
  toVariant,
  toVerdicts,
  VERDICT_MARKS,
} from './tests.ts'
import type { BoardRun, RunTest, RunWithTests, Verdicts } from './tests.ts'

/** How many earlier runs say whether a failure is new. */
const EARLIER_RUNS = 4

/** The height of a row: a title, and below it why the test failed. */
const TEST_HEIGHT = 44

interface NameProps {
  readonly test: RunTest
  readonly isOpen: boolean
  /** How many suites are left out, since all tests are in them. */
  readonly shared: number
  readonly past: string | undefined
}

/** The title of a test, and below it why it failed. */
const TitleOfTest = ({ test, isOpen, shared, past }: NameProps) => {
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
      {cause !== '' && (
        <span class="why-failed">
          {past !== undefined && <span class="tag past">{past}</span>}
          <span>{cause}</span>
        </span>
      )}
    </>
  )
}

interface TestsProps {
  readonly run: string
  readonly tests: readonly RunTest[]
  /** The names of earlier runs, the newest first, and how their tests went. */
  readonly earlier: readonly (readonly [name: string, verdicts: Verdicts])[]
}

/** The tests of a run. */
function Tests({ run, tests, earlier }: TestsProps) {
  const { params } = useAddress()
  const openId = params.get('test') ?? undefined
  const filter = toTestFilter(params)
  const [sort, since] = [params.get('sort') ?? '', params.get('since') ?? '']
  const wanted = JSON.stringify([filter, sort, since])
  const before = earlier.find(([name]) => name === since)?.[1]
  const found = useMemo(() => {
    const all = sortTests(filterTests(tests, filter), sort)
    return before === undefined ? all : all.filter((test) => isNewIn(test, before))
  }, [tests, wanted, before])
  const { value: rows, holdProps } = useHeld(found, `${run}\n${wanted}`)
  const openAt = rows.findIndex((test) => test.attempts.some(({ id }) => id === openId))
  useListKeys(rows, openAt, (test) =>
    test === undefined && params.has('request')
      ? toHere({ request: undefined })
      : toHere({ test: test && toFirstOpened(test).id, request: undefined }),
  )
  const shared = countSharedTitles(tests)
  const suites = tests[0]?.last.title.slice(0, shared) ?? []
  const notable = toNotable(found)
  const failed = found.filter(({ cause }) => cause !== '')
  const columns: readonly ListColumn<RunTest>[] = [
    {
      title: 'Result',
      track: '88px',
      sort: sortBy('result', sort),
      cell: ({ verdict }) => <Mark kind={VERDICT_MARKS[verdict]}>{verdict}</Mark>,
    },
    {
      title: 'Test',
      track: 'minmax(0, 1fr)',
      sort: sortBy('test', sort),
      cell: (test) => (
        <TitleOfTest
          test={test}
          isOpen={test === rows[openAt]}
          shared={shared}
          past={toPastText(
            test,
            earlier.map(([, verdicts]) => verdicts),
          )}
        />
      ),
    },
    { title: 'Scenarios', track: '130px', from: 1000, cell: ({ last }) => last.scenarios.join(', ') },
    { title: 'Worker', track: '52px', from: 760, cell: ({ last: { worker = 0 } }) => `w${worker}` },
    {
      title: 'Requests',
      track: '76px',
      from: 480,
      isNumber: true,
      sort: sortBy('requests', sort),
      cell: ({ last }) => last.requests,
    },
    {
      title: 'Took',
      track: '64px',
      from: 480,
      isNumber: true,
      sort: sortBy('took', sort),
      cell: ({ last: { duration } }) => (duration === undefined ? '' : toDurationText(duration)),
    },
  ]
  return (
    <>
      <div class="choices">
        <TestFilters tests={tests} filter={filter} since={since} earlier={earlier.map(([name]) => name)} />
        <Causes tests={before === undefined ? tests : tests.filter((test) => isNewIn(test, before))} filter={filter} />
      </div>
      <VirtualList
        label="Tests"
        class="tests"
        rows={rows}
        keyOf={({ key }) => key}
        columns={columns}
        openKey={rows[openAt]?.key}
        rowHeight={TEST_HEIGHT}
        listProps={holdProps}
      />
      {found.length === 0 && (
        <Empty title="No test matches the filter">
          <Link class="button" href={toHere(NO_FILTER)}>
            Show all tests
          </Link>
        </Empty>
      )}
      <div class="foot quiet line">
        <span>
          {found.length === tests.length ? '' : `${found.length} of `}
          {toCountText(tests.length, 'test')}
          {notable !== '' && `, ${notable}`}
          {suites.length > 0 && ` · all in ${suites.join(' › ')}`}
        </span>
        {failed.length > 0 && (
          <div class="tools">
            <CopyButton
              label="Copy the command that runs the failed tests again"
              text={toCommand(failed)}
              done="Command copied."
            >
              Run again
            </CopyButton>
          </div>
        )}
      </div>
    </>
  )
}

/** When a run started, and how it went, for the choice of a run. */
function toRunOption({ run, startedAt, counts }: BoardRun): readonly [string, string] {
  const notable = (['failed', 'interrupted', 'flaky'] as const)
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`)
    .join(', ')
  const name = run.startsWith(startedAt.slice(0, 10)) ? run.slice(0, 19).replace('T', ' ') : run
  return [run, `${name} – ${notable === '' ? toCountText(counts.tests, 'test') : `${notable} of ${counts.tests}`}`]
}

/** How the tests of runs went, the newest first. Loaded one after the other. */
function useEarlier(names: readonly string[]): TestsProps['earlier'] {
  const { source } = useLive()
  const [earlier, setEarlier] = useState<TestsProps['earlier']>([])
  useLayoutEffect(() => {
    let isWanted = true
    async function load(): Promise<void> {
      const known: (readonly [string, Verdicts])[] = []
      for (const name of names) {
        // oxlint-disable-next-line no-await-in-loop -- the newest matters most
        const text = await source.readText(toRunPath(name)).catch(() => undefined)
        if (!isWanted) return
        if (text === undefined) continue
        known.push([name, toVerdicts(toRunTests((JSON.parse(text) as RunWithTests).tests))])
        setEarlier([...known])
      }
    }
    setEarlier([])
    void load()
    return () => {
      isWanted = false
    }
  }, [names.join('\n')])
  return earlier
}

const NoRuns = () => (
  <Empty title="No tests yet">
    <p>
      Tests that use <code>resource-mock/playwright</code> appear here with what the mock saw of them. Other runners
      report their tests with <code>session.test</code>.
    </p>
  </Empty>
)

const toRunPath = (run: string): string => `/runs/${encodeURIComponent(run)}`

const closeRequest = (): string => toHere({ request: undefined, compare: undefined })

const select = (run: string): void => go(toHere({ ...NO_FILTER, run, test: undefined, request: undefined }))

interface ToolsProps {
  readonly runs: readonly BoardRun[]
  readonly name: string
  readonly onDeleted: () => void
}

const Tools = ({ runs, name, onDeleted }: ToolsProps) => {
  const { source } = useLive()
  return (
    <>
      <Select aria-label="Run" options={runs.map(toRunOption)} value={name} onChoose={select} />
      <ShareButton name={name} query={`run=${encodeURIComponent(name)}`} />
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
  const run = useResource<RunWithTests>(name === undefined ? undefined : toRunPath(name), ['test', 'run'])
  const at = runs.findIndex((one) => one.run === name)
  const current = JSON.stringify(runs[at])
  const earlier = useEarlier(at === -1 ? [] : runs.slice(at + 1, at + 1 + EARLIER_RUNS).map((one) => one.run))
  useEvery(list.reload, !source.isReadOnly)
  useEffect(() => {
    if (run.value !== undefined) run.reload()
  }, [current])
  const attempts = run.value?.tests
  const tests = useMemo(() => attempts && toRunTests(attempts), [attempts])
  const openId = params.get('test')
  const request = params.get('request')
  const open = tests?.find((test) => test.attempts.some(({ id }) => id === openId))
  const attempt = open?.attempts.find(({ id }) => id === openId)

  return (
    <>
      <ViewHead title="Tests">
        {name !== undefined && runs.length > 0 && <Tools runs={runs} name={name} onDeleted={list.reload} />}
      </ViewHead>
      <ErrorNotice error={list.error ?? run.error} />
      <div class="split" data-open={attempt === undefined ? undefined : ''}>
        <section class="list" aria-label="Run">
          {tests !== undefined && <Tests run={name ?? ''} tests={tests} earlier={earlier} />}
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
