import type { Child } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import { useLive } from '../live.ts'
import { Button, useKeys } from './controls.tsx'
import { CopyButton } from './copy.tsx'
import { Dialog } from './dialog.tsx'

interface ShareProps {
  /** What is shared: a session or a run. It names the file. */
  readonly name: string
  /** The query of the share file, such as `run=nightly`. */
  readonly query: string
  readonly isSmall?: boolean
  /** Further files. */
  readonly children?: Child
}

/** Shares what the page shows: by a link to it, or as a file. */
export function ShareButton({ name, query, isSmall = false, children }: ShareProps) {
  const { source } = useLive()
  const [isOpen, setOpen] = useState(false)
  // A small one is beside that of the page.
  useKeys(isSmall ? {} : { s: () => setOpen(true) })
  if (source.isFile) return null
  return (
    <>
      <Button isSmall={isSmall} onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen && (
        <Dialog title="Share" onClose={() => setOpen(false)}>
          <p>A link, for everyone who can open this mock:</p>
          <div class="line">
            <CopyButton label="Copy link" text={location.href} done="Link copied.">
              Copy link
            </CopyButton>
          </div>
          <p>A file that opens without the mock, for a bug report:</p>
          <div class="line">
            <a class="button small" href={source.toUrl(`/share.html?${query}`)} download={`${name}.html`}>
              Share file of {name}
            </a>
            {children}
          </div>
        </Dialog>
      )}
    </>
  )
}
