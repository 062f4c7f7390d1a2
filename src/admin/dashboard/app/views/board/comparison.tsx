import { toHere } from '../../address.ts'
import { Link } from '../../parts/controls.tsx'
import { Empty } from '../../parts/layout.tsx'
import { Mark, toCountText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { compareRuns, toFirstOpened, toTitle, toVariant, VERDICTS } from './tests.ts'
import type { RunTest, TestDifference } from './tests.ts'

/** How many tests are listed; a table is not for more. */
const MOST_DIFFERENCES = 200

/** How a test went. */
export const VerdictOfTest = ({ test }: { readonly test: RunTest | undefined }) => {
  if (test === undefined) return <span class="quiet">not in this run</span>
  const [name, mark] = VERDICTS[test.verdict]
  return <Mark kind={mark}>{name}</Mark>
}

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

interface ComparisonProps {
  readonly before: readonly RunTest[]
  readonly now: readonly RunTest[]
}

/** The tests whose result, requests or retries differ between two runs. */
export function RunComparison({ before, now }: ComparisonProps) {
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
            cell: ({ test, now: is }) => (
              <span class="wrap">
                {is === undefined ? (
                  toTitle(test)
                ) : (
                  <Link href={toHere({ test: toFirstOpened(is).id })}>{toTitle(test)}</Link>
                )}
                {toVariant(test) !== '' && [' ', <span class="tag">{toVariant(test)}</span>]}
              </span>
            ),
          },
          { title: 'Before', cell: ({ before: was }) => <VerdictOfTest test={was} /> },
          { title: 'Now', cell: ({ now: is }) => <VerdictOfTest test={is} /> },
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
