import type { Child } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import { useLive } from '../live.ts'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'

interface CopyProps {
  /** The accessible name, such as `Copy as curl`. */
  readonly label: string
  readonly text: string
  /** Announced when it was copied. */
  readonly done: string
  readonly children?: Child
}

/** A button that copies a text. Where the browser does not allow it, as over `http://` from another machine, it shows the text. */
export function CopyButton({ label, text, done, children }: CopyProps) {
  const { notify } = useLive()
  const [isShown, setShown] = useState(false)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      notify(done)
    } catch {
      setShown(true)
    }
  }
  return (
    <>
      <Button isSmall icon="copy" label={label} onClick={() => void copy()}>
        {children}
      </Button>
      {isShown && (
        <Dialog title={label} onClose={() => setShown(false)}>
          <p class="quiet">The browser does not allow this page to copy. Press Ctrl+C, or ⌘C.</p>
          <textarea
            rows={6}
            readonly
            autofocus
            aria-label="Text to copy"
            onFocus={({ target }: FocusEvent) => target instanceof HTMLTextAreaElement && target.select()}
            value={text}
          />
        </Dialog>
      )}
    </>
  )
}
