import { decision } from '../../contract/decisions.ts'
import type { DecisionId } from '../../contract/decisions.ts'

/** What every answer must be. */
export const answered = {
  status: { says: 'answers the documented status' },
  'content-type': { says: 'answers application/json', section: '1' },
  shape: { says: 'answers the documented shape, every member of its type', section: '2' },
  nosniff: { says: 'answers with X-Content-Type-Options: nosniff', section: '7', decision: decision('D33') },
  'correlation-id': { says: 'echoes X-Correlation-ID, in errors too', section: '7', decision: decision('D33') },
} as const

export const bearer = {
  'no-token': { says: 'refuses a request without a token: 401', section: '5', decision: decision('D33') },
  'bad-token': {
    says: 'refuses Basic credentials, an empty token, and two tokens in one header: 401',
    section: '5',
    decision: decision('D32'),
  },
  'forged-token': {
    says: 'refuses the token with another signature: 401',
    section: '5',
    decision: decision('D32'),
  },
  envelope: {
    says: 'tells errors in the one envelope, with a code that belongs to the status',
    section: '7',
    decision: decision('D33'),
  },
} as const

const decidedScope = (decided?: DecisionId) => (decided === undefined ? {} : { decision: decided })

/** `decided`: the specification does not show the scopes of this operation. */
export const scoped = (decided?: DecisionId) =>
  ({
    scope: { says: 'refuses a token that has none of its scopes: 403', section: '5', ...decidedScope(decided) },
    'own-scope': { says: 'takes a token that has one of its scopes alone', section: '5', ...decidedScope(decided) },
    'project-scope': {
      says: 'refuses a token whose scope is for another project: 403',
      section: '5',
      ...decidedScope(decided),
    },
    'manage-project': {
      says: 'takes a token with manage_project alone',
      section: '5',
      decision: decision('D30'),
    },
  }) as const

/** Scopes of operations that any valid token may use. */
export const anyScope = {
  'own-scope': { says: 'takes a token of any one scope', section: '5', decision: decision('D30') },
} as const

/** `names`: the headers that the endpoint table documents of the operation's answers. */
export const located = (names: string) =>
  ({
    headers: { says: `has ${names}`, decision: decision('D5') },
    etag: { says: 'has the version of the body, in quotes, as its ETag', decision: decision('D5') },
  }) as const

export const ordered = {
  order: {
    says: 'lists version, objectTypeProperty and its arrays in the order of the specification',
    section: '2',
    decision: decision('D8'),
  },
} as const

export const head = {
  head: {
    says: 'answers HEAD with the status and the documented headers of GET',
    section: '4',
    decision: decision('D9'),
  },
} as const

export const missing = (decided: DecisionId, what = 'an unknown id') =>
  ({ 'not-found': { says: `answers ${what} with 404`, section: '7', decision: decided } }) as const

/** `methods`: those that are tried. */
export const methods = (methods: string) =>
  ({
    method: { says: `refuses ${methods} with 405, and names the methods it has in Allow`, decision: decision('D24') },
  }) as const

/** How a body in JSON is read. `isObject`: whether bodies that are empty or not an object are tried, too. */
export const jsonBody = (isObject: boolean) =>
  ({
    'broken-json': {
      says: isObject
        ? 'refuses broken JSON, an empty body, null, an array, a string and a number: 400'
        : 'refuses broken JSON: 400',
      decision: decision('D9'),
    },
    'duplicate-member': { says: 'refuses a body with a member name twice: 400', decision: decision('D4') },
    'media-type': {
      says: 'refuses text/plain, application/xml and a form: 415',
      section: '1',
      decision: decision('D9'),
    },
    gzip: { says: 'takes a body with Content-Encoding: gzip', decision: decision('D9') },
    charset: { says: 'takes Application/JSON with a charset', section: '1', decision: decision('D9') },
    'no-media-type': {
      says: 'takes a body without Content-Type as JSON; a strict service refuses it: 400',
      decision: decision('D9'),
    },
  }) as const

export const unknownMembers = {
  'unknown-member': {
    says: 'ignores undocumented members; a strict service refuses them: 400',
    decision: decision('D4'),
  },
} as const

/** What every query does; `what` names the parameters that are tried. */
export const queried = (types: string, singles: string) =>
  ({
    refused: { says: `refuses ${types} of the wrong type: 400`, decision: decision('D9') },
    'single-valued': { says: `refuses ${singles} given twice: 400`, decision: decision('D9') },
    'unknown-parameter': {
      says: 'ignores undocumented parameters; a strict service refuses them: 400',
      decision: decision('D4'),
    },
  }) as const
