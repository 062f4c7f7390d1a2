import { decision } from '../../contract/decisions.ts'
import type { DecisionId } from '../../contract/decisions.ts'
import { answered, bearer, jsonBody, located, methods, missing, ordered, scoped, unknownMembers } from './common.ts'
import type { Check } from './check.ts'

/** What holds of the three operations that take a draft. */
const drafted = {
  ...answered,
  ...located('the headers ETag and Location'),
  location: { says: 'has a Location that ends with /{projectKey}/resource/{id}', decision: decision('D5') },
  ...ordered,
  ...bearer,
  ...scoped(),
  ...jsonBody(false),
  ...unknownMembers,
  'body-refused': {
    says: 'refuses a draft without objectTypeProperty, and arrays and members of the wrong type: 400',
    decision: decision('D2'),
  },
  ranges: {
    says: 'refuses integers past int64 in each integer array and in integerExample, and past int32 in integerExampleInt32: 400',
    section: '2',
    decision: decision('D3'),
  },
  'whole-numbers': { says: 'takes 1.0 for an integer, and answers 1', decision: decision('D9') },
  'bad-key': {
    says: 'refuses a key of 1 or 257 characters, and one with a dot, a space or an ü: 400',
    decision: decision('D6'),
  },
} as const

const overwriting = {
  overwrites: {
    says: 'replaces the content of the resource of its key, and keeps nothing of what was there; one version on',
    decision: decision('D15'),
  },
} as const

const versioned = {
  'version-grows': { says: 'raises the version by exactly 1', section: '9', decision: decision('D7') },
} as const

const current = (decided?: DecisionId) =>
  ({
    'current-version': {
      says: 'names the actual version in its 409, as currentVersion',
      section: '7',
      decision: decided ?? decision('D33'),
    },
  }) as const

export const writes = {
  createResource: {
    ...drafted,
    ...jsonBody(true),
    'first-version': { says: 'begins with version 1', section: '9', decision: decision('D7') },
    content: {
      says: 'answers what was sent, the bounds of int64 and int32 digit for digit',
      section: '2',
      decision: decision('D3'),
    },
    partial: {
      says: 'keeps a draft with some of the arrays as it was sent; a strict service refuses it: 400',
      decision: decision('D2'),
    },
    findable: { says: 'makes a resource that GET finds by id and by key', decision: decision('D6') },
    'same-key': {
      says: 'updates the resource that has the key of the draft: 201, the same id, one version on, the new content alone',
      decision: decision('D15'),
    },
    'long-key': { says: 'takes a key of 256 characters', decision: decision('D6') },
    keyless: { says: 'makes another resource each time the draft has no key', decision: decision('D15') },
  },
  putResource: {
    ...drafted,
    creates: { says: 'creates where its key names nothing, with version 1', decision: decision('D15') },
    ...overwriting,
  },
  overwriteResource: {
    ...drafted,
    ...overwriting,
    'keeps-property': { says: 'keeps someProperty, which no draft carries', decision: decision('D50') },
    ...missing('D15', 'an unknown key'),
  },
  updateResource: {
    ...answered,
    ...located('the headers ETag and Location'),
    location: { says: 'has a Location that ends with /{projectKey}/resource/{id}', decision: decision('D5') },
    ...ordered,
    ...bearer,
    ...scoped('D30'),
    ...jsonBody(true),
    ...unknownMembers,
    ...versioned,
    'stale-version': { says: 'refuses a version too low and one too high with 409, and changes nothing', section: '7' },
    ...current(),
    retry: { says: 'takes the same actions with the actual version', section: '9' },
    'action-order': { says: 'applies its actions in their order', section: '2', decision: decision('D18') },
    'keeps-content': { says: 'leaves the arrays as they are', section: '2', decision: decision('D18') },
    'does-something': {
      says: 'counts doSomeThing as an action, and changes nothing else by it',
      decision: decision('D18'),
    },
    'no-actions': { says: 'changes nothing without an action', decision: decision('D7') },
    'stale-without-actions': { says: 'compares the version without an action too: 409', section: '9' },
    'unknown-action': {
      says: 'refuses an unknown action after a good one with 400, and applies neither',
      decision: decision('D18'),
    },
    'incomplete-action': {
      says: 'refuses changeSomeProperty without someProperty after a good action with 400, and applies neither',
      decision: decision('D18'),
    },
    'many-actions': { says: 'takes 500 actions as one version, and refuses 501: 400', decision: decision('D18') },
    'shape-first': {
      says: 'answers 400 to a body of the wrong shape, though its version is stale',
      decision: decision('D18'),
    },
    'version-second': {
      says: 'answers 409 to a stale version, though an action is unknown or incomplete',
      decision: decision('D18'),
    },
    'body-refused': {
      says: 'refuses a missing version or actions, a version as text, and actions that are not objects with a text `action`: 400',
      section: '2',
      decision: decision('D18'),
    },
    ...missing('D33'),
    ...methods('PUT and PATCH of an id'),
  },
  uploadImage: {
    ...answered,
    ...located('the headers ETag and Location'),
    location: { says: 'has a Location that ends with /{projectKey}/resource/{id}', decision: decision('D5') },
    ...bearer,
    ...scoped(),
    ...versioned,
    formats: { says: 'takes JPEG, PNG and GIF', section: '8' },
    'keeps-content': { says: 'leaves the arrays as they are', decision: decision('D21') },
    garbage: {
      says: 'refuses text, an empty body, a PNG cut off and a PNG as JPEG with 400, and changes nothing',
      section: '8',
      decision: decision('D21'),
    },
    'no-media-type': { says: 'refuses an image without Content-Type: 400', decision: decision('D21') },
    'media-type': {
      says: 'refuses image/webp, image/svg+xml and application/json: 415',
      decision: decision('D21'),
    },
    'too-large': { says: 'refuses more than 10 MiB: 413', decision: decision('D21') },
    parameters: { says: 'takes filename, variant and staged, and prefers sku to variant', decision: decision('D21') },
    refused: { says: 'refuses variant=abc, variant=2147483648 and staged=perhaps: 400', decision: decision('D9') },
    'single-valued': { says: 'refuses sku and filename given twice: 400', decision: decision('D9') },
    ...missing('D21', 'an unknown sku, and variant 2147483647,'),
    ...methods('GET and DELETE'),
  },
  deleteResource: {
    ...answered,
    headers: { says: 'has an ETag, and no Location', decision: decision('D5') },
    etag: located('').etag,
    ...bearer,
    ...scoped(),
    'stale-version': {
      says: 'refuses a version too low and one too high with 409, and deletes nothing',
      decision: decision('D19'),
    },
    ...current(),
    'actual-version': {
      says: 'deletes with the actual version, and with a body, which it ignores',
      decision: decision('D19'),
    },
    refused: { says: 'refuses version=abc and version=1.5: 400', decision: decision('D9') },
    resource: { says: 'answers the resource as it was' },
    gone: { says: 'deletes: no GET by id or key, query or update finds the resource, and another DELETE is 404' },
    'key-freed': {
      says: 'frees the key: POST makes another resource with it, of version 1',
      decision: decision('D15'),
    },
    ...missing('D33'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Check>>>>
