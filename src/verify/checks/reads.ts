import { check } from './check.ts'
import {
  answered,
  bearer,
  head,
  located,
  methods,
  missing,
  ordered,
  queried,
  scoped,
  unknownParameters,
} from './common.ts'
import { conditions, identified, paged, selecting, unionConditions } from './selections.ts'

/** What holds of a resource that is read. */
const read = {
  ...answered,
  ...located('the headers ETag and Content-Location'),
  location: check('has a Content-Location that ends with /{projectKey}/resource/{id}', 'D5'),
  ...ordered,
  ...bearer,
  ...scoped(),
}

const { 'content-type': _type, shape: _shape, ...bodiless } = answered
const { envelope: _envelope, ...refusedBodiless } = bearer

export const reads = {
  getResourceById: {
    ...read,
    resource: check('answers the resource, 64-bit integers digit for digit', 'D3'),
    ...head,
    ...missing('D33'),
    'escaped-key': check('reads key%3D as the beginning of an id: 404', 'D13'),
    parameters: check(
      'takes optionalQueryParameter and secondOptionalQueryParameter, and refuses one given twice: 400',
      'D9',
    ),
    ...unknownParameters,
  },
  getResourceByKey: {
    ...read,
    resource: check('answers the resource of that key', 'D6'),
    ...head,
    ...missing('D13', 'an unknown key'),
    'empty-key': check('answers key= without a value with 404', 'D13'),
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
    projection: check('carries the arrays of its first result, and seven empty ones without a result', 'D10'),
    ...conditions,
    ...unionConditions,
  },
  checkResources: {
    ...bodiless,
    ...refusedBodiless,
    ...scoped(),
    'no-body': check('never has a body'),
    'no-match': check('answers 404 where nothing matches', 'D12'),
    refused: check(
      'refuses floatParameter, integerParameter, withMarkdownDescription, limit and where that it cannot read: 400',
      'D11',
    ),
    union: check('ignores unionParameter, whatever its value', 'D11'),
    where: check('answers by where, repeated and with var.<name>', 'D10'),
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
    languages: check('refuses text.english, text.EN, text.e, text.de-ch and text.de-CHE: 400', 'D14', '4.4'),
    text: check('answers what has the word of text.<language>, and nothing else', 'D14', '4.4'),
    prefix: check('finds words by their beginning, and not by their middle', 'D14', '4.4'),
    case: check('ignores the case of words, also beyond ASCII', 'D14', '4.4'),
    words: check('wants every word of every text.<language>', 'D14', '4.4'),
    fuzzy: check('finds misspelt words with fuzzy=true alone, as far as their length allows', 'D14', '4.4'),
    'fuzzy-distance': check('finds no word that is further away than fuzzyLevel', 'D14', '4.4'),
    'fuzzy-level': check(
      'refuses a fuzzyLevel above the default one of 2, 5 and 6 letters, also without fuzzy, -1 and 0.5: 400',
      'D14',
      '8',
    ),
    staged: check('answers with staged=true what has no staged projection as it is', 'D14'),
    filter: check('answers what satisfies filter, and nothing else', 'D14'),
    'filter-forms': check(
      'filters by field:value and field:range (a to b), bounds inclusive, * open, with objectTypeProperty. too',
      'D14',
    ),
    'filter-repeated': check('wants every filter, and every filter.query, to hold', 'D9'),
    'filter-refused': check('refuses an unknown field, a text for a number and what is not field:value: 400', 'D14'),
    facet: check('counts the values of a facet, by count, then by term', 'D14'),
    'facet-repeated': check('counts each of two facets', 'D9'),
    'facet-filters': check('narrows by filter the results, by filter.facets the facets, by filter.query both', 'D14'),
    ...identified,
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
}
