import { constants } from 'node:os'
import { isatty } from 'node:tty'

/** The signals that end a command; nodemon sends SIGUSR2. */
const ENDING_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR2'] as const

type EndingSignal = (typeof ENDING_SIGNALS)[number]

/** The exit status after a signal, as shells report it. */
const toExitStatus = (signal: EndingSignal): number => 128 + constants.signals[signal]

/**
 * Without a terminal, SIGHUP ends nothing: `nohup` disconnects each stream from it. Node itself resets the SIGHUP that nohup
 * ignores, before any script runs.
 */
const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))

/**
 * npm forwards a Ctrl-C that the terminal has already sent to the whole process group: two within this time count as one.
 */
const ECHO_MILLISECONDS = 250

/** Signals belong to the whole process, so there is one listener at a time. */
let listener: ((signal: EndingSignal) => void) | undefined

function replaceListener(next: (signal: EndingSignal) => void, isDetached = false): void {
  const handle = (signal: EndingSignal): void => {
    if (signal !== 'SIGHUP' || (hasTerminal && !isDetached)) next(signal)
  }
  for (const signal of ENDING_SIGNALS) {
    if (listener !== undefined) process.off(signal, listener)
    process.on(signal, handle)
  }
  listener = handle
}

/**
 * Exits on a signal until {@link handleSignals} takes over: process 1 of a container would ignore it.
 *
 * @param status default: 128 plus the number of the signal
 */
export function exitOnSignals(status?: number): void {
  replaceListener((signal) => process.exit(status ?? toExitStatus(signal)))
}

/**
 * Handles the signals that end a command, and keeps SIGXFSZ from killing the process. A second signal exits immediately.
 *
 * @param onFirst shuts down gracefully
 * @param isDetached whether to ignore SIGHUP
 */
export function handleSignals(onFirst: () => void, isDetached?: boolean): void {
  let first: number | undefined

  function raise(signal: EndingSignal): void {
    const now = performance.now()
    if (first === undefined) {
      first = now
      onFirst()
    } else if (now - first > ECHO_MILLISECONDS) {
      process.exit(toExitStatus(signal))
    }
  }

  // A write to a file beyond its size limit (`ulimit -f`) fails; without a listener, the signal would kill the process.
  process.on('SIGXFSZ', () => undefined)
  replaceListener(raise, isDetached)
}
