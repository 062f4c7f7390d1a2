import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import { useId } from 'hono/jsx/dom'
import { ErrorNotice } from './layout.tsx'

interface FieldProps {
  readonly label: string
  /** What to enter, in a few words. */
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** Renders the control; spread the given props on it. */
  readonly children: (props: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': 'true' | undefined
  }) => Child
}

/** A labelled control with its hint and error. */
export function FormField({ label, hint, error, children }: FieldProps) {
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
        <small id={note} class={error === undefined ? 'quiet' : 'bad'}>
          {error ?? hint}
        </small>
      )}
    </div>
  )
}

type TextFieldProps = Omit<FieldProps, 'children'> & Omit<JSX.IntrinsicElements['input'], 'children'>

/** A labelled input, without the suggestions of the browser. */
export const TextField = ({ label, hint, error, ...input }: TextFieldProps) => (
  <FormField label={label} hint={hint} error={error}>
    {(field) => <input {...field} autocomplete="off" spellcheck={false} {...input} />}
  </FormField>
)

interface SelectProps {
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly value: string
  readonly onChoose?: (value: string) => void
  readonly id?: string
  readonly name?: string
  readonly 'aria-label'?: string
}

/** A select; its label is that of its FormField, or `aria-label`. */
export const Select = ({ options, value, onChoose, ...props }: SelectProps) => (
  <select {...props} onChange={(event: Event) => onChoose?.(valueOf(event))}>
    {options.map(([one, text]) => (
      <option key={one} value={one} selected={one === value}>
        {text}
      </option>
    ))}
  </select>
)

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
    <ErrorNotice error={error} />
  </form>
)

/** The value of the control that an event comes from. */
export const valueOf = ({ target }: Event): string =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    ? target.value
    : ''
