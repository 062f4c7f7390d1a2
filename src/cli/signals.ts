/** What a second signal ends with: 128 and the signal's number, as a shell reports it. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/** npm hands on a Ctrl-C that the terminal has already delivered to the whole group: within this time two are one. */
const ECHO_MILLISECONDS = 250

interface SignalHandlers {
  /** The first signal: end in order. */
  readonly onEnd: () => void
  /** A further one: end now, with this status. */
  readonly onAbort: (status: number) => void
}

/** Does what a signal does. */
export type Raise = (signal: keyof typeof STATUSES) => void

/** Handles SIGINT and SIGTERM, and keeps SIGXFSZ from ending the process. Returns a function that does what a signal does. */
export function handleSignals({ onEnd, onAbort }: SignalHandlers): Raise {
  let first: number | undefined

  function raise(signal: keyof typeof STATUSES): void {
    const now = performance.now()
    if (first === undefined) {
      first = now
      onEnd()
    } else if (now - first > ECHO_MILLISECONDS) {
      onAbort(STATUSES[signal])
    }
  }

  // A file that grows past its limit (`ulimit -f`) fails the write; without a listener it would end the process.
  process.on('SIGXFSZ', () => undefined)
  process.on('SIGINT', raise)
  process.on('SIGTERM', raise)
  return raise
}
