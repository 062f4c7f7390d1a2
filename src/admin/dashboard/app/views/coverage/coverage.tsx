import type { CoveragePart, CoverageReport } from '../../../../../sessions/journal/coverage-report.ts'
import { toHere, toView, useAddress } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Card, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { DataTable } from '../../parts/table.tsx'
import { switchScenario } from '../scenarios/scenario-data.ts'

const SHOWN_PARTS: readonly (readonly [CoveragePart, string])[] = [
  ['operations', 'Operations'],
  ['statuses', 'Statuses'],
  ['errors', 'Error codes'],
  ['scenarios', 'Scenarios'],
  ['recoveries', 'Recoveries'],
]

/** The texts of coverage-report.ts, which is not for browsers. */
const RECOVERIES: Readonly<Record<CoverageReport['recoveries'][number]['kind'], string>> = {
  unauthorized: '401, then a new token',
  conflict: '409, then sent again',
  rateLimited: '429, then resent after Retry-After',
  unavailable: '503, then sent again',
}

interface ItemProps {
  readonly name: string
  readonly met: number
  /** The filter for its requests; undefined if they are of several sessions. */
  readonly filter: string | undefined
  /** The scenario that causes it. */
  readonly cause?: string | undefined
  readonly onCause: (scenario: string) => void
}

/** What was met opens its requests; what was not offers the scenario that causes it. */
const CoverageItem = ({ name, met, filter, cause, onCause }: ItemProps) => {
  if (met > 0) {
    const content = (
      <>
        {name} <b>{met}</b>
      </>
    )
    return (
      <li class="tag met">
        {filter === undefined ? content : <Link href={toView('requests', { filter })}>{content}</Link>}
        <span class="sr"> times met</span>
      </li>
    )
  }
  return (
    <li class="tag">
      {cause === undefined ? (
        name
      ) : (
        <button type="button" title={`Switch ${cause} on`} onClick={() => onCause(cause)}>
          {name}
        </button>
      )}
      <span class="sr"> never met{cause !== undefined && `, switch ${cause} on to cause it`}</span>
    </li>
  )
}

/** Which parts of the contract the requests covered; what is missing can be caused with one click. */
export function CoverageView() {
  const { source } = useLive()
  const isAll = useAddress().params.get('from') === '*'
  const path = isAll ? '/coverage?session=*' : '/coverage'
  const { value, error } = useResource<CoverageReport>(path, ['request', 'state'])
  const action = useAction()

  const switchOn = (name: string): void =>
    void action.run(() => switchScenario(source, name, true), `${name} is on. Send the request again to meet it.`)
  const toItem = (name: string, met: number, filter: string, cause: string | undefined) => (
    <CoverageItem
      key={name}
      name={name}
      met={met}
      filter={isAll || source.isFile ? undefined : filter}
      cause={source.isReadOnly || isAll ? undefined : cause}
      onCause={switchOn}
    />
  )

  return (
    <>
      <ViewHead title="Coverage">
        {!source.isFile && (
          <>
            <Link class="button" href={toHere({ from: undefined })} aria-current={isAll ? undefined : 'true'}>
              This session
            </Link>
            <Link class="button" href={toHere({ from: '*' })} aria-current={isAll ? 'true' : undefined}>
              All sessions
            </Link>
          </>
        )}
        {!source.isReadOnly && (
          <ConfirmButton confirm="Clear coverage" done="Coverage cleared." act={() => source.send('DELETE', path)}>
            Counting starts again{isAll ? ' in all sessions' : ''}. This cannot be undone.
          </ConfirmButton>
        )}
      </ViewHead>
      <ErrorNotice error={error ?? action.error} />
      {value !== undefined && (
        <>
          <Card title={`${value.summary.percent} % – ${value.summary.met} of ${value.summary.of}`}>
            <ul class="stack shares">
              {SHOWN_PARTS.map(([part, title]) => (
                <li key={part}>
                  <span>{title}</span>
                  <progress value={value.summary[part].met} max={value.summary[part].of} aria-label={title} />
                  <span class="quiet">
                    {value.summary[part].met} of {value.summary[part].of}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
          <Card isFlush>
            <DataTable
              label="Operations"
              rows={value.operations}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Operation',

                  cell: ({ id }) =>
                    source.isFile || id === 'token' ? (
                      id
                    ) : (
                      <Link href={toView('contract', { operation: id })}>{id}</Link>
                    ),
                },
                { title: 'Requests', isNumber: true, cell: ({ met }) => met },
                {
                  title: 'Statuses',
                  track: 'minmax(0, 2fr)',
                  cell: ({ id, statuses }) => (
                    <ul class="items">
                      {statuses.map(({ status, met, scenario }) =>
                        toItem(String(status), met, `operation:${id} status:${status}`, scenario),
                      )}
                    </ul>
                  ),
                },
                {
                  title: 'Error codes',
                  track: 'minmax(0, 3fr)',
                  cell: ({ id, errors }) => (
                    <ul class="items">
                      {errors.map(({ code, met, scenario }) =>
                        toItem(code, met, `operation:${id} body~"${code}"`, scenario),
                      )}
                    </ul>
                  ),
                },
              ]}
            />
          </Card>
          <Card title="Scenarios">
            <ul class="items">{value.scenarios.map(({ name, met }) => toItem(name, met, `scenario:${name}`, name))}</ul>
          </Card>
          <Card title="Recoveries">
            <ul class="stack shares">
              {value.recoveries.map(({ kind, failed, recovered }) => (
                <li key={kind}>
                  <span>{RECOVERIES[kind]}</span>
                  <span class={recovered === 0 ? 'quiet' : undefined}>
                    {recovered} of {failed} recovered
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </>
  )
}
