import { RIVAL } from './contenders.js'
import { draft, pickIds } from './seed.js'
import { categoryDraft } from './rival/category.js'

const COLLECTION = '/bench/resource'
const FEW = 100
const MANY = 100_000
/** The number of parallel tests that share one mock. */
const SESSIONS = 50
/**
 * The number of resources that are requested in turn, spread evenly over all: the same for few and many resources, so that
 * only their total number differs. A thousand different ones cost bare Hono more than a hundred, too.
 */
const VARIETY = 100

const toPaths = (resources, wanted) => pickIds(resources, wanted).map((id) => `${COLLECTION}/${id}`)

const gets = (resources) => ({ kind: 'get', paths: toPaths(resources, VARIETY) })

/** The same, from one session after another, each with its own journal. */
const getsOfSessions = (resources, sessions) => {
  const paths = toPaths(resources, VARIETY)
  return {
    kind: 'get',
    paths: Array.from({ length: sessions }, (_, at) => `/@bench-${at}${paths[at % paths.length]}`),
  }
}

/** The mock against the baseline, both with the same few resources. */
const against = (title, load) => ({
  title,
  table: 'baseline',
  entrants: () => ['bare Hono', 'resource-mock'].map((name) => ({ name, resources: FEW, load: load() })),
})

const changeProperty = { action: 'changeSomeProperty', someProperty: 'value VERSION' }

const lists = { kind: 'get', paths: [`${COLLECTION}?limit=20`] }
/** Kept short: a session is limited to 256 MB of data, about 100,000 of these resources. */
const creations = { kind: 'create', path: COLLECTION, body: draft, maxSeconds: 2 }
const updates = { kind: 'update', paths: toPaths(FEW, VARIETY), action: changeProperty }

const CATEGORIES = '/bench/categories'
const changeName = { action: 'changeName', name: { en: 'value VERSION' } }

/** What the rival does not have either. */
const PLAIN = ['--journal', '0', '--log', 'silent', '--auth', 'off']

/**
 * The mock against another one, each with the same number of resources of about the same size, using equivalent endpoints:
 * like for like, on the same Node and without what only the mock has, and each as it comes.
 */
const againstRival = (name, title, load, rivalLoad) => {
  const toCase = (how, mock) => ({
    title: `${title}, ${how}`,
    table: 'rival',
    entrants: () => [
      { name: RIVAL, resources: FEW, load: rivalLoad() },
      { name: 'resource-mock', resources: FEW, load: load(), ...mock },
    ],
  })
  return {
    [`rival-${name}`]: toCase('like for like', { flags: PLAIN, nodeOf: RIVAL }),
    [`rival-${name}-default`]: toCase('as they come', {}),
  }
}

const toRivalPaths = () => pickIds(FEW, VARIETY).map((id) => `${CATEGORIES}/${id}`)

/** The cases measured under load: two entrants each, and the clients' requests. */
export const cases = {
  get: against('GET by id', () => gets(FEW)),
  list: against('list of 20', () => lists),
  create: against('create', () => creations),
  update: against('update by action', () => updates),
  ...againstRival(
    'get',
    'GET by id',
    () => gets(FEW),
    () => ({ kind: 'get', paths: toRivalPaths() }),
  ),
  ...againstRival(
    'list',
    'list of 20',
    () => lists,
    () => ({ kind: 'get', paths: [`${CATEGORIES}?limit=20`] }),
  ),
  ...againstRival(
    'create',
    'create',
    () => creations,
    () => ({ ...creations, path: CATEGORIES, body: categoryDraft }),
  ),
  ...againstRival(
    'update',
    'update by action',
    () => updates,
    () => ({ kind: 'update', paths: toRivalPaths(), action: changeName }),
  ),
  many: {
    title: 'GET by id',
    table: 'many',
    entrants: () => [FEW, MANY].map((resources) => ({ name: 'resource-mock', resources, load: gets(resources) })),
  },
  journal: {
    title: 'GET by id, without a journal and with one',
    table: 'cost',
    entrants: () =>
      [['--journal', '0'], []].map((flags) => ({ name: 'resource-mock', flags, resources: FEW, load: gets(FEW) })),
  },
  sessions: {
    title: 'GET by id, from one session and from fifty',
    table: 'cost',
    entrants: () =>
      [gets(FEW), getsOfSessions(FEW, SESSIONS)].map((load) => ({ name: 'resource-mock', resources: FEW, load })),
  },
}
