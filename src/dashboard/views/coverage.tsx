import type { Child } from 'hono/jsx'
import { toCoverageReport, COVERAGE_PARTS, RECOVERY_TEXTS } from '../../journal/coverage-report.ts'
import type { CoverageReport, Share, CoveragePart } from '../../journal/coverage-report.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { Act, Confirm } from '../parts/act.tsx'
import type { ViewContext } from '../view-context.ts'

const isAll = ({ param }: ViewContext): boolean => param('from') === EVERY_SESSION

/** One of the list, and how often it was met. */
const Met = ({ name, met }: { readonly name: string | number; readonly met: number }) => (
  <li data-met={met > 0 ? '' : undefined} title={met === 0 ? 'Never met' : `Met ${met} times`}>
    {name} <span class="sr">{met === 0 ? 'never met' : 'met'}</span>
    {met > 0 && <b>{met}</b>}
  </li>
)

const MetList = ({ children }: { readonly children: Child }) => <ul class="met">{children}</ul>

const Line = ({ title, share: { met, of } }: { readonly title: string; readonly share: Share }) => (
  <li>
    <span class="line-name">{title}</span>
    <progress value={met} max={of} aria-label={title} />
    <span class="number">
      {met} of {of}
    </span>
  </li>
)

const Summary = ({ report: { summary } }: { readonly report: CoverageReport }) => (
  <section class="card stack-wide" aria-label="Summary">
    <h2>
      {summary.percent} % – {summary.met} of {summary.of}
    </h2>
    <ul class="lines">
      {(Object.entries(COVERAGE_PARTS) as [CoveragePart, string][]).map(([part, title]) => (
        <Line title={title} share={summary[part]} />
      ))}
    </ul>
  </section>
)

const Operations = ({ context, report }: { readonly context: ViewContext; readonly report: CoverageReport }) => (
  <div class="card flush scroll" tabindex={0} role="region" aria-label="Operations">
    <table>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col" class="number">
            Requests
          </th>
          <th scope="col">Statuses</th>
          <th scope="col">Error codes</th>
        </tr>
      </thead>
      <tbody>
        {report.operations.map(({ id, met, statuses, errors }) => (
          <tr>
            <th scope="row">
              <a href={context.place.to('contract', { operation: id })}>{id}</a>
            </th>
            <td class="number">{met}</td>
            <td>
              <MetList>
                {statuses.map(({ status, met: count }) => (
                  <Met name={status} met={count} />
                ))}
              </MetList>
            </td>
            <td>
              <MetList>
                {errors.map(({ code, met: count }) => (
                  <Met name={code} met={count} />
                ))}
              </MetList>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Rest = ({ report: { scenarios, recoveries } }: { readonly report: CoverageReport }) => (
  <>
    <section class="card stack-wide" aria-label="Scenarios">
      <h2>Scenarios</h2>
      <MetList>
        {scenarios.map(({ name, met }) => (
          <Met name={name} met={met} />
        ))}
      </MetList>
    </section>
    <section class="card stack-wide" aria-label="Recoveries">
      <h2>Recoveries</h2>
      <ul class="lines">
        {recoveries.map(({ kind, failed, recovered }) => (
          <li>
            <span class="line-name">{RECOVERY_TEXTS[kind]}</span>
            <span class={recovered === 0 ? 'quiet' : undefined}>
              {recovered} of {failed} recovered
            </span>
          </li>
        ))}
      </ul>
    </section>
  </>
)

/** What of the contract the requests have met, and what never. */
export const CoverageView = async ({ context }: { readonly context: ViewContext }) => {
  const { place, session, parts } = context
  const all = isAll(context)
  const counts = await (all ? parts.coverage : session.coverage).read()
  const report = toCoverageReport(counts, parts.catalog.all())
  return (
    <>
      <div class="head-line">
        <h1>Coverage</h1>
        <div class="tools">
          <a class="button" href={place.to('coverage')} aria-current={all ? undefined : 'true'}>
            This session
          </a>
          <a
            class="button"
            href={place.to('coverage', { from: EVERY_SESSION })}
            aria-current={all ? 'true' : undefined}
          >
            All sessions
          </a>
          <Confirm label="Clear" loss="Counting starts again. This cannot be undone.">
            <Act
              place={place}
              calls={[all ? `DELETE /coverage?session=${EVERY_SESSION}` : 'DELETE /coverage']}
              done="Coverage cleared."
            >
              <button class="button danger">Clear now</button>
            </Act>
          </Confirm>
        </div>
      </div>
      <p class="lead">
        What of the contract the requests have met, and what never. Each operation, status, error code, scenario and
        recovery counts once.
      </p>
      <div id="coverage" class="stack-wide" data-live>
        <Summary report={report} />
        <Operations context={context} report={report} />
        <Rest report={report} />
      </div>
    </>
  )
}
