/** The exit status after a second signal: 128 plus the signal number, as shells report it. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * npm forwards a Ctrl-C that the terminal has already sent to the whole process group: two within this time count as one.
 */
const ECHO_MILLISECONDS = 250

/**
 * Handles SIGINT and SIGTERM, and keeps SIGXFSZ from killing the process. A second signal exits immediately.
 *
 * @param onFirst shuts down gracefully
 * @returns a function that handles a signal.
 */
export function handleSignals(onFirst: () => void) {
  let first: number | undefined

  function raise(signal: keyof typeof STATUSES): void {
    const now = performance.now()
    if (first === undefined) {
      first = now
      onFirst()
    } else if (now - first > ECHO_MILLISECONDS) {
      process.exit(STATUSES[signal])
    }
  }

  // A write to a file beyond its size limit (`ulimit -f`) fails; without a listener, the signal would kill the process.
  process.on('SIGXFSZ', () => undefined)
  process.on('SIGINT', raise)
  process.on('SIGTERM', raise)
  return raise
}
