import type { DecisionId } from '../../contract/decisions.ts'
import { check } from './check.ts'

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
