import type { Child } from 'hono/jsx'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { toHere } from '../place.ts'
import type { Place } from '../place.ts'
import type { AdminCall } from '../admin-call.ts'

interface ActProps {
  readonly place: Place
  /** Calls of the admin API, made in order. */
  readonly calls: readonly AdminCall[]
  /** Whether its undo is offered beside the sentence that says it was done. */
  readonly canUndo?: boolean
  /** The sentence that says so. */
  readonly done: string
  /** Where it leads; default: back to where it was sent from. */
  readonly to?: string
  /** Whether the page must be reloaded, such as for another session. */
  readonly isLeaving?: boolean
  /** Whether the calls are made in every session. */
  readonly isEverywhere?: boolean
  readonly class?: string
  readonly id?: string
  readonly children?: Child
}

/** A form that changes something. It works without the script, which only saves a reload. */
export const Act = ({
  place,
  calls,
  canUndo = false,
  done,
  to,
  isLeaving = false,
  isEverywhere = false,
  class: name,
  id,
  children,
}: ActProps) => (
  <form
    method="post"
    action={to ?? toHere(place)}
    class={name}
    id={id}
    data-act={isLeaving ? undefined : true}
    data-once={canUndo ? true : undefined}
  >
    {calls.map((call) => (
      <input type="hidden" name="step" value={call} />
    ))}
    {canUndo && <input type="hidden" name="undo" value="yes" />}
    {isEverywhere && <input type="hidden" name="in" value={EVERY_SESSION} />}
    <input type="hidden" name="done" value={done} />
    {children}
  </form>
)
