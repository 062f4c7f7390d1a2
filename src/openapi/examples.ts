import type * as z from 'zod'
import { complexExample } from '../contract/complex-example.ts'
import * as models from '../contract/models.ts'
import * as results from '../contract/results.ts'
import { parseJson } from '../http/json.ts'
import { toObjectTestType, toResultEntry } from '../operations/reads.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { toResource } from '../state/resource-record.ts'
import type { StoredResource } from '../state/resource.ts'

/** What the examples of one document are taken from. */
export interface Examples {
  /** An example of a body of that schema; undefined where there is none. */
  readonly of: (schema: z.ZodType) => unknown
  /** The payload of a named example. */
  readonly named: (name: string) => unknown
  /** Path parameters of the example. */
  readonly path: Readonly<Record<string, string>>
}

/** Its key is one that there is, so that it serves those who overwrite as well as those who create (D15). */
const toDraft = ({ key = 'oak-side-table', objectTypeProperty }: StoredResource) => ({ key, objectTypeProperty })

const toUpdate = ({ version }: StoredResource): z.input<typeof models.updateRequest> => ({
  version,
  actions: [{ action: 'changeSomeProperty', someProperty: 'reserved' }, { action: 'doSomeThing' }],
})

/** A page of one resource, and what a facet of it would say. */
function toPages(resource: StoredResource) {
  const page = { limit: 20, offset: 0, count: 1, total: 1, results: [parseJson(toResultEntry(resource))] }
  const facet = { type: 'terms', dataType: 'text', missing: 0, total: 1, other: 0, terms: [{ term: 'oak', count: 1 }] }
  return {
    paged: page,
    query: { ...resource.objectTypeProperty, ...page },
    search: { ...page, facets: { arrayOfStringExample: facet } },
  }
}

/** Takes the examples from the fixtures, so that they are what the mock answers. */
export function createExamples({ resources, arrayTestType: arrays, custom, action, carts }: Fixtures): Examples {
  const record = { objectTypeProperty: parseJson(arrays) as z.output<typeof models.arrayTestType> }
  const [resource = toResource(record, 0)] = resources
  const pages = toPages(resource)
  const examples = new Map<z.ZodType, unknown>([
    [models.objectTestType, parseJson(toObjectTestType(resource, 'header'))],
    [results.queryResult, pages.query],
    [results.pagedResult, pages.paged],
    [results.searchResult, pages.search],
    [models.arrayTestType, record.objectTypeProperty],
    [models.cart, parseJson(carts.get('') ?? '{}')],
    [models.anyJson, parseJson(action)],
    [models.objectTestTypeDraft, toDraft(resource)],
    [models.updateRequest, toUpdate(resource)],
    [models.outOfOrderPropertiesTestType, complexExample],
  ])
  return {
    of: (schema) => examples.get(schema),
    named: (name) => (Object.hasOwn(custom, name) ? parseJson(custom[name as keyof typeof custom]) : undefined),
    path: {
      projectKey: 'acme',
      id: resource.id,
      key: resource.key ?? 'oak-side-table',
      uriParameterOne: 'one',
      uriParameterTwo: 'two',
    },
  }
}
