import { toHere } from '../../address.ts'
import { Link } from '../../parts/controls.tsx'
import { Empty } from '../../parts/layout.tsx'
import { Mark, toCountText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { compareRuns, toTestKind, toState } from './tests.ts'
import type { TestDifference, RunWithTests, BoardTest } from './tests.ts'

/** How many tests are listed; a table is not for more. */
const MOST_DIFFERENCES = 200

/** How a test went. */
export const OutcomeOfTest = ({ test }: { readonly test: BoardTest | undefined }) =>
  test === undefined ? <span class="quiet">not in this run</span> : <Mark kind={toTestKind(test)}>{toState(test)}</Mark>

const CountChanges = ({ row: { added, removed } }: { readonly row: TestDifference }) => (
  <ul>
    {added.map((text) => (
      <li key={text}>+ {text}</li>
    ))}
    {removed.map((text) => (
      <li key={text} class="quiet">
        − {text}
      </li>
    ))}
  </ul>
)

/** The tests whose outcome, requests or retries differ between two runs. */
export function RunComparison({ before, now }: { readonly before: RunWithTests; readonly now: RunWithTests }) {
  const rows = compareRuns(before, now)
  if (rows.length === 0) return <Empty title="No differences" />
  return (
    <div class="scroll">
      <DataTable
        label="Differences"
        rows={rows.slice(0, MOST_DIFFERENCES)}
        keyOf={({ key }) => key}
        columns={[
          {
            title: 'Test',
            track: 'minmax(160px, 1fr)',
            cell: ({ title, variant, now: is }) => (
              <span class="wrap">
                {is === undefined ? title : <Link href={toHere({ test: is.id })}>{title}</Link>}
                {variant !== undefined && [' ', <span class="tag">{variant}</span>]}
              </span>
            ),
          },
          { title: 'Before', cell: ({ before: was }) => <OutcomeOfTest test={was} /> },
          { title: 'Now', cell: ({ now: is }) => <OutcomeOfTest test={is} /> },
          { title: 'Requests and retries', track: 'minmax(220px, 1fr)', cell: (row) => <CountChanges row={row} /> },
        ]}
      />
      <p class="foot quiet">
        {toCountText(rows.length, 'test')} with differences
        {rows.length > MOST_DIFFERENCES && `, the first ${MOST_DIFFERENCES} of them listed`}
      </p>
    </div>
  )
}
