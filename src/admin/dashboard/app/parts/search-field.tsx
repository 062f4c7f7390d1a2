import { useEffect, useId, useRef, useState } from 'hono/jsx/dom'
import { useKeys } from './controls.tsx'
import { TextField, valueOf } from './form.tsx'

/** How long after the last key the search is applied, in milliseconds. */
const SEARCH_DELAY = 200

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
  /** What is wrong with a text, which is then not searched for. */
  readonly findFault?: (text: string) => string | undefined
  /** What the word that is being typed may become. */
  readonly suggest?: (word: string) => readonly string[]
}

/** The word before the cursor. */
const findWord = ({ value, selectionStart }: HTMLInputElement): string =>
  /(?:[^\s"]|"[^"]*"?)*$/.exec(value.slice(0, selectionStart ?? value.length))?.[0] ?? ''

/** Whether a word is a field that still needs a value. */
const isField = (word: string): boolean => /[:=~<>]$/.test(word)

/**
 * A search that is applied while the user types, and by Enter at once. The key `/` focuses it. It may complete
 * words (ARIA's combobox).
 */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value, onSearch, findFault, suggest } = props
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [fault, setFault] = useState<string | undefined>(undefined)
  const [offered, setOffered] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(-1)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useKeys({
    '/': (event) => {
      event.preventDefault()
      input.current?.select()
      input.current?.focus()
    },
  })
  const search = (text: string): void => {
    clearTimeout(timer.current ?? undefined)
    const found = findFault?.(text)
    setFault(found)
    if (found === undefined) onSearch(text)
  }
  const offer = (words: readonly string[], at = -1): void => {
    setOffered(words)
    setChosen(at)
  }
  function complete(word: string): void {
    const field = input.current
    if (field === null) return
    const end = field.selectionStart ?? field.value.length
    // A field is followed by its value, a value by the next term.
    field.setRangeText(isField(word) ? word : `${word} `, end - findWord(field).length, end, 'end')
    offer(isField(word) ? (suggest?.(word) ?? []) : [])
    if (!isField(word)) search(field.value)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const word = offered[chosen]
    if (suggest !== undefined && by !== 0) {
      const words = offered.length > 0 || input.current === null ? offered : suggest(findWord(input.current))
      offer(words, (chosen + by + words.length + (chosen === -1 && by === -1 ? 1 : 0)) % words.length)
    } else if (key === 'Enter' || (key === 'Tab' && word !== undefined)) {
      if (word === undefined) {
        offer([])
        search(valueOf(event))
      } else complete(word)
    } else if (key === 'Escape') {
      // The keys of the page's list work again.
      if (offered.length === 0) document.querySelector<HTMLElement>('h1')?.focus()
      offer([])
    } else return
    event.preventDefault()
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
        {...(suggest !== undefined && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-controls': id,
          'aria-expanded': String(offered.length > 0),
          'aria-activedescendant': chosen === -1 ? undefined : `${id}-${chosen}`,
        })}
        onInput={(event: Event) => {
          const word = input.current === null ? '' : findWord(input.current)
          const words = word === '' ? [] : (suggest?.(word) ?? [])
          offer(words)
          clearTimeout(timer.current ?? undefined)
          // The name of a field is not a search yet.
          if (words.some(isField) || (words.length > 0 && isField(word))) return
          timer.current = setTimeout(() => search(valueOf(event)), SEARCH_DELAY)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => offer([])}
      />
      {suggest !== undefined && (
        <ul id={id} role="listbox" aria-label={`${label}: suggestions`} hidden={offered.length === 0}>
          {offered.map((word, at) => (
            <li
              key={word}
              id={`${id}-${at}`}
              role="option"
              aria-selected={String(at === chosen)}
              onPointerDown={(event: PointerEvent) => {
                // The focus stays in the field.
                event.preventDefault()
                complete(word)
              }}
            >
              {word}
            </li>
          ))}
        </ul>
      )}
      <kbd class="tag" aria-hidden="true">
        /
      </kbd>
    </search>
  )
}
