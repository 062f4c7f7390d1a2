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

/** Listens for SIGINT and SIGTERM. */
export function handleSignals({ onEnd, onAbort }: SignalHandlers): void {
  let first: number | undefined
  const signals = Object.keys(STATUSES) as readonly (keyof typeof STATUSES)[]
  for (const signal of signals) {
    process.on(signal, () => {
      const now = performance.now()
      if (first === undefined) {
        first = now
        onEnd()
      } else if (now - first > ECHO_MILLISECONDS) {
        onAbort(STATUSES[signal])
      }
    })
  }
}
