import { bendAnswers, bendParameter, bendQuery, firstOnly, ignoring, queryOf, refusing } from '../bends.ts'
import type { Bend } from '../bends.ts'
import type { SeededFault } from './fault.ts'

type Operation = 'queryResources' | 'sortedQuery'

/** Rewrites a predicate, like a service that interprets it differently. */
const rewriting = (operation: Operation, from: RegExp, to: string): Bend =>
  bendParameter(operation, 'where', (value) => value.replace(from, to))

const faults = (['queryResources', 'sortedQuery'] as const).flatMap((operation): readonly SeededFault[] => [
  [
    'a limit that is ignored',
    bendParameter(operation, 'limit', (value) => (value === '1' ? undefined : value)),
    [`${operation}/paging`],
  ],
  [
    'an offset that is ignored',
    bendParameter(operation, 'offset', (value) => (value === '1' ? '0' : value)),
    [`${operation}/paging`],
  ],
  [
    'a count that is wrong',
    bendAnswers(operation, ({ body }) => (body['count'] = Number(body['count']) + 1)),
    [`${operation}/paging`],
  ],
  [
    'a total of the page',
    bendAnswers(operation, ({ body }) => 'total' in body && (body['total'] = body['count'])),
    [`${operation}/total`],
  ],
  ['a total that nobody wanted', ignoring(operation, 'withTotal'), [`${operation}/with-total`, `${operation}/refused`]],
  [
    'no total ever',
    bendAnswers(operation, ({ body }) => delete body['total']),
    [`${operation}/total`, `${operation}/with-total`],
  ],
  [
    'a limit of 501',
    bendParameter(operation, 'limit', (value) => (value === '501' ? '500' : value)),
    [`${operation}/limits-refused`],
  ],
  [
    'a limit of -1',
    bendParameter(operation, 'limit', (value) => (value === '-1' ? '0' : value)),
    [`${operation}/limits-refused`],
  ],
  [
    'a limit of 20.5',
    bendParameter(operation, 'limit', (value) => (value === '20.5' ? '20' : value)),
    [`${operation}/limits-refused`],
  ],
  [
    'an offset of 10001',
    bendParameter(operation, 'offset', (value) => (value === '10001' ? '10000' : value)),
    [`${operation}/limits-refused`],
  ],
  [
    '100 results at most',
    refusing(operation, (request) => queryOf(request).get('limit') === '500'),
    [`${operation}/limits`],
  ],
  ['no limit of 0', refusing(operation, (request) => queryOf(request).get('limit') === '0'), [`${operation}/limits`]],
  [
    'no limit of 20.0',
    refusing(operation, (request) => queryOf(request).get('limit') === '20.0'),
    [`${operation}/limits`],
  ],
  [
    '10 results by default',
    bendQuery(operation, (query) => query.has('limit') || query.set('limit', '10')),
    [`${operation}/limits`],
  ],
  ['the last of two limits', firstOnly(operation, 'limit'), [`${operation}/single-valued`]],
  [
    'unknown parameters refused',
    refusing(operation, ({ url }) => url.includes('verifyUnknown')),
    [`${operation}/unknown-parameter`],
  ],
  ['a where that is ignored', ignoring(operation, 'where'), [`${operation}/where`, `${operation}/where-refused`]],
  ['the first of two wheres', firstOnly(operation, 'where'), [`${operation}/where-repeated`]],
  ['!= as =', rewriting(operation, /!=/, '='), [`${operation}/where-comparisons`]],
  [
    'no <>',
    refusing(operation, ({ url }) => decodeURIComponent(url).includes('<>')),
    [`${operation}/where-comparisons`],
  ],
  ['>= as >', rewriting(operation, /version >=/, 'version >'), [`${operation}/where-comparisons`]],
  ['not in as in', rewriting(operation, /not in/, 'in'), [`${operation}/where-lists`]],
  ['contains all as contains any', rewriting(operation, /contains all/, 'contains any'), [`${operation}/where-lists`]],
  ['contains any as contains all', rewriting(operation, /contains any/, 'contains all'), [`${operation}/where-lists`]],
  ['no is defined', refusing(operation, ({ url }) => url.includes('defined')), [`${operation}/where-presence`]],
  ['is not empty as is empty', rewriting(operation, /is not empty/, 'is empty'), [`${operation}/where-presence`]],
  [
    'or that binds tighter than and',
    rewriting(operation, /\((key = \S+ or key = \S+) and version = 99\)/, '(($1) and version = 99)'),
    [`${operation}/where-logic`],
  ],
  [
    'not that binds loosely',
    rewriting(operation, /not (key = \S+ or key = \S+)\)$/, 'not ($1))'),
    [`${operation}/where-logic`],
  ],
  ['no not', rewriting(operation, /\(not \(/, '(('), [`${operation}/where-logic`]],
  [
    'no prefix',
    refusing(operation, ({ url }) => url.includes('objectTypeProperty.array')),
    [`${operation}/where-fields`],
  ],
  ['no nesting', refusing(operation, ({ url }) => url.includes('objectTypeProperty(')), [`${operation}/where-fields`]],
  ['no createdAt', refusing(operation, ({ url }) => url.includes('createdAt')), [`${operation}/where-fields`]],
  [
    'entries that satisfy a predicate together',
    rewriting(operation, /(integerExample = 2) and (integerExampleInt32 = 10)/, '$1'),
    [`${operation}/where-entries`],
  ],
  ['no escapes', refusing(operation, ({ url }) => url.includes('%5C%22')), [`${operation}/where-literals`]],
  [
    'integers as doubles',
    rewriting(operation, /9007199254740992/, '9007199254740993'),
    [`${operation}/where-literals`],
  ],
  [
    'an unknown field that is passed over',
    rewriting(operation, /noSuchField = 1/, 'version = 1'),
    [`${operation}/where-refused`],
  ],
  ['a literal of any type', rewriting(operation, /version = "one"/, 'version = 1'), [`${operation}/where-refused`]],
  ['an undefined variable that is empty', rewriting(operation, /:missing/, '""'), [`${operation}/where-refused`]],
  [
    'another code for a predicate',
    bendAnswers(
      operation,
      ({ body }) => Object.assign(body.errors[0] ?? {}, { code: 'InvalidField', field: 'where' }),
      400,
    ),
    [`${operation}/envelope`],
  ],
  ['variables that are left in', ignoring(operation, 'var.wanted'), [`${operation}/variables`]],
  ['the first of two values of a variable', firstOnly(operation, 'var.wanted'), [`${operation}/variables`]],
  [
    'a sort that is ignored',
    bendParameter(operation, 'sort', (value) => (value.startsWith('id') ? undefined : value)),
    [`${operation}/sort`],
  ],
  ['desc as asc', bendParameter(operation, 'sort', (value) => value.replace('desc', 'asc')), [`${operation}/sort`]],
  ['the first of two sorts', firstOnly(operation, 'sort'), [`${operation}/sort-repeated`]],
  [
    'the last of two sorts',
    bendQuery(
      operation,
      (query) => query.getAll('sort').length > 1 && query.set('sort', query.getAll('sort').at(-1) ?? ''),
    ),
    [`${operation}/sort-repeated`],
  ],
  [
    'no sort by an array',
    bendParameter(operation, 'sort', (value) => (value.includes('array') ? undefined : value)),
    [`${operation}/sort-arrays`],
  ],
  [
    'any path of a sort',
    bendParameter(operation, 'sort', (value) => (value.startsWith('noSuch') ? 'id asc' : value)),
    [`${operation}/sort-refused`],
  ],
  [
    'any direction of a sort',
    bendParameter(operation, 'sort', (value) => value.replace('sideways', 'asc')),
    [`${operation}/sort-refused`],
  ],
  [
    'the newest first',
    bendAnswers(operation, ({ body }, request) => {
      if (!queryOf(request).has('sort') && body.results !== undefined) body.results = body.results.toReversed()
    }),
    [`${operation}/unsorted`],
  ],
  ['no expand', refusing(operation, (request) => queryOf(request).has('expand')), [`${operation}/expand`]],
  [
    'one expand',
    refusing(operation, (request) => queryOf(request).getAll('expand').length > 1),
    [`${operation}/expand`],
  ],
  [
    'results without a key',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) delete result['key']
    }),
    [`${operation}/identity`],
  ],
  [
    'results without someProperty',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) delete result['someProperty']
    }),
    [`${operation}/identity`],
  ],
  [
    'results of the first version',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) result['version'] = 1
    }),
    [`${operation}/identity`],
  ],
  [
    'results without an id',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) delete result['id']
    }),
    [`${operation}/shape`],
  ],
])

export const selections: readonly SeededFault[] = [...faults].map(([what, bend, finds]) => [
  `${finds[0].split('/')[0]}: ${what}`,
  bend,
  finds,
])
