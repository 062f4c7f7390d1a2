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

/** Moves an active scenario to just before or after another one, whatever else is on. */
export const toMove = (name: string, to: 'before' | 'after', other: string): Step =>
  `${toSwitch(name, 'on')}?${new URLSearchParams({ [to]: other })}`

/** Defines a scenario in the session. */
export const toDefinition = ({ name, description, rules }: Scenario): Step =>
  `PUT /scenarios/${encodeURIComponent(name)} ${stringifyJson({ description, rules })}`

export const toSnapshot = (name: string): Step => `PUT /snapshots/${encodeURIComponent(name)}`

export const toRestore = (name: string): Step => `POST /snapshots/${encodeURIComponent(name)}/restore`
