import { useEffect, useRef } from 'hono/jsx/dom'
import { useKeys } from './controls.tsx'
import { Field, valueOf } from './form.tsx'

/** How long after the last key the search is applied, in milliseconds. */
const TYPING = 150

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Whether the key `/` focuses it. */
  readonly hasKey?: boolean
}

/** A search that is applied while the user types. */
export function SearchField({ label, placeholder, value, onSearch, hasKey = true }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useKeys(
    hasKey
      ? {
          '/': (event) => {
            event.preventDefault()
            input.current?.select()
            input.current?.focus()
          },
        }
      : {},
  )
  useEffect(() => {
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return (
    <search class="filter">
      <Field label={label}>
        {(props) => (
          <input
            {...props}
            ref={input}
            type="search"
            value={value}
            placeholder={placeholder}
            autocomplete="off"
            spellcheck={false}
            onInput={(event: Event) => {
              clearTimeout(timer.current ?? undefined)
              timer.current = setTimeout(() => onSearch(valueOf(event)), TYPING)
            }}
          />
        )}
      </Field>
      {hasKey && <kbd aria-hidden="true">/</kbd>}
    </search>
  )
}
