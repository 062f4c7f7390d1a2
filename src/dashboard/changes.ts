import { stringifyJson } from '../http/json.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { AdminCall } from './admin-call.ts'

// What the dashboard changes in more than one place, as requests to the admin API.

/** Makes just these scenarios the active ones; their counters stay. */
export const toActivation = (active: readonly string[]): AdminCall =>
  `PUT /scenarios/active?keepCounters=true ${stringifyJson({ active })}`

/** Switches one scenario, whatever else is on. */
export const toSwitch = (name: string, to: 'on' | 'off'): AdminCall =>
  `${to === 'on' ? 'PUT' : 'DELETE'} /scenarios/active/${encodeURIComponent(name)}`

/** Moves an active scenario to just before or after another one, whatever else is on. */
export const toMove = (name: string, to: 'before' | 'after', other: string): AdminCall =>
  `${toSwitch(name, 'on')}?${new URLSearchParams({ [to]: other })}`

/** Defines a scenario in the session. */
export const toDefinition = ({ name, description, rules }: Scenario): AdminCall =>
  `PUT /scenarios/${encodeURIComponent(name)} ${stringifyJson({ description, rules })}`

export const toSnapshot = (name: string): AdminCall => `PUT /snapshots/${encodeURIComponent(name)}`

export const toRestore = (name: string): AdminCall => `POST /snapshots/${encodeURIComponent(name)}/restore`
