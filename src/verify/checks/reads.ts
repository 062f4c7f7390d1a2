import { check } from './check.ts'
import {
  answered,
  bearer,
  cased,
  head,
  located,
  methods,
  missing,
  ordered,
  queried,
  scoped,
  unknownParameters,
} from './common.ts'
import { conditions, identified, listed, paged, selecting, unionConditions } from './selections.ts'

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
    'key-case': check('answers a key in capitals, which no resource has, with 404', 'D6'),
    ...methods('POST, PUT and DELETE'),
  },
  queryResources: {
    ...answered,
    ...bearer,
    ...scoped(),
    ...paged('D10'),
    ...queried(
      'floatParameter, integerParameter, withMarkdownDescription, unionParameter, objectParameter and withTotal',
      'stringParameter, floatParameter, integerParameter, withMarkdownDescription, unionParameter, limit, offset and withTotal',
    ),
    ...cased,
    ...listed,
    ...selecting('D10'),
    projection: check(
      'carries the arrays of the first result of its page, and seven empty ones without a result or with limit=0',
      'D10',
    ),
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
    'single-valued': check('refuses stringParameter, floatParameter and limit given twice: 400', 'D9'),
    where: check('answers by where, repeated and with var.<name>', 'D10'),
    ...conditions,
  },
  searchResources: {
    ...answered,
    ...bearer,
    ...scoped(),
    ...paged('D14'),
    ...queried('fuzzy, fuzzyLevel and staged', 'fuzzy, fuzzyLevel, staged, limit, offset and text.en'),
    ...listed,
    ...head,
    ...methods('POST and DELETE'),
    languages: check(
      'refuses text.english, text.EN, text.e, text.de-ch, text.de_CH, text.de-CHE and text. alone: 400',
      'D14',
      '4.4',
    ),
    text: check('answers what has the word of text.<language>, and nothing else', 'D14', '4.4'),
    prefix: check('finds words by their beginning, and not by their middle', 'D14', '4.4'),
    case: check('ignores the case of words, also beyond ASCII', 'D14', '4.4'),
    words: check('wants every word of every text.<language>', 'D14', '4.4'),
    fuzzy: check(
      'finds words with a letter changed, added or left out with fuzzy=true alone, as far as their length allows',
      'D14',
      '4.4',
    ),
    'fuzzy-distance': check('finds no word that is further away than fuzzyLevel', 'D14', '4.4'),
    'fuzzy-level': check(
      'refuses a fuzzyLevel above the default one of 2, 5 and 6 letters, also without fuzzy, -1 and 0.5: 400',
      'D14',
      '8',
    ),
    staged: check('answers with staged=true what has no staged projection as it is', 'D14'),
    filter: check('answers what satisfies filter, and nothing else; texts in their case alone', 'D14'),
    'filter-forms': check(
      'filters by field:value and field:range (a to b), bounds inclusive, * open, with objectTypeProperty. too',
      'D14',
    ),
    'filter-repeated': check('wants every filter, filter.query and filter.facets to hold', 'D9'),
    'filter-refused': check(
      'refuses an unknown field, a text for a number, a range without its end and what is not field:value: 400',
      'D14',
    ),
    facet: check('counts the values of a facet, by count, then by term', 'D14'),
    'facet-text': check('counts the texts of a facet', 'D14'),
    'facet-missing': check('tells as missing how many resources have no value of a facet', 'D14'),
    'facet-prefix': check('takes objectTypeProperty. in front of the field of a facet', 'D14'),
    'facet-unasked': check('has no facets unless facet asks for one', 'D14'),
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
    ...listed,
    ...head,
    ...methods('POST and DELETE'),
    ...selecting('D20'),
  },
}
