import type { Step } from './step.ts'

/** The snapshot that restoring one can be undone by. */
const BEFORE = 'before-restore'

/** The same, where that one is restored: taken anew before, it would be lost. */
const BEFORE_THAT = 'before-that'

/** How a snapshot is put back, and what undoes it. */
export interface Restoring {
  readonly steps: readonly Step[]
  readonly undo: readonly Step[]
}

const toRestore = (name: string): Step => `POST /snapshots/${encodeURIComponent(name)}/restore`

/** Puts a snapshot back, after one of the data as they are; never in the place of the one that is put back (D89). */
export function toRestoring(name: string): Restoring {
  const kept = name === BEFORE ? BEFORE_THAT : BEFORE
  return { steps: [`PUT /snapshots/${kept}`, toRestore(name)], undo: [toRestore(kept)] }
}
