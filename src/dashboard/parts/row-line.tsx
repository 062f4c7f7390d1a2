import { toReadable, toDurationText, toQuery } from '../row.ts'
import type { Row } from '../row.ts'
import { Method, Status, Time } from './status.tsx'

/** The columns of the list of requests. */
export const columns = ['Status', 'Method', 'Path', 'Operation', 'Notes', 'Session', 'Took', 'Time'] as const

interface RowLineProps {
  readonly row: Row
  readonly href: string
  readonly isOpen: boolean
  /** From 2: the head is the first row. */
  readonly index: number
}

/** A row of the list of requests. The script clones an empty one and fills it by the names in `data-f`. */
export const RowLine = ({ row, href, isOpen, index }: RowLineProps) => (
  <div role="row" class="row" aria-rowindex={index} data-id={row.id} data-open={isOpen ? '' : undefined}>
    <span role="cell" class="c-status" data-f="status">
      <Status status={row.status} />
    </span>
    <span role="cell" class="c-method" data-f="method">
      <Method method={row.method} />
    </span>
    <span role="cell" class="c-path">
      <a href={href} aria-current={isOpen ? 'true' : undefined}>
        <span data-f="path">{toReadable(row.target).split('?', 1)[0]}</span>
        <span class="query" data-f="query">
          {toQuery(toReadable(row.target))}
        </span>
      </a>
    </span>
    <span role="cell" class="c-operation" data-f="operation">
      {row.operation}
    </span>
    <span role="cell" class="c-notes">
      <span class="acted" data-f="scenarios">
        {row.scenarios.join(', ')}
      </span>
      <span class="warned" data-f="warnings">
        {row.warnings.map((warning) => warning.split(' ', 1)[0]).join(' ')}
      </span>
    </span>
    <span role="cell" class="c-session" data-f="session">
      {row.session}
    </span>
    <span role="cell" class="c-took" data-f="duration">
      {toDurationText(row.duration)}
    </span>
    <span role="cell" class="c-time" data-f="time">
      <Time at={row.time} />
    </span>
  </div>
)
