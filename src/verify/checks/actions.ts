import { decision } from '../../contract/decisions.ts'
import type { Check } from './check.ts'
import { answered, anyScope, bearer, head, jsonBody, methods, queried, scoped, unknownMembers } from './common.ts'

export const actions = {
  postComplex: {
    ...answered,
    ...bearer,
    ...scoped('D30'),
    ...jsonBody(true),
    ...unknownMembers,
    ...queried('queryParameterOne', 'queryParameterOne and queryParameterTwo'),
    repeat: { says: 'answers 201 to a new id, and 200 to the same again', decision: decision('D16') },
    'other-path': { says: 'answers 201 to the same id on another path', decision: decision('D16') },
    'no-id': { says: 'answers 201 each time to a body without id', decision: decision('D16') },
    optional: {
      says: 'takes a body with no member; a strict service refuses it: 400',
      decision: decision('D17'),
    },
    alternatives: { says: 'has two payloads for 203', decision: decision('D16') },
    'body-refused': {
      says: 'refuses each of the sixteen members of the wrong type, and a createdAt that is not a date-time: 400',
      section: '2',
      decision: decision('D17'),
    },
    ...methods('GET and DELETE'),
  },
  postAction: {
    ...answered,
    ...bearer,
    ...anyScope,
    ...jsonBody(false),
    kept: {
      says: 'keeps an object, an array, a text, a number, true and null, each for GET to answer',
      decision: decision('D22'),
    },
    empty: { says: 'takes an empty body for {}', decision: decision('D22') },
    ...methods('PUT and DELETE'),
  },
  getAction: { ...answered, ...bearer, ...anyScope, ...head },
  getActionWithExample: { ...answered, ...bearer, ...anyScope, ...head, ...methods('POST and DELETE') },
  getActionWithHeaders: {
    ...answered,
    ...bearer,
    ...anyScope,
    ...head,
    ...methods('POST and DELETE'),
    'locale-forms': { says: 'takes de-DE, de_DE and de', decision: decision('D23') },
    locale: {
      says: 'refuses a missing Storefront-Locale, an empty one, and "not a locale", "1" and "de-": 400',
      decision: decision('D23'),
    },
    language: { says: 'names in Content-Language the same for de_DE as for de-DE', decision: decision('D23') },
    'accept-forms': {
      says: 'takes an Accept of */*, application/* and application/json;q=0.1',
      decision: decision('D23'),
    },
    accept: {
      says: 'refuses an Accept of text/html, image/png and application/json;q=0 with 406',
      decision: decision('D23'),
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Check>>>>

/** What belongs to no operation. */
export const elsewhere = {
  anyPath: {
    status: { says: 'answers every request' },
    'unknown-path': { says: 'answers undocumented paths with 404', decision: decision('D24') },
    envelope: bearer.envelope,
    'correlation-id': {
      says: 'takes an X-Correlation-ID of 8 and of 256 characters, and makes one where none is sent',
      section: '7',
      decision: decision('D33'),
    },
    'correlation-id-refused': {
      says: 'refuses an X-Correlation-ID of 7 and of 257 characters, with a space or a dot: 400',
      section: '7',
      decision: decision('D33'),
    },
    projects: {
      says: 'finds no resource of the project in another one: not by id, not by key, not by a query',
      section: '1',
    },
  },
  tokenEndpoints: {
    status: { says: 'answers every request' },
    token: {
      says: 'gives a token by client_credentials: Bearer, 172800 seconds, with its scope',
      decision: decision('D31'),
    },
    'asked-scope': { says: 'gives the scope that was asked for', decision: decision('D31') },
    'any-form': {
      says: 'reads parameters in the query, and a form whatever its Content-Type',
      decision: decision('D31'),
    },
    anonymous: { says: 'gives an anonymous token with a refresh token', decision: decision('D31') },
    refresh: { says: 'gives a good token for a refresh token', decision: decision('D31') },
    introspect: { says: 'tells of a token active, scope, and exp in seconds', decision: decision('D31') },
    'introspect-bad': {
      says: 'tells of a token with another signature that it is not active',
      decision: decision('D31'),
    },
    client: { says: 'refuses a request without a client: 401 invalid_client', decision: decision('D31') },
    refused: {
      says: 'refuses no grant_type (invalid_request), another one (unsupported_grant_type), a bad refresh token (invalid_grant) and a bad scope (invalid_scope): 400',
      decision: decision('D31'),
    },
    'correlation-id': answered['correlation-id'],
    envelope: {
      says: 'tells errors in the one envelope, with error and error_description',
      section: '7',
      decision: decision('D31'),
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Check>>>>
