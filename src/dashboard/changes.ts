import { stringifyJson } from '../http/json.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { Step } from './step.ts'

// What the dashboard changes in more than one place, as requests to the admin API.

/** Makes just these scenarios the active ones; their counters stay. */
export const toActivation = (active: readonly string[]): Step =>
  `PUT /scenarios/active?keepCounters=true ${stringifyJson({ active })}`

/** Switches one scenario, whatever else is on. */
export const toSwitch = (name: string, to: 'on' | 'off'): Step =>
  `${to === 'on' ? 'PUT' : 'DELETE'} /scenarios/active/${encodeURIComponent(name)}`

/** Defines a scenario in the session. */
export const toDefinition = ({ name, description, rules }: Scenario): Step =>
  `PUT /scenarios/${encodeURIComponent(name)} ${stringifyJson({ description, rules })}`

export const toSnapshot = (name: string): Step => `PUT /snapshots/${encodeURIComponent(name)}`

export const toRestore = (name: string): Step => `POST /snapshots/${encodeURIComponent(name)}/restore`

/** The snapshot that a reset can be undone by (D89). */
export const BEFORE_RESET = 'before-reset'

/** Takes everything back to the start, after a snapshot of the data. */
export const resetSteps: readonly Step[] = [toSnapshot(BEFORE_RESET), 'POST /reset']

/** The snapshot that restoring one can be undone by; never that which is put back: taken anew before, it would be lost (D89). */
export const toSnapshotBefore = (restored: string): string =>
  restored === 'before-restore' ? 'before-that' : 'before-restore'
