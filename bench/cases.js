import { draft, pickIds } from './seed.js'

const COLLECTION = '/bench/resource'
/** So many resources are asked for in turn, so that no answer comes from a cache of one. */
const VARIETY = 1000

const toPaths = (resources, wanted) => pickIds(resources, wanted).map((id) => `${COLLECTION}/${id}`)

/** What is measured under load: by how many resources, and what the clients ask for. */
export const cases = {
  get: {
    title: 'GET by id, 100 resources',
    resources: 100,
    load: () => ({ kind: 'get', paths: toPaths(100, VARIETY) }),
  },
  'get-many': {
    title: 'GET by id, 100,000 resources',
    resources: 100_000,
    load: () => ({ kind: 'get', paths: toPaths(100_000, VARIETY) }),
  },
  list: {
    title: 'list of 20, 100 resources',
    resources: 100,
    load: () => ({ kind: 'get', paths: [`${COLLECTION}?limit=20`] }),
  },
  create: {
    title: 'create',
    resources: 100,
    load: () => ({ kind: 'create', path: COLLECTION, body: draft }),
  },
  update: {
    title: 'update by action',
    resources: 100,
    load: (connections) => ({ kind: 'update', paths: toPaths(100, connections) }),
  },
}
