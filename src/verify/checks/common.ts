import type { DecisionId } from '../../contract/decisions.ts'

/** One thing that a subject must do. */
export interface Check {
  /** As a sentence goes on from the subject's name: `answers the documented status`. It says exactly what is asked. */
  readonly says: string
  /** Present where the specification leaves it open. */
  readonly decision: DecisionId | undefined
  /** The specification's section, where it is not the subject's own. */
  readonly section: string | undefined
}

export const check = (says: string, decision?: DecisionId, section?: string): Check => ({ says, decision, section })

/** What every answer must be. */
export const answered = {
  status: check('answers the documented status'),
  'content-type': check('answers application/json', undefined, '1'),
  shape: check('answers the documented shape, every member of its type', undefined, '2'),
  nosniff: check('answers with X-Content-Type-Options: nosniff, in errors too', 'D33', '7'),
  'correlation-id': check('echoes X-Correlation-ID, in errors too', 'D33', '7'),
}

export const bearer = {
  'no-token': check('refuses a request without a token: 401', 'D33', '5'),
  'bad-token': check('refuses Basic credentials, an empty token, and two tokens in one header: 401', 'D32', '5'),
  'forged-token': check('refuses the token with another signature: 401', 'D32', '5'),
  challenge: check(
    'names its project as the realm, the error, and with 403 a scope that would do in WWW-Authenticate',
    'D33',
    '5',
  ),
  envelope: check('tells errors in the one envelope, with a code that belongs to the status', 'D33', '7'),
}

/** `decision`: where the specification does not show the scopes of this operation. */
export const scoped = (decision?: DecisionId) => ({
  scope: check('refuses a token that has none of its scopes: 403', decision, '5'),
  'own-scope': check('takes a token that has one of its scopes alone', decision, '5'),
  'project-scope': check('refuses a token whose scope is for another project: 403', decision, '5'),
  'manage-project': check('takes a token with manage_project alone', 'D30', '5'),
})

/** Scopes of operations that any valid token may use. */
export const anyScope = { 'own-scope': check('takes a token of any one scope', 'D30', '5') }

/** `names`: the headers that the endpoint table documents of the operation's answers. */
export const located = (names: string) => ({
  headers: check(`has ${names}`, 'D5'),
  etag: check('has the version of the body, in quotes, as its ETag', 'D5'),
})

export const ordered = {
  order: check('lists version, objectTypeProperty and its arrays in the order of the specification', 'D8', '2'),
}

export const head = { head: check('answers HEAD with the status and the documented headers of GET', 'D9', '4') }

export const missing = (decision: DecisionId, what = 'an unknown id') => ({
  'not-found': check(`answers ${what} with 404`, decision, '7'),
})

/** `methods`: those that are tried. */
export const methods = (methods: string) => ({
  method: check(`refuses ${methods} with 405, and names the methods it has in Allow`, 'D24'),
})

/** How a body in JSON is read. `isObject`: whether bodies that are empty or not an object are tried, too. */
export const jsonBody = (isObject: boolean) => {
  const broken = `broken JSON and text after JSON (InvalidJsonInput)${isObject ? ', an empty body, null, an array, a string and a number' : ''}`
  return {
    'broken-json': check(`refuses ${broken}: 400`, 'D9'),
    'duplicate-member': check('refuses a body with a member name twice, at its top or inside: 400', 'D4'),
    'media-type': check(
      'refuses text/plain, text/json, application/xml, application/vnd.x+json and a form: 415',
      'D9',
      '1',
    ),
    gzip: check('takes a body with Content-Encoding: gzip', 'D9'),
    charset: check('takes Application/JSON with a charset', 'D9', '1'),
    'no-media-type': check('takes a body without Content-Type as JSON; a strict service refuses it: 400', 'D9'),
  }
}

/** `inside`: where else undocumented members are tried. */
export const unknownMembers = (inside: string) => ({
  'unknown-member': check(`ignores undocumented members, also in ${inside}; a strict service refuses them: 400`, 'D4'),
})

/** What every write does to the dates of a resource. */
export const dated = {
  dates: check('keeps createdAt, and sets lastModifiedAt to another time', 'D5'),
}

/** `what`: a write that leaves everything as it is. */
export const counted = (what: string) => ({ 'same-content': check(`raises the version by 1 for ${what}, too`, 'D7') })

export const unknownParameters = {
  'unknown-parameter': check('ignores undocumented parameters; a strict service refuses them: 400', 'D4'),
}

/** What every query does: parameters of the wrong type, and parameters that are given twice. */
export const queried = (types: string, singles: string) => ({
  refused: check(`refuses ${types} of the wrong type: 400`, 'D9'),
  'single-valued': check(`refuses ${singles} given twice: 400`, 'D9'),
  ...unknownParameters,
})

/** What the operations do that read parameters of section 4.1. */
export const cased = {
  'parameter-case': check(
    'ignores Limit and FLOATPARAMETER, whose case is wrong; a strict service refuses them: 400',
    'D4',
    '4',
  ),
}

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
