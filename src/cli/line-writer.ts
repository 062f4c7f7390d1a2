import type { Writable } from 'node:stream'

/** Gathers lines, so that many requests cost one write. */
export interface LineWriter {
  readonly write: (line: string) => void
  /** On a terminal: what stands below all lines, in place of what stood there; the empty string for nothing. */
  readonly prompt: (text: string) => void
  /** Hands over what is gathered, at once. */
  readonly flush: () => void
  /** Resolves when everything is handed to the system. */
  readonly drain: () => Promise<void>
}

const LARGEST_BATCH = 64 * 1024

/** Nobody sees that a line is this late, in milliseconds; a busy mock is spared a system call for each turn. */
const PATIENCE = 10

/** To the line's beginning, and everything from there on erased (ECMA-48, CR and EL). */
const ERASED = '\r\u001B[K'

/**
 * Writes lines to a stream, every 10 ms or as soon as 64 KiB are gathered. Once nobody reads the stream any
 * more, as after `| head`, lines are dropped.
 */
export function createLineWriter(stream: Writable): LineWriter {
  let gathered = ''
  let below = ''
  let scheduled: NodeJS.Timeout | undefined
  let broken = false
  stream.on('error', () => {
    broken = true
  })

  function flush(): void {
    clearTimeout(scheduled)
    scheduled = undefined
    if (gathered !== '' && !broken) stream.write(below === '' ? gathered : ERASED + gathered + below)
    gathered = ''
  }

  return {
    write(line) {
      gathered += `${line}\n`
      if (gathered.length >= LARGEST_BATCH) flush()
      else scheduled ??= setTimeout(flush, PATIENCE)
    },
    prompt(text) {
      flush()
      if (text !== below && !broken) stream.write(ERASED + text)
      below = text
    },
    flush,
    drain() {
      flush()
      return new Promise((resolve) => {
        if (broken) resolve()
        else stream.write('', () => resolve())
      })
    },
  }
}
