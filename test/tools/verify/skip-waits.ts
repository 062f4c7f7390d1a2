import { vi } from 'vitest'

/**
 * Ends each wait in this process at once, and moves the clock by the time that it would have taken. Returns a function that
 * makes them wait again.
 */
export function skipWaits(): () => void {
  let skipped = 0
  const clock = Date.now.bind(Date)
  const now = vi.spyOn(Date, 'now').mockImplementation(() => clock() + skipped)
  function skip(task: () => void, milliseconds = 0): NodeJS.Immediate {
    return setImmediate(() => {
      skipped += milliseconds
      task()
    })
  }
  // Nobody reads the timer: to clear it has no effect.
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(skip as unknown as typeof setTimeout)
  return () => {
    timers.mockRestore()
    now.mockRestore()
  }
}
