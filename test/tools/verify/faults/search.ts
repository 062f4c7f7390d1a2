import {
  bendAnswers,
  bendMethods,
  bendParameter,
  bendQuery,
  firstOnly,
  ignoring,
  insteadOfRefusal,
  queryOf,
  refusing,
  withQuery,
} from '../bends.ts'
import type { Bend } from '../bends.ts'
import type { SeededFault } from './fault.ts'

const operation = 'searchResources'

const accepting = (name: string, value: string): Bend =>
  insteadOfRefusal(operation, 400, (request) =>
    queryOf(request).get(name) === value ? withQuery(request, (query) => query.delete(name)) : undefined,
  )

const text = (change: (value: string) => string): Bend => bendParameter(operation, 'text.en', change)

const faults: readonly SeededFault[] = [
  ...['text.english', 'text.EN', 'text.e', 'text.de-ch', 'text.de-CHE'].map((name): SeededFault => [
    `${name} that is taken`,
    accepting(name, 'a'),
    [`${operation}/languages`],
  ]),
  [
    'words that are ignored',
    bendQuery(operation, (query) => query.size === 1 && query.delete('text.en')),
    [`${operation}/text`],
  ],
  ['text.de that is ignored', ignoring(operation, 'text.de'), [`${operation}/text`]],
  ['no beginnings of words', text((value) => (value === 'waln' ? 'nothing' : value)), [`${operation}/prefix`]],
  ['middles of words', text((value) => (value === 'alnut' ? 'walnut' : value)), [`${operation}/prefix`]],
  ['the case of words', text((value) => (/^[A-Z]+$/.test(value) ? 'nothing' : value)), [`${operation}/case`]],
  [
    'the case of words beyond ASCII',
    bendParameter(operation, 'text.de', (value) => value.replace('öltuch', 'nothing')),
    [`${operation}/case`],
  ],
  ['one of several words', text((value) => value.replace(' oakum', '')), [`${operation}/words`]],
  [
    'one of several languages',
    bendQuery(operation, (query) => query.has('text.en') && query.delete('text.de-CH')),
    [`${operation}/words`],
  ],
  [
    'no language with a region',
    refusing(operation, (request) => queryOf(request).has('text.de-CH')),
    [`${operation}/words`],
  ],
  [
    'fuzzy that is ignored',
    bendParameter(operation, 'fuzzy', (value) => (value === 'true' ? undefined : value)),
    [`${operation}/fuzzy`],
  ],
  [
    'always fuzzy',
    bendQuery(operation, (query) => query.has('text.en') && !query.has('fuzzy') && query.set('fuzzy', 'true')),
    [`${operation}/fuzzy`],
  ],
  ['fuzzy short words', text((value) => (value === 'ay' ? 'ax' : value)), [`${operation}/fuzzy`]],
  ['fuzzy by 2 for words of 4', text((value) => (value === 'kimm' ? 'kiln' : value)), [`${operation}/fuzzy`]],
  ['fuzzy by 3', text((value) => (value === 'wolmit' ? 'walnut' : value)), [`${operation}/fuzzy`]],
  [
    'fuzzy by 1 at most',
    bendQuery(operation, (query) => query.get('text.en') === 'walmit' && query.set('fuzzyLevel', '1')),
    [`${operation}/fuzzy`],
  ],
  [
    'a fuzzyLevel that is ignored',
    bendParameter(operation, 'fuzzyLevel', (value) => (value === '0' || value === '1' ? undefined : value)),
    [`${operation}/fuzzy-distance`],
  ],
  ['any fuzzyLevel', accepting('fuzzyLevel', '3'), [`${operation}/fuzzy-level`]],
  ['one highest fuzzyLevel for all words', accepting('fuzzyLevel', '2'), [`${operation}/fuzzy-level`]],
  ['any fuzzyLevel of short words', accepting('fuzzyLevel', '1'), [`${operation}/fuzzy-level`]],
  ['a negative fuzzyLevel', accepting('fuzzyLevel', '-1'), [`${operation}/fuzzy-level`]],
  ['a fuzzyLevel of 0.5', accepting('fuzzyLevel', '0.5'), [`${operation}/fuzzy-level`]],
  [
    'any fuzzyLevel without fuzzy',
    insteadOfRefusal(operation, 400, (request) =>
      queryOf(request).has('fuzzy') ? undefined : withQuery(request, (query) => query.delete('fuzzyLevel')),
    ),
    [`${operation}/fuzzy-level`],
  ],
  ['fuzzyLevel=abc', accepting('fuzzyLevel', 'abc'), [`${operation}/refused`]],
  ['fuzzy=perhaps', accepting('fuzzy', 'perhaps'), [`${operation}/refused`]],
  ['staged=perhaps', accepting('staged', 'perhaps'), [`${operation}/refused`]],
  ['the first of two values', firstOnly(operation, 'staged'), [`${operation}/single-valued`]],
  [
    'nothing staged',
    bendQuery(operation, (query) => query.get('staged') === 'true' && query.set('text.en', 'nothing')),
    [`${operation}/staged`],
  ],
  ['no staged', refusing(operation, (request) => queryOf(request).get('staged') === 'true'), [`${operation}/staged`]],
  ['a filter that is ignored', ignoring(operation, 'filter'), [`${operation}/filter`, `${operation}/filter-forms`]],
  [
    'a filter by a part of a value',
    bendParameter(operation, 'filter', (value) => value.replace('"kil"', '"kiln"')),
    [`${operation}/filter`],
  ],
  [
    'no objectTypeProperty. in filters',
    refusing(operation, (request) => queryOf(request).get('filter')?.startsWith('objectTypeProperty.') === true),
    [`${operation}/filter-forms`],
  ],
  [
    'ranges without their upper bound',
    bendParameter(operation, 'filter', (value) => value.replace('(1.5 to 2.5)', '(1.5 to 2.4)')),
    [`${operation}/filter-forms`],
  ],
  [
    'ranges without their lower bound',
    bendParameter(operation, 'filter', (value) => value.replace('(1.5 to 2.5)', '(1.6 to 2.5)')),
    [`${operation}/filter-forms`],
  ],
  [
    'no open ranges',
    refusing(operation, (request) => queryOf(request).get('filter')?.includes('*') === true),
    [`${operation}/filter-forms`],
  ],
  ['the first of two filters', firstOnly(operation, 'filter'), [`${operation}/filter-repeated`]],
  [
    'one filter',
    refusing(operation, (request) => queryOf(request).getAll('filter').length > 1),
    [`${operation}/filter-repeated`],
  ],
  ['any field of a filter', accepting('filter', 'noSuchField:1'), [`${operation}/filter-refused`]],
  ['any value of a filter', accepting('filter.query', 'arrayOfIntExample:abc'), [`${operation}/filter-refused`]],
  ['any text as a filter', accepting('filter.facets', 'kiln'), [`${operation}/filter-refused`]],
  ['any field of a facet', accepting('facet', 'noSuchField'), [`${operation}/filter-refused`]],
  ['no facets', ignoring(operation, 'facet'), [`${operation}/facet`]],
  [
    'a facet that counts wrongly',
    bendAnswers(operation, ({ body }) => {
      for (const { terms } of Object.values(body.facets ?? {})) for (const term of terms) term.count += 1
    }),
    [`${operation}/facet`],
  ],
  [
    'a facet by term alone',
    bendAnswers(operation, ({ body }) => {
      const facet = body.facets?.['arrayOfTwonumbersExample']
      if (facet !== undefined) facet.terms = facet.terms.toSorted((a, b) => Number(a.term) - Number(b.term))
    }),
    [`${operation}/facet`],
  ],
  [
    'a facet of text',
    bendAnswers(operation, ({ body }) =>
      Object.assign(body.facets?.['arrayOfTwonumbersExample'] ?? {}, { dataType: 'text' }),
    ),
    [`${operation}/facet`],
  ],
  ['one of two facets', firstOnly(operation, 'facet'), [`${operation}/facet-repeated`]],
  [
    'filter narrows facets',
    bendQuery(
      operation,
      (query) => query.has('facet') && query.has('filter') && query.append('filter.query', query.get('filter') ?? ''),
    ),
    [`${operation}/facet-filters`],
  ],
  ['filter.facets that is ignored', ignoring(operation, 'filter.facets'), [`${operation}/facet-filters`]],
  [
    'filter.facets narrows results',
    bendQuery(
      operation,
      (query) => query.has('filter.facets') && query.append('filter', query.get('filter.facets') ?? ''),
    ),
    [`${operation}/facet-filters`],
  ],
  [
    'filter.query that is ignored',
    bendQuery(operation, (query) => {
      const values = query.getAll('filter.query')
      if (query.has('facet') && values.length > 1) query.set('filter.query', values.at(-1) ?? '')
    }),
    [`${operation}/facet-filters`],
  ],
  [
    'results without a version',
    bendAnswers(operation, ({ body }) => {
      for (const result of body.results ?? []) result['version'] = 1
    }),
    [`${operation}/identity`],
  ],
  [
    'a limit that is ignored',
    bendParameter(operation, 'limit', (value) => (value === '1' ? undefined : value)),
    [`${operation}/paging`],
  ],
  [
    'a total of the page',
    bendAnswers(operation, ({ body }) => (body['total'] = body['count'])),
    [`${operation}/total`],
  ],
  ['a limit of 501', accepting('limit', '501'), [`${operation}/limits-refused`]],
  [
    '10 results by default',
    bendQuery(operation, (query) => query.has('limit') || query.set('limit', '10')),
    [`${operation}/limits`],
  ],
  [
    'unknown parameters refused',
    refusing(operation, ({ url }) => url.includes('verifyUnknown')),
    [`${operation}/unknown-parameter`],
  ],
  ['DELETE is 404', bendMethods('/searchApiPattern', (bent) => (bent.status = 404)), [`${operation}/method`]],
]

export const search: readonly SeededFault[] = faults.map(([what, bend, finds]) => [`search: ${what}`, bend, finds])
