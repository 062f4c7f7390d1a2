import { decision } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** One thing that an operation must do. */
export interface Check {
  /** As a sentence goes on from the operation's name: `answers the documented status`. */
  readonly says: string
  /** The specification's section, where it is not the operation's own. */
  readonly section?: string
  /** Present where the specification leaves it open. */
  readonly decision?: DecisionId
}

/** What every answer must be. */
const answered = {
  status: { says: 'answers the documented status' },
  'content-type': { says: 'answers application/json', section: '1' },
  shape: { says: 'answers the documented shape, every member of its type', section: '2' },
} as const

const bearer = {
  'no-token': { says: 'refuses a request without a token: 401', section: '5', decision: decision('D33') },
  'bad-token': { says: 'refuses a token that is none: 401', section: '5', decision: decision('D32') },
  envelope: { says: 'tells errors in the one envelope', section: '7', decision: decision('D33') },
} as const

/** `decided`: the specification does not show the scopes of this operation. */
const scoped = (decided?: DecisionId) =>
  ({
    scope: {
      says: 'refuses a token without its scope: 403',
      section: '5',
      ...(decided === undefined ? {} : { decision: decided }),
    },
  }) as const

/** The headers that the endpoint table documents of the operation's answers. */
const located = { headers: { says: 'tells version and place in its headers', decision: decision('D5') } } as const

const missing = (decided: DecisionId, what = 'an unknown id') =>
  ({ 'not-found': { says: `answers ${what} with 404`, section: '7', decision: decided } }) as const

const refusing = (decided: DecisionId) =>
  ({ 'body-refused': { says: 'refuses a body that breaks the contract: 400', decision: decided } }) as const

const paged = (decided: DecisionId) =>
  ({
    paging: { says: 'cuts its results by limit and offset, and tells both', decision: decided },
    total: { says: 'tells how many there are in all, unless withTotal=false', decision: decided },
    refused: { says: 'refuses parameters of the wrong type: 400', decision: decision('D9') },
  }) as const

const selecting = (decided: DecisionId) =>
  ({
    where: { says: 'answers what satisfies where, and nothing else', decision: decided },
    variables: { says: 'fills where from var.<name>', decision: decided },
    sort: { says: 'sorts both ways', decision: decided },
  }) as const

const overwriting = {
  overwrites: { says: 'replaces the content of the resource of its key, one version on', decision: decision('D15') },
} as const

const versioned = {
  'version-grows': { says: 'raises the version by exactly 1', section: '9', decision: decision('D7') },
} as const

const current = {
  'current-version': { says: 'names the actual version in its 409', section: '7', decision: decision('D33') },
} as const

/** Everything that `verify` asks of a provider, by operation and name. */
export const checks = {
  createResource: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    'first-version': { says: 'begins with version 1', section: '9', decision: decision('D7') },
    content: { says: 'answers what was sent, 64-bit integers digit for digit', decision: decision('D3') },
    findable: { says: 'makes a resource that is found by id and by key', decision: decision('D6') },
    'same-key': { says: 'updates the resource that has the key of the draft', decision: decision('D15') },
    ...refusing('D2'),
    'media-type': { says: 'refuses a body that is no JSON: 415', section: '1', decision: decision('D9') },
  },
  putResource: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    creates: { says: 'creates where its key names nothing', decision: decision('D15') },
    ...overwriting,
    ...refusing('D2'),
  },
  overwriteResource: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    ...overwriting,
    ...missing('D15', 'an unknown key'),
    ...refusing('D2'),
  },
  getResourceById: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    resource: { says: 'answers the resource, 64-bit integers digit for digit', decision: decision('D3') },
    head: { says: 'answers HEAD as GET, without a body', decision: decision('D9') },
    ...missing('D33'),
  },
  getResourceByKey: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    resource: { says: 'answers the resource of that key', decision: decision('D6') },
    ...missing('D13', 'an unknown key'),
  },
  queryResources: {
    ...answered,
    ...bearer,
    ...scoped(),
    ...paged('D10'),
    ...selecting('D10'),
    projection: { says: 'carries the arrays of its first result', decision: decision('D10') },
    conditions: { says: 'answers what satisfies stringParameter, and nothing else', decision: decision('D11') },
  },
  checkResources: {
    status: answered.status,
    'no-token': bearer['no-token'],
    'bad-token': bearer['bad-token'],
    ...scoped(),
    'no-body': { says: 'never has a body' },
    'no-match': { says: 'answers 404 where nothing matches', decision: decision('D12') },
  },
  searchResources: {
    ...answered,
    ...bearer,
    ...scoped(),
    paging: paged('D14').paging,
    total: { says: 'tells how many there are in all', decision: decision('D14') },
    refused: { says: 'refuses names and values that it does not take: 400', decision: decision('D14') },
    text: { says: 'answers what has the word of text.<language>, and nothing else', decision: decision('D14') },
    fuzzy: { says: 'finds a misspelt word with fuzzy=true', decision: decision('D14') },
    'fuzzy-level': { says: 'refuses a fuzzyLevel above the default one: 400', section: '8', decision: decision('D14') },
    filter: { says: 'answers what satisfies filter, and nothing else', decision: decision('D14') },
    facet: { says: 'counts the values of a facet', decision: decision('D14') },
  },
  sortedQuery: {
    ...answered,
    ...bearer,
    ...scoped('D30'),
    ...paged('D20'),
    ...selecting('D20'),
    'where-refused': { says: 'refuses a where that it cannot read: 400', decision: decision('D20') },
  },
  postComplex: {
    ...answered,
    ...bearer,
    ...scoped('D30'),
    repeat: { says: 'answers 201 to a new id, and 200 to the same again', decision: decision('D16') },
    alternatives: { says: 'has two payloads for 203', decision: decision('D16') },
    ...refusing('D17'),
  },
  updateResource: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped('D30'),
    ...versioned,
    'stale-version': { says: 'refuses a stale version with 409, and changes nothing', section: '7' },
    ...current,
    retry: { says: 'takes the same actions with the actual version', section: '9' },
    order: { says: 'applies its actions in their order', section: '2', decision: decision('D18') },
    'no-actions': { says: 'changes nothing without an action', decision: decision('D7') },
    'unknown-action': { says: 'refuses an unknown action with 400, and applies none', decision: decision('D18') },
    ...missing('D33'),
    ...refusing('D18'),
  },
  uploadImage: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    ...versioned,
    formats: { says: 'takes JPEG, PNG and GIF', section: '8' },
    garbage: {
      says: 'refuses what is no image with 400, and changes nothing',
      section: '8',
      decision: decision('D21'),
    },
    'media-type': { says: 'refuses another Content-Type: 415', section: '4.13', decision: decision('D21') },
    ...missing('D21', 'an unknown sku'),
  },
  postAction: {
    ...answered,
    ...bearer,
    kept: { says: 'keeps what it was sent, for GET to answer', decision: decision('D22') },
  },
  getAction: { ...answered, ...bearer },
  getActionWithExample: { ...answered, ...bearer },
  getActionWithHeaders: {
    ...answered,
    ...bearer,
    locale: { says: 'refuses a missing locale, and what is none: 400', decision: decision('D23') },
    accept: { says: 'refuses an Accept that admits no JSON: 406', decision: decision('D23') },
  },
  deleteResource: {
    ...answered,
    ...located,
    ...bearer,
    ...scoped(),
    'stale-version': {
      says: 'refuses another version than the actual one with 409, and deletes nothing',
      decision: decision('D19'),
    },
    ...current,
    resource: { says: 'answers the resource as it was' },
    gone: { says: 'deletes: the resource is found no more' },
    ...missing('D33'),
  },
} as const satisfies Readonly<Record<OperationId, Readonly<Record<string, Check>>>>

type Checks = typeof checks
/** The names of an operation's checks. */
export type CheckName<Id extends OperationId> = keyof Checks[Id] & string
