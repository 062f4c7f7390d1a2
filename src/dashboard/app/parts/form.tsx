import type { Child } from 'hono/jsx'
import { useId } from 'hono/jsx/dom'
import { Failure } from './layout.tsx'

interface FieldProps {
  readonly label: string
  /** What to enter, in a few words. */
  readonly hint?: string
  readonly error?: string | undefined
  /** Renders the control; spread the given props on it. */
  readonly children: (props: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': 'true' | undefined
  }) => Child
}

/** A labelled control with its hint and error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = `${id}-note`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': hint === undefined && error === undefined ? undefined : note,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {(error ?? hint) !== undefined && (
        <small id={note} class={error === undefined ? 'quiet' : 'failure'}>
          {error ?? hint}
        </small>
      )}
    </div>
  )
}

interface FormProps {
  readonly onSubmit: () => void
  readonly error?: Error | string | undefined
  readonly children?: Child
}

/** A form that is handled by the script. Its error is shown above its buttons. */
export const Form = ({ onSubmit, error, children }: FormProps) => (
  <form
    class="form"
    onSubmit={(event: Event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    <Failure error={error} />
  </form>
)

/** The value of the control that an event comes from. */
export const valueOf = ({ target }: Event): string =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    ? target.value
    : ''
