import * as z from 'zod'

/** The state name for exchanges without active scenarios. Any other name lists scenarios. */
export const PLAIN_STATE = 'a project with these resources'

/** The parameters of a provider state. They make the interaction's ids and versions exist, whatever ran before. */
export const stateParameters = z.looseObject({
  projectKey: z.string().optional(),
  /** The scopes that the token needs, for example `manage_test:acme`; absent if the request had no valid token. */
  scopes: z.array(z.string()).optional(),
  /** All resources of the project, in fixture format. */
  resources: z.array(z.unknown()).optional(),
  /** Names of earlier posts (D16). */
  posted: z.array(z.string()).optional(),
  /** JSON text of the action payload (D22). */
  action: z.string().optional(),
  /** The status caused by the scenarios. */
  status: z.int().optional(),
  /** Scenarios without a file, by name. */
  definitions: z.record(z.string(), z.unknown()).optional(),
})
export type StateParameters = z.output<typeof stateParameters>
