import type { Writable } from 'node:stream'

/** Collects lines, so that many requests need one write. */
export interface LineWriter {
  readonly write: (line: string) => void
  /** On a terminal: replaces the text below all lines; the empty string removes it. */
  readonly prompt: (text: string) => void
  /** Writes the collected lines now. */
  readonly flush: () => void
  /** Resolves when the system has everything, or nobody has read it for a second. */
  readonly drain: () => Promise<void>
}

const LARGEST_BATCH = 64 * 1024

/** Bytes that may wait for the reader of the stream. While more are waiting, new lines are dropped and counted. */
export const LARGEST_BACKLOG = 1024 * 1024

/** How long {@link LineWriter.drain} waits for the reader of the stream, in milliseconds. */
const DRAIN_PATIENCE = 1_000

/** How long a line may wait, in milliseconds: nobody notices, and a busy mock saves system calls. */
const PATIENCE = 10

/** Goes to the start of the line and erases it (ECMA-48, CR and EL). */
const ERASED = '\r\u001B[K'

/**
 * Writes lines to a stream every 10 ms, or at once when there are 64 KiB. Drops lines when the stream is closed, as after
 * `| head`, and while more than 1 MiB waits because nobody reads the stream.
 *
 * @param onDropped called with the number of dropped lines when somebody reads again
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
