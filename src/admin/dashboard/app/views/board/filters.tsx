import { verdicts } from '../../../../../sessions/session-test.ts'
import { go, toHere } from '../../address.ts'
import { Button } from '../../parts/controls.tsx'
import { Select } from '../../parts/form.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Mark, numbers } from '../../parts/status.tsx'
import { countValues, filterTests, VERDICT_MARKS } from './tests.ts'
import type { RunTest, TestFilter } from './tests.ts'

/** The filter of an address. */
export const toTestFilter = (params: URLSearchParams): TestFilter => {
  const read = (name: string): string => params.get(name) ?? ''
  return {
    search: read('search'),
    result: read('result'),
    project: read('project'),
    file: read('file'),
    cause: read('cause'),
  }
}

/** The address without a filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  [...Object.keys(toTestFilter(new URLSearchParams())), 'since'].map((name) => [name, undefined]),
)

/** Changes the filter; what is open is closed. */
const filterBy = (values: Partial<TestFilter> & { readonly since?: string }): void =>
  go(toHere({ ...values, test: undefined, request: undefined }), 'replace')

const SELECTED = [
  ['project', 'Project', 'All projects'],
  ['file', 'File', 'All files'],
] as const

const order = new Intl.Collator('en', { numeric: true })

interface FilterProps {
  readonly tests: readonly RunTest[]
  readonly filter: TestFilter
}

interface TestFiltersProps extends FilterProps {
  /** The run since which failures are new; empty for all tests. */
  readonly since: string
  readonly earlier: readonly string[]
}

/** The results with their counts, and a choice for each value in which tests differ. */
export function TestFilters({ tests, filter, since, earlier }: TestFiltersProps) {
  const counts = new Map(countValues(tests, 'result'))
  return (
    <div class="line filters" role="group" aria-label="Filter tests">
      <SearchField
        label="Search tests"
        placeholder="Title, file, w2, scenario, error"
        value={filter.search}
        onSearch={(search) => filterBy({ search })}
      />
      <Button isSmall isPressed={filter.result === ''} onClick={() => filterBy({ result: '' })}>
        all {numbers.format(tests.length)}
      </Button>
      {verdicts
        .filter((verdict) => counts.has(verdict) || filter.result === verdict)
        .map((verdict) => {
          const isPressed = filter.result === verdict
          return (
            <Button
              key={verdict}
              isSmall
              isPressed={isPressed}
              onClick={() => filterBy({ result: isPressed ? '' : verdict })}
            >
              <Mark kind={VERDICT_MARKS[verdict]}>{verdict}</Mark> {numbers.format(counts.get(verdict) ?? 0)}
            </Button>
          )
        })}
      {earlier.length > 0 && (
        <Select
          aria-label="New since"
          value={since}
          options={[['', 'New since…'], ...earlier.map((run) => [run, `New since ${run}`] as const)]}
          onChoose={(run) => filterBy({ since: run })}
        />
      )}
      {SELECTED.map(([name, label, all]) => {
        const values = countValues(tests, name).toSorted(([a], [b]) => order.compare(a, b))
        return (
          values.length > 1 && (
            <Select
              key={name}
              aria-label={label}
              value={filter[name]}
              options={[
                ['', all],
                ...values.map(([value, count]) => [value, `${value || 'none'} (${count})`] as const),
              ]}
              onChoose={(value) => filterBy({ [name]: value })}
            />
          )
        )
      })}
    </div>
  )
}

/** `6 failed, 8 flaky`. */
export function toNotable(tests: readonly RunTest[]): string {
  const counts = new Map(countValues(tests, 'result'))
  return ['failed', 'interrupted', 'flaky']
    .filter((verdict) => counts.has(verdict))
    .map((verdict) => `${counts.get(verdict)} ${verdict}`)
    .join(', ')
}

/** The failures among the listed tests, grouped by their cause. */
export function Causes({ tests, filter }: FilterProps) {
  const failed = filterTests(tests, { ...filter, cause: '' }).filter(({ causeKey }) => causeKey !== '')
  if (failed.length === 0) return null
  return (
    <ul class="causes" aria-label="Causes of failures">
      {countValues(failed, 'cause').map(([cause]) => {
        const isPressed = filter.cause === cause
        return (
          <li key={cause}>
            <Button isSmall isPressed={isPressed} onClick={() => filterBy({ cause: isPressed ? '' : cause })}>
              <span>{cause}</span> <b>{toNotable(failed.filter(({ causeKey }) => causeKey === cause))}</b>
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
