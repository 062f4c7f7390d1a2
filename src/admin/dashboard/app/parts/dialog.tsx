import type { Child } from 'hono/jsx'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { useAction } from '../live.ts'
import { Button } from './controls.tsx'
import { ErrorNotice } from './layout.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children?: Child
}

/** A modal dialog, open as long as it is rendered. The browser keeps the focus in it, and returns it when it closes. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  useLayoutEffect(() => () => element.current?.close(), [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="plain" icon="cross" label="Close" onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  /** The text of the button that acts, such as `Delete session`. */
  readonly confirm: string
  /** The text of the button that asks; by default, the first word of `confirm`. */
  readonly label?: string
  /** What it acts on, if the title does not say it; the button is small then. */
  readonly name?: string
  readonly act: () => Promise<unknown>
  /** Announced when it succeeded. */
  readonly done: string
  /** What is lost. */
  readonly children?: Child
}

/** A button for an action that cannot be undone; it requires confirmation. */
export function ConfirmButton({ confirm, label, name, act, done, children }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const { run, isBusy, error } = useAction()
  return (
    <>
      <Button isSmall={name !== undefined} onClick={() => setOpen(true)}>
        {label ?? confirm.split(' ', 1)}…{name !== undefined && <span class="sr"> {name}</span>}
      </Button>
      {isOpen && (
        <Dialog title={`${[confirm, name].join(' ').trim()}?`} onClose={() => setOpen(false)}>
          <p>{children}</p>
          <ErrorNotice error={error} />
          <div class="tools">
            <Button
              kind="danger"
              isBusy={isBusy}
              onClick={() => void run(act, done).then((hasSucceeded) => hasSucceeded && setOpen(false))}
            >
              {confirm}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
