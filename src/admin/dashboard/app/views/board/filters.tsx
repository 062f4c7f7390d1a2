import { verdicts } from '../../../../../sessions/session-test.ts'
import { go, toHere } from '../../address.ts'
import { Button } from '../../parts/controls.tsx'
import { Select } from '../../parts/form.tsx'
import { Mark, numbers, toCountText } from '../../parts/status.tsx'
import { countValues, filterTests, VERDICTS } from './tests.ts'
import type { RunTest, TestFilter } from './tests.ts'

/** The filter of an address. */
export const toTestFilter = (params: URLSearchParams): TestFilter => {
  const read = (name: string): string => params.get(name) ?? ''
  return {
    search: read('search'),
    result: read('result'),
    project: read('project'),
    file: read('file'),
    worker: read('worker'),
    cause: read('cause'),
  }
}

/** The address without a filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  Object.keys(toTestFilter(new URLSearchParams())).map((name) => [name, undefined]),
)

/** Changes the filter; what is open is closed. */
export const filterBy = (values: Partial<TestFilter>): void =>
  go(toHere({ ...values, test: undefined, request: undefined }), 'replace')

const SELECTED = [
  ['project', 'Project', 'All projects'],
  ['file', 'File', 'All files'],
  ['worker', 'Worker', 'All workers'],
] as const

const order = new Intl.Collator('en', { numeric: true })

interface FilterProps {
  readonly tests: readonly RunTest[]
  readonly filter: TestFilter
}

/** The results with their counts, and a choice for each value in which tests differ. */
export function TestFilters({ tests, filter }: FilterProps) {
  const counts = new Map(countValues(tests, 'result'))
  return (
    <div class="line filters" role="group" aria-label="Filter tests">
      <Button isSmall isPressed={filter.result === ''} onClick={() => filterBy({ result: '' })}>
        all {numbers.format(tests.length)}
      </Button>
      {verdicts
        .filter((verdict) => counts.has(verdict) || filter.result === verdict)
        .map((verdict) => {
          const [name, mark] = VERDICTS[verdict]
          const isPressed = filter.result === verdict
          return (
            <Button
              key={verdict}
              isSmall
              isPressed={isPressed}
              onClick={() => filterBy({ result: isPressed ? '' : verdict })}
            >
              <Mark kind={mark}>{name}</Mark> {numbers.format(counts.get(verdict) ?? 0)}
            </Button>
          )
        })}
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

/** The failures among the listed tests, grouped by their cause. */
export function Causes({ tests, filter }: FilterProps) {
  const failed = filterTests(tests, { ...filter, cause: '' }).filter(({ causeKey }) => causeKey !== '')
  const causes = countValues(failed, 'cause')
  if (causes.length === 0) return null
  return (
    <ul class="causes" aria-label="Causes of failures">
      {causes.map(([cause, count]) => {
        const isPressed = filter.cause === cause
        return (
          <li key={cause}>
            <Button isSmall isPressed={isPressed} onClick={() => filterBy({ cause: isPressed ? '' : cause })}>
              <span>{cause}</span> <b>{toCountText(count, 'test')}</b>
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
