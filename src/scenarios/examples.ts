import { endpoints } from '../contract/endpoints.ts'
import type { Endpoint } from '../contract/endpoint.ts'

interface Example {
  readonly endpoint: Endpoint
  readonly status: number
  readonly name: string
}

/** Every example that the contract documents. */
const documented: readonly Example[] = Object.values(endpoints).flatMap((endpoint: Endpoint) =>
  Object.entries(endpoint.responses).flatMap(([status, { examples = {} }]) =>
    Object.keys(examples).map((name) => ({ endpoint, status: Number(status), name })),
  ),
)

/** The names of all documented examples. */
export const exampleNames: readonly string[] = documented.map(({ name }) => name)

/** The example of a name. */
export const findExampleNamed = (name: string): Example | undefined => documented.find((one) => one.name === name)
