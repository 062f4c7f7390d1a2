import type * as z from 'zod'
import type { Endpoint } from './endpoint.ts'
import { arrayTestType, objectTestType, plainObjectTestType } from './models.ts'
import { queryResult } from './results.ts'

/** The section of the specification that describes an endpoint: `4.1`. */
export const sectionOf = ({ number }: Endpoint): string => `4.${number}`

/** Whether the specification names a status of success for an endpoint. */
export function namesStatus({ responses }: Endpoint, status: number): boolean {
  const response = status < 400 ? responses[status] : undefined
  return response !== undefined && (response.decision === undefined || response.namesStatus === true)
}

/** Whether section 5 of the specification names the scopes of an endpoint. */
export const statesScopes = ({ scopes, scopesDecision }: Endpoint): boolean =>
  scopes !== 'anyToken' && scopesDecision === undefined

/** The models of the specification's section 2, by the schemas that add what a decision adds (D5, D10). */
const documented = new Map<z.ZodType, z.ZodType>([
  [objectTestType, plainObjectTestType],
  [queryResult, arrayTestType],
])

/** The model that the specification shows for the body of a success; undefined if it shows none. */
export function findModel({ responses }: Endpoint): z.ZodType | undefined {
  const shown = [200, 201]
    .map((status) => responses[status])
    .find((one) => one !== undefined && one.decision === undefined)?.schema
  return shown === undefined ? undefined : (documented.get(shown) ?? shown)
}
