/** The exit status after each signal, as shells report it: 128 plus the signal's number. */
const SIGNAL_STATUSES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

type EndingSignal = keyof typeof SIGNAL_STATUSES

/**
 * npm forwards a Ctrl-C that the terminal has already sent to the whole process group: two within this time count as one.
 */
const ECHO_MILLISECONDS = 250

/** Signals belong to the whole process, so there is one listener at a time. */
let listener: ((signal: EndingSignal) => void) | undefined

function replaceListener(next: (signal: EndingSignal) => void): void {
  // The type of the keys.
  for (const signal of Object.keys(SIGNAL_STATUSES) as EndingSignal[]) {
    if (listener !== undefined) process.off(signal, listener)
    process.on(signal, next)
  }
  listener = next
}

/**
 * Exits on SIGHUP, SIGINT and SIGTERM, until {@link handleSignals} takes over: process 1 of a container would ignore them.
 *
 * @param status default: 128 plus the number of the signal
 */
export function exitOnSignals(status?: number): void {
  replaceListener((signal) => process.exit(status ?? SIGNAL_STATUSES[signal]))
}

/**
 * Handles SIGHUP, SIGINT and SIGTERM, and keeps SIGXFSZ from killing the process. A second signal exits immediately.
 *
 * @param onFirst shuts down gracefully
 */
export function handleSignals(onFirst: () => void): void {
  let first: number | undefined

  function raise(signal: EndingSignal): void {
    const now = performance.now()
    if (first === undefined) {
      first = now
      onFirst()
    } else if (now - first > ECHO_MILLISECONDS) {
      process.exit(SIGNAL_STATUSES[signal])
    }
  }

  // A write to a file beyond its size limit (`ulimit -f`) fails; without a listener, the signal would kill the process.
  process.on('SIGXFSZ', () => undefined)
  replaceListener(raise)
}
