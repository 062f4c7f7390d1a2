import type { DecisionId } from '../../contract/decisions.ts'
import { check } from './check.ts'

export const paged = (decision: DecisionId) => ({
  paging: check('cuts its results by limit and offset, and tells limit, offset and count', decision),
  total: check('tells how many there are in all, with limit=0 too', decision),
  limits: check('takes limit 0, 500 and 20.0 and offset 10000, and has limit 20 and offset 0 without them', decision),
  'limits-refused': check(
    'refuses limit and offset that are negative, too large, fractions, empty, abc, 10abc, NaN or Infinity: 400',
    decision,
  ),
})

export const identified = {
  identity: check(
    'tells id, key, version, content, someProperty, createdAt and lastModifiedAt of each result, the latter no earlier',
    'D5',
  ),
}

/** Results list their members as a resource does. */
export const listed = {
  order: check('lists the members of each result in the order of the specification', 'D8', '2'),
}

export const selecting = (decision: DecisionId) => ({
  'with-total': check('leaves total out with withTotal=false', decision),
  where: check('answers what satisfies id = and id in, and nothing else', decision),
  'where-comparisons': check('selects by = != <> < > <= >= of version and key', decision),
  'where-lists': check('selects by in, not in, contains any and contains all', decision),
  'where-presence': check('selects by is [not] defined and is [not] empty', decision),
  'where-logic': check('reads not before and, and before or, and parentheses first', decision),
  'where-fields': check(
    'selects by someProperty, createdAt, lastModifiedAt and arrays, with objectTypeProperty. and nested',
    decision,
  ),
  'where-case': check('tells texts by their case', decision),
  'where-dates': check('compares createdAt and lastModifiedAt with date-times, to the millisecond', decision),
  'where-entries': check('wants one entry of arrayOfObjectType to satisfy all of a predicate', decision),
  'where-literals': check('reads \\" and \\\\ in strings, and integers past 2^53 digit for digit', decision),
  'where-repeated': check('wants every where to hold', decision),
  'where-refused': check(
    'refuses syntax errors, an unknown field, a literal of the wrong type and an undefined variable: 400 InvalidInput',
    decision,
  ),
  variables: check(
    'fills where from var.<name>, given once and for in several times, with texts and numbers',
    decision,
  ),
  sort: check('sorts by id, both ways', decision),
  'sort-repeated': check('sorts by a second sort what is equal by the first', decision),
  'sort-stable': check('keeps the order of creation of what is equal by sort', decision),
  'sort-arrays': check('sorts an array by its least member ascending, by its greatest descending', decision),
  'sort-refused': check('refuses an unknown path and an unknown direction: 400', decision),
  unsorted: check('lists resources in the order of their creation without sort', decision),
  expand: check('takes expand, given once and twice, without an effect', decision),
  ...identified,
})

/** The conditions of 4.1 and 4.5. */
export const conditions = {
  'string-parameter': check('selects by stringParameter: a string in its case, or <number> in <arrayField>', 'D11'),
  'float-parameter': check('selects by floatParameter', 'D11'),
  'integer-parameter': check('selects by integerParameter', 'D11'),
  'markdown-parameter': check('selects by withMarkdownDescription', 'D11'),
  'array-of-string': check('selects by arrayOfString, given twice by both', 'D11'),
  'array-of-string-with-description': check('selects by arrayOfStringWithDescription, given twice by both', 'D11'),
  'object-parameter': check(
    'selects by objectParameter as JSON (a string, a list), with [arrayOfString] and with .arrayOfString',
    'D11',
  ),
  'exact-numbers': check('compares numbers past 2^53 digit for digit, and 0.1 as a double', 'D11'),
  'all-conditions': check('wants all conditions to hold', 'D11'),
}

export const unionConditions = {
  'union-number': check('selects by unionParameter: a number of any number array, and of no entry', 'D11'),
  'union-date-time': check('selects by unionParameter: a date-time, of what was last modified at or after it', 'D11'),
  'union-object': check(
    'selects by unionParameter: an ObjectTestType of equal content, its members in any order',
    'D11',
  ),
}
