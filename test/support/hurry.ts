import { onTestFinished, vi } from 'vitest'
import { TimeSlice } from '../../src/util/time-slices.ts'

/** Ends every time slice at once, so that work yields after each item. Returns a mock that counts the yields. */
export function hurry() {
  const isOver = vi.spyOn(TimeSlice.prototype, 'isOver').mockReturnValue(true)
  const next = vi.spyOn(TimeSlice.prototype, 'next')
  onTestFinished(() => {
    isOver.mockRestore()
    next.mockRestore()
  })
  return next
}
