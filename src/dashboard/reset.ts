import { stringifyJson } from '../http/json.ts'
import { activeOf } from './show.ts'
import type { Show } from './show.ts'
import type { Step } from './step.ts'

/** The snapshot that a reset can be undone by. */
const BEFORE = 'before-reset'

/** Takes everything back to the start, after a snapshot of the data. */
export const resetSteps: readonly Step[] = [`PUT /snapshots/${BEFORE}`, 'POST /reset']

/** Puts back what a reset takes: data, the scenarios of the session, and which were active. The journal is gone. */
export function toResetUndo(show: Show): readonly Step[] {
  const { defined, active } = show.session.stageplay
  return [
    `POST /snapshots/${BEFORE}/restore`,
    ...Array.from(
      defined.values(),
      ({ name, description, rules }) =>
        `PUT /scenarios/${encodeURIComponent(name)} ${stringifyJson({ description, rules })}`,
    ),
    active === undefined
      ? 'DELETE /scenarios/active'
      : `PUT /scenarios/active ${stringifyJson({ active: activeOf(show) })}`,
  ]
}
