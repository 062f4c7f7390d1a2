import type { Child } from 'hono/jsx'
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { useUnsaved } from '../address.ts'
import { ApiError } from '../api.ts'
import { useAction } from '../live.ts'
import { Button } from './controls.tsx'
import { Diff } from './diff.tsx'
import { FormField, Form, valueOf } from './form.tsx'
import { Notice } from './layout.tsx'

/** How long after the last key the text is checked, in milliseconds. */
const CHECK_DELAY = 300

/** The line of an error, with a caret under its position. */
export function toPositionExcerpt(text: string, { line, column }: NonNullable<ApiError['position']>): string {
  // A long line shows what surrounds the position.
  const start = Math.max(0, column - 60)
  const shown = (text.split('\n')[line - 1] ?? '').slice(start, column + 40)
  return `${shown}\n${' '.repeat(Math.max(0, column - 1 - start))}^`
}

/** The index of a line and column in a text. */
const toIndex = (text: string, { line, column }: NonNullable<ApiError['position']>): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, column - 1)

interface EditorProps {
  readonly label: string
  /** The stored text, as last loaded; empty if there is none. */
  readonly saved: string
  /** What a new text starts with. */
  readonly first?: string
  /** Reads the stored text again. */
  readonly load: () => Promise<string>
  /**
   * Stores a text.
   *
   * @param before the text that it replaces
   * @param isOverwrite whether someone else wrote that text, and the user chose to replace it
   */
  readonly save: (text: string, before: string, isOverwrite: boolean) => Promise<unknown>
  readonly done: string
  /** Rejects with an ApiError if the text is not valid. */
  readonly check?: (text: string) => Promise<unknown>
  readonly onSaved?: () => void
  /** Further buttons. */
  readonly children?: Child
}

/**
 * Edits a stored text. It follows the stored text until the user types. If someone else stores another one meanwhile, both
 * are shown.
 */
export function Editor(props: EditorProps) {
  const { label, saved, first = '', load, save, done, check, onSaved, children } = props
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: string } | undefined>(undefined)
  /** Newer than `saved`. */
  const [fresh, setFresh] = useState<string | undefined>(undefined)
  const [invalid, setInvalid] = useState<Error | undefined>(undefined)
  const { run, isBusy, error } = useAction()
  const area = useRef<HTMLTextAreaElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const typed = useRef('')
  const current = fresh ?? saved
  const text = draft?.text ?? (current === '' ? first : current)
  const isConflict = draft !== undefined && draft.base !== current
  const failure = invalid ?? (error instanceof ApiError && error.status === 409 ? undefined : error)
  const position = failure instanceof ApiError ? failure.position : undefined
  useUnsaved(draft !== undefined && draft.text !== current)
  useLayoutEffect(() => setFresh(undefined), [saved])
  useLayoutEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  useLayoutEffect(() => {
    if (!(error instanceof ApiError)) return
    area.current?.focus()
    if (error.position === undefined) return
    const at = toIndex(text, error.position)
    area.current?.setSelectionRange(at, at)
  }, [error])

  const edit = (next: string): void => {
    typed.current = next
    setDraft({ text: next, base: draft?.base ?? current })
    clearTimeout(timer.current ?? undefined)
    if (check === undefined) return
    timer.current = setTimeout(() => {
      const show = (found: Error | undefined) => typed.current === next && setInvalid(found)
      void check(next).then(
        () => show(undefined),
        (found: unknown) => show(found instanceof Error ? found : undefined),
      )
    }, CHECK_DELAY)
  }
  const discard = (): void => {
    setDraft(undefined)
    setInvalid(undefined)
  }
  const write = async (): Promise<void> => {
    // Keeps the text while a newer stored one comes in.
    setDraft({ text, base: draft?.base ?? current })
    const now = await load()
    setFresh(now)
    if (now !== current) throw new ApiError(409, 'Someone else saved another version.')
    try {
      await save(text, now, isConflict)
    } finally {
      setFresh(await load())
    }
    discard()
  }
  const store = (): void => void run(write, done).then((hasSucceeded) => hasSucceeded && onSaved?.())
  return (
    <Form onSubmit={store}>
      <FormField label={label} error={failure === undefined ? undefined : failure.message.split('\n', 1)[0]}>
        {(field) => (
          <textarea
            {...field}
            ref={area}
            rows={Math.min(32, Math.max(8, text.split('\n').length + 1))}
            spellcheck={false}
            value={text}
            onInput={(event: Event) => edit(valueOf(event))}
          />
        )}
      </FormField>
      {position !== undefined && (
        <pre class="code excerpt">
          Line {position.line}, column {position.column}
          {`\n${toPositionExcerpt(text, position)}`}
        </pre>
      )}
      {isConflict && (
        <section class="stack" aria-label="Both versions">
          <Notice kind="failure">
            {current === ''
              ? 'It was deleted while you were editing. Overwrite to create it again, or discard your text.'
              : 'Someone else saved another version while you were editing. Lines with − are saved, lines with + are yours.'}
          </Notice>
          {current !== '' && <Diff label="Changed lines" before={current} after={text} />}
        </section>
      )}
      <div class="tools">
        {children}
        {draft !== undefined && (
          <Button key="discard" onClick={discard}>
            {isConflict ? 'Discard mine' : 'Discard changes'}
          </Button>
        )}
        <Button key="save" type="submit" kind="primary" isBusy={isBusy}>
          {isConflict ? 'Overwrite with mine' : 'Save'}
        </Button>
      </div>
    </Form>
  )
}
