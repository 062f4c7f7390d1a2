import type * as z from 'zod'
import type { ReadonlyDeep } from '../contract/types.ts'
import type { scenarioSchema } from './schema.ts'

type File = ReadonlyDeep<z.input<typeof scenarioSchema>>

/**
 * A scenario given as an object: what a scenario file holds, and where it matters its name, which the answers that it
 * had a hand in carry as `X-Mock-Scenario`. Default `inline-1` for the first of a call, and so on.
 *
 * @example
 * const brokenCart: ScenarioDefinition = {
 *   name: 'broken-cart',
 *   rules: [{ match: { operation: 'getActionWithExample' }, effect: { answer: { status: 502 } } }],
 * }
 */
export interface ScenarioDefinition extends Pick<File, '$schema' | 'rules'> {
  readonly name?: string
  readonly description?: string
}
