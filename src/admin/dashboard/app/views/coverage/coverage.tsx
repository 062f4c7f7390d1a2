import type { CoveragePart, CoverageReport } from '../../../../../sessions/journal/coverage-report.ts'
import { go, toHere, toView, useAddress } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Json } from '../../parts/json.tsx'
import { Card, Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { Method, numbers, toCountText } from '../../parts/status.tsx'
import { switchScenario } from '../scenarios/scenario-data.ts'
import { listSentOperations } from '../send/draft.ts'
import type { SentOperation } from '../send/draft.ts'

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

interface Item {
  readonly name: string
  readonly met: number
  /** The filter for its requests. */
  readonly filter: string
  /** The scenario that causes it. */
  readonly scenario?: string | undefined
}

interface ItemsProps {
  readonly items: readonly Item[]
  /** Whether the requests of an item can be shown: not if they are of several sessions. */
  readonly hasRequests: boolean
  /** Undefined if nothing can be switched on. */
  readonly onCause?: ((scenario: string) => void) | undefined
}

/** What was met opens its requests; what was not offers the scenario that causes it. */
const CoverageItems = ({ items, hasRequests, onCause }: ItemsProps) => (
  <ul class="items">
    {items.map(({ name, met, filter, scenario }) => {
      const content = met === 0 ? name : [name, ' ', <b>{numbers.format(met)}</b>]
      const cause = met === 0 && onCause !== undefined ? scenario : undefined
      return (
        <li key={name} class={met > 0 ? 'tag met' : 'tag'}>
          {met > 0 && hasRequests ? (
            <Link href={toView('requests', { filter })}>{content}</Link>
          ) : cause !== undefined ? (
            <button type="button" title={`Switch ${cause} on`} onClick={() => onCause?.(cause)}>
              {content}
            </button>
          ) : (
            content
          )}
          <span class="sr">
            {met > 0 ? ' times met' : cause === undefined ? ' never met' : ` never met, switch ${cause} on to cause it`}
          </span>
        </li>
      )
    })}
  </ul>
)

interface OperationProps {
  readonly id: string
  readonly met: number
  /** From the contract, which a file does not have; the token endpoints are not in it. */
  readonly contract: SentOperation | undefined
  readonly path: string
  /** How many requests had no response, because their clients left. */
  readonly clientLeft: number
  readonly statuses: readonly Item[]
  readonly errors: readonly Item[]
  readonly isOpen: boolean
  readonly toItems: (items: readonly Item[]) => ReturnType<typeof CoverageItems>
}

/** An operation: in a line, how much of it was met; below, its contract with what was met of it. */
function Operation({ id, met, clientLeft, contract, path, statuses, errors, isOpen, toItems }: OperationProps) {
  const { source } = useLive()
  const all = [...statuses, ...errors]
  const parameters = contract?.parameters ?? []
  return (
    <details class="operation" open={isOpen}>
      <summary>
        <Method method={contract?.method ?? (id === 'token' ? 'POST' : '')} />
        <b>{id}</b>
        <code class="clip" title={contract?.path}>
          {path}
        </code>
        <span class="glance" aria-hidden="true">
          {statuses.map((one) => (
            <span class={one.met > 0 ? 'met' : undefined}>{one.name}</span>
          ))}
        </span>
        <span class="number">
          {numbers.format(met)}
          <span class="sr"> requests</span>
        </span>
        <span class="number quiet">
          {all.filter((one) => one.met > 0).length} of {all.length}
        </span>
      </summary>
      <div class="stack">
        {contract !== undefined && (
          <p class="line">
            <span class="quiet">
              {contract.scopes.length === 0 ? 'Any token' : `Scope ${contract.scopes.join(' or ')}`}
            </span>
            {!source.isReadOnly && (
              <Link class="button small" href={toView('send', { operation: id })}>
                Try it<span class="sr"> {id}</span>
              </Link>
            )}
          </p>
        )}
        {clientLeft > 0 && (
          <p class="line">
            <Link href={toView('requests', { filter: `operation:${id} client:left` })}>
              {toCountText(clientLeft, 'request')}
            </Link>{' '}
            <span class="quiet">without a response: the client left before</span>
          </p>
        )}
        {statuses.length > 0 && <h3>Statuses</h3>}
        {toItems(statuses)}
        {errors.length > 0 && <h3>Error codes</h3>}
        {toItems(errors)}
        {parameters.length > 0 && <h3>Parameters</h3>}
        <dl>
          {parameters.map(({ name, place, isRequired, description }) => (
            <div key={`${place} ${name}`}>
              <dt>
                <code>{name}</code> <span class="quiet">{isRequired ? `${place}, required` : place}</span>
              </dt>
              <dd class="quiet">{description}</dd>
            </div>
          ))}
        </dl>
        {contract !== undefined && contract.body !== '' && (
          <>
            <h3>Body</h3>
            <Json text={contract.body} label={`Example body of ${id}`} />
          </>
        )}
      </div>
    </details>
  )
}

/** The start that all paths have in common, up to a slash. */
function findPrefix([first = '', ...others]: readonly string[]): string {
  let prefix = first
  while (!others.every((path) => path.startsWith(prefix))) prefix = prefix.slice(0, prefix.lastIndexOf('/'))
  return prefix
}

/** The contract, and which of its parts the requests met; what is missing can be caused with one click. */
export function CoverageView() {
  const { source } = useLive()
  const { params } = useAddress()
  const [isAll, isMissing] = [params.get('from') === '*', params.has('missing')]
  const path = isAll ? '/coverage?session=*' : '/coverage'
  const { value, error } = useResource<CoverageReport>(path, ['request', 'state'])
  const contract = useResource(source.isFile ? undefined : '/openapi.json', [], listSentOperations).value ?? []
  const action = useAction()
  const prefix = findPrefix(contract.map((one) => one.path))
  const select = (items: readonly Item[]) => (isMissing ? items.filter(({ met }) => met === 0) : items)
  const toItems = (items: readonly Item[]) => (
    <CoverageItems
      items={items}
      hasRequests={!isAll && !source.isFile}
      onCause={
        source.isReadOnly || isAll
          ? undefined
          : (name) =>
              void action.run(
                () => switchScenario(source, name, true),
                `${name} is on. Send the request again to meet it.`,
              )
      }
    />
  )
  const operations = (value?.operations ?? [])
    .map(({ id, met, clientLeft = 0, statuses, errors }) => ({
      id,
      met,
      clientLeft,
      contract: contract.find((one) => one.id === id),
      statuses: select(
        statuses.map(({ status, ...one }) => ({
          ...one,
          name: String(status),
          filter: `operation:${id} status:${status}`,
        })),
      ),
      errors: select(
        errors.map(({ code, ...one }) => ({ ...one, name: code, filter: `operation:${id} body~"${code}"` })),
      ),
    }))
    .filter(({ statuses, errors }) => statuses.length + errors.length > 0)
  const scenarios = select(
    (value?.scenarios ?? []).map(({ name, met }) => ({ name, met, filter: `scenario:${name}`, scenario: name })),
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
            <a class="button" href={source.toUrl('/openapi.json')} download="openapi.json">
              OpenAPI
            </a>
          </>
        )}
        <Button
          isPressed={isMissing}
          onClick={() => go(toHere({ missing: isMissing ? undefined : 'true' }), 'replace')}
        >
          Only missing
        </Button>
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
            <ul class="shares">
              {SHOWN_PARTS.map(([part, title]) => (
                <li key={part}>
                  {title}{' '}
                  <span class="quiet">
                    {value.summary[part].met} of {value.summary[part].of}
                  </span>
                  <progress value={value.summary[part].met} max={value.summary[part].of} aria-label={title} />
                </li>
              ))}
            </ul>
          </Card>
          <Card isFlush title="Operations">
            <p class="legend quiet">
              {prefix !== '' && (
                <>
                  Paths without <code>{prefix}</code>.{' '}
                </>
              )}
              <span class="tag met">200 4</span> met 4 times <span class="tag">400</span> never met{' '}
              <span class="tag causable">503</span> never met: click to switch on a scenario that causes it
            </p>
            {operations.map((one) => (
              <Operation
                key={one.id}
                {...one}
                path={one.contract === undefined ? '' : one.contract.path.slice(prefix.length) || '/'}
                isOpen={params.get('operation') === one.id}
                toItems={toItems}
              />
            ))}
            {operations.length === 0 && <Empty title="Everything was met" />}
          </Card>
          {scenarios.length > 0 && <Card title="Scenarios">{toItems(scenarios)}</Card>}
          <Card title="Recoveries">
            <ul class="shares">
              {value.recoveries.map(({ kind, failed, recovered }) => (
                <li key={kind}>
                  {RECOVERIES[kind]}{' '}
                  <span class="quiet">
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
