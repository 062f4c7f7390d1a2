import type { View, PageAddress } from '../place.ts'
import type { ViewContext } from '../view-context.ts'
import type { Child } from 'hono/jsx'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { toHere } from '../place.ts'
import type { AdminCall } from '../admin-call.ts'

interface ActProps {
  readonly place: PageAddress
  /** Calls of the admin API, made in order. */
  readonly calls: readonly AdminCall[]
  /** Whether the page offers an undo afterwards. */
  readonly canUndo?: boolean
  /** The sentence that the page shows afterwards. */
  readonly done: string
  /** Where it leads; default: back to the same page. */
  readonly to?: string | undefined
  /** Whether the page must be reloaded, for example for another session. */
  readonly isLeaving?: boolean
  /** Whether the calls are made in every session. */
  readonly isEverywhere?: boolean
  readonly class?: string
  readonly id?: string
  readonly children?: Child
}

/** A form that changes something. It works without JavaScript, which only saves a reload. */
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

interface ConfirmProps {
  readonly label: Child
  /** A sentence that says what is lost, unless the button does. */
  readonly loss?: string
  /** Whether it is a small button in a row. */
  readonly isSmall?: boolean
  readonly children?: Child
}

/** Says what would be lost, and asks before it is done. */
export const Confirm = ({ label, loss, isSmall = false, children }: ConfirmProps) => (
  <details class={isSmall ? 'ask ask-small' : 'ask'}>
    <summary class={isSmall ? 'button small' : 'button'}>{label}</summary>
    <div class="asked">
      {loss !== undefined && <p>{loss}</p>}
      {children}
    </div>
  </details>
)

interface SearchFieldsProps {
  readonly context: ViewContext
  readonly view: View
  readonly fields?: Readonly<Record<string, string>>
}

/** Hidden fields of a GET form that keep the view, the session and other parameters. */
export const SearchFields = ({ context: { param }, view, fields = {} }: SearchFieldsProps) => (
  <>
    {Object.entries({ view, session: param('session'), ...fields }).map(
      ([name, value]) => value !== '' && <input type="hidden" name={name} value={value} />,
    )}
  </>
)

/** The label of a button in a row; screen readers hear which row. */
export const SmallLabel = ({ text, name }: { readonly text: string; readonly name: string }) => (
  <>
    {text}
    <span class="sr"> {name}</span>
  </>
)
