import { decision } from '../../contract/decisions.ts'
import type { DecisionId } from '../../contract/decisions.ts'

export const paged = (decided: DecisionId) =>
  ({
    paging: { says: 'cuts its results by limit and offset, and tells limit, offset and count', decision: decided },
    total: { says: 'tells how many there are in all', decision: decided },
    limits: {
      says: 'takes limit 0, 500 and 20.0 and offset 10000, and has limit 20 and offset 0 without them',
      decision: decided,
    },
    'limits-refused': {
      says: 'refuses limit -1, 501, 20.5 and abc, and offset -1, 10001, 0.5 and abc: 400',
      decision: decided,
    },
  }) as const

export const selecting = (decided: DecisionId) =>
  ({
    'with-total': { says: 'leaves total out with withTotal=false', decision: decided },
    where: { says: 'answers what satisfies id = and id in, and nothing else', decision: decided },
    'where-comparisons': { says: 'selects by = != <> < > <= >= of version and key', decision: decided },
    'where-lists': { says: 'selects by in, not in, contains any and contains all', decision: decided },
    'where-presence': { says: 'selects by is [not] defined and is [not] empty', decision: decided },
    'where-logic': { says: 'reads not before and, and before or, and parentheses first', decision: decided },
    'where-fields': {
      says: 'selects by someProperty, createdAt, lastModifiedAt and arrays, with objectTypeProperty. and nested',
      decision: decided,
    },
    'where-entries': { says: 'wants one entry of arrayOfObjectType to satisfy all of a predicate', decision: decided },
    'where-literals': {
      says: 'reads \\" and \\\\ in strings, and integers past 2^53 digit for digit',
      decision: decided,
    },
    'where-repeated': { says: 'wants every where to hold', decision: decided },
    'where-refused': {
      says: 'refuses a syntax error, an unknown field, a literal of the wrong type and an undefined variable: 400 InvalidInput',
      decision: decided,
    },
    variables: { says: 'fills where from var.<name>, given once and for in several times', decision: decided },
    sort: { says: 'sorts by id, both ways', decision: decided },
    'sort-repeated': { says: 'sorts by a second sort what is equal by the first', decision: decided },
    'sort-arrays': {
      says: 'sorts an array by its least member ascending, by its greatest descending',
      decision: decided,
    },
    'sort-refused': { says: 'refuses an unknown path and an unknown direction: 400', decision: decided },
    unsorted: { says: 'lists resources in the order of their creation without sort', decision: decided },
    expand: { says: 'takes expand, given once and twice, without an effect', decision: decided },
    identity: { says: 'tells id, key, version, content and someProperty of each result', decision: decision('D5') },
  }) as const

/** The conditions of 4.1 and 4.5. `how`: what is seen of a selection. */
export const conditions = {
  'string-parameter': {
    says: 'selects by stringParameter: a string, or <number> in <arrayField>',
    decision: decision('D11'),
  },
  'float-parameter': { says: 'selects by floatParameter', decision: decision('D11') },
  'integer-parameter': { says: 'selects by integerParameter', decision: decision('D11') },
  'markdown-parameter': { says: 'selects by withMarkdownDescription', decision: decision('D11') },
  'array-of-string': { says: 'selects by arrayOfString, given twice by both', decision: decision('D11') },
  'array-of-string-with-description': {
    says: 'selects by arrayOfStringWithDescription, given twice by both',
    decision: decision('D11'),
  },
  'object-parameter': {
    says: 'selects by objectParameter as JSON (a string, a list), with [arrayOfString] and with .arrayOfString',
    decision: decision('D11'),
  },
  'exact-numbers': { says: 'compares numbers past 2^53 digit for digit', decision: decision('D11') },
  'all-conditions': { says: 'wants all conditions to hold', decision: decision('D11') },
} as const

export const unionConditions = {
  'union-number': { says: 'selects by unionParameter: a number of any number array', decision: decision('D11') },
  'union-date-time': {
    says: 'selects by unionParameter: a date-time, of what was last modified at or after it',
    decision: decision('D11'),
  },
  'union-object': { says: 'selects by unionParameter: an ObjectTestType of equal content', decision: decision('D11') },
} as const
