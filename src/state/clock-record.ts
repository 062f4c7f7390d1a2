import * as z from 'zod'

/** Further moves lead past the times that a `Date` has. */
const FURTHEST = 8e15

/** How far the clock of a session was moved, as JSON. */
export const clockRecord = z.strictObject({
  offset: z.number().min(-FURTHEST).max(FURTHEST),
  passed: z.number().min(0),
})
