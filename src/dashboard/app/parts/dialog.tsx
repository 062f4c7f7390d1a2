import type { Child } from 'hono/jsx'
import { useEffect, useId, useRef, useState } from 'hono/jsx/dom'
import { useAction } from '../live.ts'
import { Button } from './controls.tsx'
import { Failure } from './layout.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children?: Child
}

/** A modal dialog, open as long as it is rendered. The browser keeps the focus in it and returns it afterwards. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
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
  /** The text of the button that asks, such as `Clear`. */
  readonly label: string
  /** Names what it acts on, for screen readers, if several of these buttons are on the page. */
  readonly of?: string
  readonly question: string
  /** The text of the button that acts, such as `Clear requests`. */
  readonly confirm: string
  readonly act: () => Promise<unknown>
  /** Announced when it succeeded. */
  readonly done: string
  /** What is lost. */
  readonly children?: Child
}

/** A button for an action that cannot be undone; it requires confirmation. */
export function ConfirmButton({ label, of, question, confirm, act, done, children }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const { run, isBusy, error } = useAction()
  return (
    <>
      <Button isSmall={of !== undefined} onClick={() => setOpen(true)}>
        {label}…{of !== undefined && <span class="sr"> {of}</span>}
      </Button>
      {isOpen && (
        <Dialog title={question} onClose={() => setOpen(false)}>
          <p>{children}</p>
          <Failure error={error} />
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
