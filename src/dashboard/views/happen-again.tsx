import type { JournalEntry } from '../../journal/record.ts'
import { countHits, findAgainScenario, widths } from '../happen-again.ts'
import type { AgainScenario, Width } from '../happen-again.ts'
import { FIRST_ROWS, toCountText } from '../row.ts'
import { findEntry, readNewest } from '../rows.ts'
import type { ViewContext } from '../view-context.ts'

const AGAIN = 'Make this happen again'

const TITLES: Readonly<Record<Width, string>> = {
  operation: 'All requests of the operation',
  path: 'Those with the same path',
  request: 'Those with the same path, query and body',
}

/** A link from a request to a scenario that brings its response about again; none for a request that met no operation. */
export const AgainLink = ({ context, entry }: { readonly context: ViewContext; readonly entry: JournalEntry }) =>
  entry.operation !== undefined && (
    <p>
      <a class="button" href={`${context.place.toSession(entry.session, 'scenarios')}&again=${entry.id}#editor`}>
        {AGAIN}
      </a>
    </p>
  )

interface Again {
  /** What the editor is called. */
  readonly title: string
  readonly id: string
  readonly width: Width
  readonly scenario: AgainScenario
}

/** The scenario of the request that the address names. */
export function findAgain(context: ViewContext): Again | undefined {
  const id = context.param('again')
  const entry = id === '' ? undefined : findEntry(context, id)
  if (entry === undefined) return undefined
  const width = widths.find((one) => one === context.param('match')) ?? 'path'
  const scenario = findAgainScenario(entry, width)
  return scenario === undefined ? undefined : { title: AGAIN, id, width, scenario }
}

/** Which requests the scenario is about, and how many of the journal it would have hit. */
export const Hits = async ({ context, again }: { readonly context: ViewContext; readonly again: Again }) => {
  const { place, session } = context
  const { matches } = again.scenario
  const exchanges = session.journal.exchanges().slice(-FIRST_ROWS)
  const hits = await countHits(
    matches.map(({ match }) => match),
    readNewest(context, exchanges, FIRST_ROWS),
  )
  return (
    <nav aria-label="Requests that the scenario answers">
      <ul class="lines">
        {matches.map(({ width }, at) => (
          <li>
            <a
              class="line-name"
              href={`${place.to('scenarios', { again: again.id, match: width })}#editor`}
              aria-current={width === again.width ? 'true' : undefined}
            >
              {TITLES[width]}
            </a>
            <span>
              would have hit {toCountText(hits[at] ?? 0)} of {toCountText(exchanges.length)}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  )
}
