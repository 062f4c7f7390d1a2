import { decision } from '../../contract/decisions.ts'
import type { Check } from './check.ts'
import { answered, bearer, head, located, methods, missing, ordered, queried, scoped } from './common.ts'
import { conditions, paged, selecting, unionConditions } from './selections.ts'

const placed = {
  ...located('the headers ETag and Content-Location'),
  location: { says: 'has a Content-Location that ends with /{projectKey}/resource/{id}', decision: decision('D5') },
} as const

export const reads = {
  getResourceById: {
    ...answered,
    ...placed,
    ...ordered,
    ...bearer,
    ...scoped(),
    resource: { says: 'answers the resource, 64-bit integers digit for digit', decision: decision('D3') },
    ...head,
    ...missing('D33'),
    'escaped-key': { says: 'reads key%3D as the beginning of an id: 404', decision: decision('D13') },
    parameters: {
      says: 'takes optionalQueryParameter and secondOptionalQueryParameter, and refuses one given twice: 400',
      decision: decision('D9'),
    },
    'unknown-parameter': queried('', '')['unknown-parameter'],
  },
  getResourceByKey: {
    ...answered,
    ...placed,
    ...ordered,
    ...bearer,
    ...scoped(),
    resource: { says: 'answers the resource of that key', decision: decision('D6') },
    ...head,
    ...missing('D13', 'an unknown key'),
    'empty-key': { says: 'answers key= without a value with 404', decision: decision('D13') },
    ...methods('POST, PUT and DELETE'),
  },
  queryResources: {
    ...answered,
    ...bearer,
    ...scoped(),
    ...paged('D10'),
    ...queried(
      'floatParameter, integerParameter, withMarkdownDescription, unionParameter, objectParameter and withTotal',
      'stringParameter, integerParameter, unionParameter and limit',
    ),
    ...selecting('D10'),
    projection: {
      says: 'carries the arrays of its first result, and seven empty ones without a result',
      decision: decision('D10'),
    },
    ...conditions,
    ...unionConditions,
  },
  checkResources: {
    status: answered.status,
    nosniff: answered.nosniff,
    'correlation-id': answered['correlation-id'],
    'no-token': bearer['no-token'],
    'bad-token': bearer['bad-token'],
    'forged-token': bearer['forged-token'],
    ...scoped(),
    'no-body': { says: 'never has a body' },
    'no-match': { says: 'answers 404 where nothing matches', decision: decision('D12') },
    refused: {
      says: 'refuses floatParameter, integerParameter, withMarkdownDescription, limit and where that it cannot read: 400',
      decision: decision('D11'),
    },
    union: { says: 'ignores unionParameter, whatever its value', decision: decision('D11') },
    where: { says: 'answers by where, repeated and with var.<name>', decision: decision('D10') },
    ...conditions,
  },
  searchResources: {
    ...answered,
    ...bearer,
    ...scoped(),
    ...paged('D14'),
    ...queried('fuzzy, fuzzyLevel and staged', 'fuzzy, staged and text.en'),
    ...head,
    ...methods('POST and DELETE'),
    languages: {
      says: 'refuses text.english, text.EN, text.e, text.de-ch and text.de-CHE: 400',
      section: '4.4',
      decision: decision('D14'),
    },
    text: { says: 'answers what has the word of text.<language>, and nothing else', decision: decision('D14') },
    prefix: { says: 'finds words by their beginning, and not by their middle', decision: decision('D14') },
    case: { says: 'ignores the case of words, also beyond ASCII', decision: decision('D14') },
    words: { says: 'wants every word of every text.<language>', decision: decision('D14') },
    fuzzy: {
      says: 'finds misspelt words with fuzzy=true alone, as far as their length allows',
      decision: decision('D14'),
    },
    'fuzzy-distance': { says: 'finds no word that is further away than fuzzyLevel', decision: decision('D14') },
    'fuzzy-level': {
      says: 'refuses a fuzzyLevel above the default one of 2, 5 and 6 letters, also without fuzzy, -1 and 0.5: 400',
      section: '8',
      decision: decision('D14'),
    },
    staged: { says: 'answers with staged=true what has no staged projection as it is', decision: decision('D14') },
    filter: { says: 'answers what satisfies filter, and nothing else', decision: decision('D14') },
    'filter-forms': {
      says: 'filters by field:value and field:range (a to b), bounds inclusive, * open, with objectTypeProperty. too',
      decision: decision('D14'),
    },
    'filter-repeated': { says: 'wants every filter, and every filter.query, to hold', decision: decision('D9') },
    'filter-refused': {
      says: 'refuses an unknown field, a text for a number and what is not field:value: 400',
      decision: decision('D14'),
    },
    facet: { says: 'counts the values of a facet, by count, then by term', decision: decision('D14') },
    'facet-repeated': { says: 'counts each of two facets', decision: decision('D9') },
    'facet-filters': {
      says: 'narrows by filter the results, by filter.facets the facets, by filter.query both',
      decision: decision('D14'),
    },
    identity: { says: 'tells id, key, version, content and someProperty of each result', decision: decision('D5') },
  },
  sortedQuery: {
    ...answered,
    ...bearer,
    ...scoped('D30'),
    ...paged('D20'),
    ...queried('withTotal', 'limit, offset and withTotal'),
    ...head,
    ...methods('POST and DELETE'),
    ...selecting('D20'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Check>>>>
