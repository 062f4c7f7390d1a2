import type { Writable } from 'node:stream'

/** Gathers lines, so that many requests cost one write. */
export interface LineWriter {
  readonly write: (line: string) => void
  /** On a terminal: what stands below all lines, in place of what stood there; the empty string for nothing. */
  readonly prompt: (text: string) => void
  /** Hands over what is gathered, at once. */
  readonly flush: () => void
  /** Resolves when everything is handed to the system, or nobody has read it for a second. */
  readonly drain: () => Promise<void>
}

const LARGEST_BATCH = 64 * 1024

/** Bytes that may wait for the reader of the stream. While more are waiting, new lines are dropped and counted. */
export const LARGEST_BACKLOG = 1024 * 1024

/** How long {@link LineWriter.drain} waits for the reader of the stream, in milliseconds. */
const DRAIN_PATIENCE = 1_000

/** Nobody sees that a line is this late, in milliseconds; a busy mock is spared a system call for each turn. */
const PATIENCE = 10

/** To the line's beginning, and everything from there on erased (ECMA-48, CR and EL). */
const ERASED = '\r\u001B[K'

/**
 * Writes lines to a stream, every 10 ms or as soon as 64 KiB are gathered. Lines are dropped once the stream is closed, as
 * after `| head`, and while nobody reads it, as when a program pipes the log and never looks: 1 MiB waits at most.
 *
 * @param onDropped told how many lines were dropped, once somebody reads again
 */
export function createLineWriter(stream: Writable, onDropped: (lines: number) => void = () => undefined): LineWriter {
  let gathered = ''
  let dropped = 0
  let below = ''
  let scheduled: NodeJS.Timeout | undefined
  let broken = false
  stream.on('error', () => {
    broken = true
  })

  function flush(): void {
    clearTimeout(scheduled)
    scheduled = undefined
    const text = gathered
    gathered = ''
    if (text === '' || broken) return
    if (stream.writableLength > LARGEST_BACKLOG) {
      dropped += text.split('\n').length - 1
      return
    }
    stream.write(below === '' ? text : ERASED + text + below)
    if (dropped > 0) {
      const lines = dropped
      dropped = 0
      onDropped(lines)
    }
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
        if (broken) return resolve()
        const timer = setTimeout(resolve, DRAIN_PATIENCE)
        stream.write('', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
