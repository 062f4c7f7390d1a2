import {
  check,
  answered,
  bearer,
  counted,
  dated,
  jsonBody,
  located,
  methods,
  missing,
  ordered,
  scoped,
  unknownMembers,
} from './common.ts'

/** What holds of an answer that leads to the resource it wrote. */
const written = {
  ...answered,
  ...located('the headers ETag and Location'),
  location: check('has a Location that ends with /{projectKey}/resource/{id}', 'D5'),
}

/** What holds of the three operations that take a draft. */
const drafted = {
  ...written,
  ...ordered,
  ...bearer,
  ...scoped(),
  ...jsonBody(false),
  ...unknownMembers('objectTypeProperty and its entries, and keeps none'),
  'body-refused': check(
    'refuses a draft without objectTypeProperty, and arrays and members of the wrong type or null: 400',
    'D2',
  ),
  ranges: check(
    'refuses integers past int64 in each integer array and in integerExample, and past int32 in integerExampleInt32: 400',
    'D3',
    '2',
  ),
  'whole-numbers': check('takes 1.0 for an integer, and answers 1', 'D9'),
  'bad-key': check(
    'refuses a key of 1 or 257 characters, and one with a dot, a space, a slash or an ü: 400 InvalidField',
    'D6',
  ),
  texts: check(
    'keeps texts letter for letter: empty, with spaces at both ends, quotes, a line break, letters beyond ASCII',
    undefined,
    '2',
  ),
  decimals: check('keeps decimals as doubles: 0.1, 1e-7, 123456789.123 and 0.30000000000000004', undefined, '2'),
  'partial-entries': check('takes entries of arrayOfObjectType with one member, and with none', 'D9'),
  'array-constraints': check(
    'keeps a number twice in an array, and three in arrayOfTwonumbersExample; a strict service may refuse those of D1: 400',
    'D1',
  ),
  ...counted('a draft that changes nothing'),
  ...dated,
}

const overwriting = {
  overwrites: check(
    'replaces the content of the resource of its key, and keeps nothing of what was there; one version on',
    'D15',
  ),
}

const versioned = { 'version-grows': check('raises the version by exactly 1', 'D7', '9') }

const current = { 'current-version': check('names the actual version in its 409, as currentVersion', 'D33', '7') }

export const writes = {
  createResource: {
    ...drafted,
    ...jsonBody(true),
    'first-version': check('begins with version 1', 'D7', '9'),
    content: check('answers what was sent, the bounds of int64 and int32 digit for digit', 'D3', '2'),
    partial: check('keeps a draft with some of the arrays as it was sent; a strict service refuses it: 400', 'D2'),
    findable: check('makes a resource that GET finds by id and by key', 'D6'),
    'same-key': check(
      'updates the resource that has the key of the draft: 201, the same id, one version on, the new content alone',
      'D15',
    ),
    'long-key': check('takes a key of 256 characters', 'D6'),
    'key-letters': check('takes A-Z, a-z, 0-9, _ and - in keys, and tells keys by their capitals', 'D6'),
    'odd-key': check('refuses null, a number and an empty text as a key: 400', 'D6'),
    keyless: check('makes another resource each time the draft has no key', 'D15'),
  },
  putResource: {
    ...drafted,
    creates: check('creates where its key names nothing, with version 1', 'D15'),
    ...overwriting,
  },
  overwriteResource: {
    ...drafted,
    ...overwriting,
    'keeps-property': check('keeps someProperty, which no draft carries', 'D50'),
    ...missing('D15', 'an unknown key'),
    'creates-none': check('makes no resource of a key that names none', 'D15'),
  },
  updateResource: {
    ...written,
    ...ordered,
    ...bearer,
    ...scoped('D30'),
    ...jsonBody(true),
    ...unknownMembers('an action'),
    ...versioned,
    ...counted('a value that is already there'),
    ...dated,
    'whole-version': check('takes version 1.0 for 1', 'D9'),
    'stale-version': check('refuses a version too low and one too high with 409, and changes nothing', undefined, '7'),
    ...current,
    retry: check('takes the same actions with the actual version', undefined, '9'),
    'action-order': check('applies its actions in their order', 'D18', '2'),
    'keeps-content': check('leaves the arrays as they are', 'D18', '2'),
    'does-something': check('counts doSomeThing as an action, and changes nothing else by it', 'D18'),
    'no-actions': check('changes nothing without an action, lastModifiedAt included', 'D7'),
    'stale-without-actions': check('compares the version without an action too: 409', undefined, '9'),
    'unknown-action': check('refuses an unknown action after a good one with 400, and applies neither', 'D18'),
    'incomplete-action': check(
      'refuses changeSomeProperty without someProperty after a good action with 400, and applies neither',
      'D18',
    ),
    'many-actions': check('takes 500 actions as one version, and refuses 501: 400', 'D18'),
    'shape-first': check('answers 400 to a body of the wrong shape, though its version is stale', 'D18'),
    'version-second': check('answers 409 to a stale version, though an action is unknown or incomplete', 'D18'),
    'body-refused': check(
      'refuses a missing version or actions, a version that is a text, true or null, and actions that are null, or not objects with a text `action`: 400',
      'D18',
      '2',
    ),
    ...missing('D33'),
    ...methods('PUT and PATCH of an id'),
  },
  uploadImage: {
    ...written,
    ...bearer,
    ...scoped(),
    ...versioned,
    ...dated,
    formats: check('takes JPEG, PNG and GIF', undefined, '8'),
    'keeps-content': check('leaves the arrays as they are', 'D21'),
    garbage: check(
      'refuses text, an empty body, each format cut off and a PNG as JPEG with 400, and changes nothing',
      'D21',
      '8',
    ),
    'no-media-type': check('refuses an image without Content-Type: 400', 'D21'),
    'media-type': check('refuses image/webp, image/svg+xml and application/json: 415', 'D21'),
    'too-large': check('refuses more than 10 MiB: 413', 'D21'),
    parameters: check('takes filename, variant and staged, and prefers sku to variant', 'D21'),
    refused: check('refuses variant=abc, variant=1.5 and staged=perhaps: 400', 'D9'),
    'large-variant': check(
      'answers a variant past int32 with 400, or takes it: then 404, or 200 with a sku beside it',
      'D21',
    ),
    'single-valued': check('refuses sku, filename, variant and staged given twice: 400', 'D9'),
    ...missing('D21', 'an unknown sku, and variant 2147483647,'),
    ...methods('GET and DELETE'),
  },
  deleteResource: {
    ...answered,
    ...located('an ETag, and no Location'),
    ...bearer,
    ...scoped(),
    'stale-version': check('refuses a version too low and one too high with 409, and deletes nothing', 'D19'),
    ...current,
    'actual-version': check('deletes with the actual version, and with a body, which it ignores', 'D19'),
    refused: check('refuses version=abc and version=1.5: 400', 'D9'),
    'single-valued': check('refuses version given twice: 400', 'D9'),
    resource: check('answers the resource as it was'),
    gone: check(
      'deletes: no GET by id or key, query, HEAD, search or update finds the resource, and another DELETE is 404',
    ),
    'key-freed': check('frees the key: POST makes another resource with it, of version 1', 'D15'),
    ...missing('D33'),
  },
}
