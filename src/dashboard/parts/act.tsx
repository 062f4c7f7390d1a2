import type { Child } from 'hono/jsx'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { toHere } from '../place.ts'
import type { Place } from '../place.ts'
import type { Step } from '../step.ts'

interface ActProps {
  readonly place: Place
  /** What is done by the admin API, in order. */
  readonly steps: readonly Step[]
  /** Whether its undo is offered beside the sentence that says it was done. */
  readonly canUndo?: boolean
  /** The sentence that says so. */
  readonly done: string
  /** Where it leads; default: back to where it was sent from. */
  readonly to?: string
  /** Whether it leads to what only a page that is loaded anew can show, such as another session. */
  readonly isLeaving?: boolean
  /** Whether the steps are done in every session. */
  readonly isEverywhere?: boolean
  readonly class?: string
  readonly id?: string
  readonly children?: Child
}

/** A form that changes something. It works by itself; the script only saves the page from loading anew. */
export const Act = ({
  place,
  steps,
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
    {steps.map((step) => (
      <input type="hidden" name="step" value={step} />
    ))}
    {canUndo && <input type="hidden" name="undo" value="yes" />}
    {isEverywhere && <input type="hidden" name="in" value={EVERY_SESSION} />}
    <input type="hidden" name="done" value={done} />
    {children}
  </form>
)
