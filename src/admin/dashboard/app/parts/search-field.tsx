import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { useKeys } from './controls.tsx'
import { TextField, valueOf } from './form.tsx'

/** How long after the last key the search is applied, in milliseconds. */
const SEARCH_DELAY = 200

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Whether the key `/` focuses it. */
  readonly hasKey?: boolean
  /** What is wrong with a text, which is then not searched for. */
  readonly findFault?: (text: string) => string | undefined
}

/** A search that is applied while the user types, and by Enter at once. */
export function SearchField({ label, placeholder, value, onSearch, hasKey = true, findFault }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | undefined>(undefined)
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
  const search = (event: Event): void => {
    const found = findFault?.(valueOf(event))
    setFault(found)
    if (found === undefined) onSearch(valueOf(event))
  }
  useEffect(() => {
    // The value changed by a link or the history.
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return (
    <search class="filter">
      <TextField
        label={label}
        error={fault}
        ref={input}
        type="search"
        value={value}
        placeholder={placeholder}
        onInput={(event: Event) => {
          clearTimeout(timer.current ?? undefined)
          timer.current = setTimeout(() => search(event), SEARCH_DELAY)
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          clearTimeout(timer.current ?? undefined)
          event.preventDefault()
          if (event.key === 'Enter') search(event)
          else input.current?.blur()
        }}
      />
      {hasKey && (
        <kbd class="tag" aria-hidden="true">
          /
        </kbd>
      )}
    </search>
  )
}
