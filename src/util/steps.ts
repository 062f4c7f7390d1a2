import { createPace } from './pause.ts'

/** Long work, step by step: each step yields its size. */
export type Steps<Result> = Generator<number, Result, void>

/** Does all steps at once: what nobody waits for. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Lets other requests have their turn each time that the steps are that large together. */
export async function runInTurns<Result>(steps: Steps<Result>, slice: number): Promise<Result> {
  const pace = createPace(slice)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await pace(value)
  }
}
