import {
  check,
  answered,
  anyScope,
  bearer,
  head,
  jsonBody,
  methods,
  queried,
  scoped,
  unknownMembers,
} from './common.ts'

const getting = { ...answered, ...bearer, ...anyScope, ...head }
const cart = { order: check('lists the members of the cart in the order of the specification', 'D8', '2') }

export const actions = {
  postComplex: {
    ...answered,
    ...bearer,
    ...scoped('D30'),
    ...jsonBody(true),
    ...unknownMembers('createdBy'),
    ...queried('queryParameterOne', 'queryParameterOne and queryParameterTwo'),
    repeat: check('answers 201 to a new id, and 200 to the same again, whatever the query', 'D16'),
    'other-path': check('answers 201 to the same id with another uriParameterOne or uriParameterTwo', 'D16'),
    'no-id': check('answers 201 each time to a body without id', 'D16'),
    optional: check('takes a body with no member; a strict service refuses it: 400', 'D17'),
    alternatives: check('has two payloads for 203', 'D16'),
    'body-refused': check(
      'refuses each of the sixteen members, firstName and lastName of the wrong type or null, and a createdAt that is not a date-time: 400',
      'D17',
      '2',
    ),
    ...methods('GET and DELETE'),
  },
  postAction: {
    ...answered,
    ...bearer,
    ...anyScope,
    ...jsonBody(false),
    kept: check(
      'keeps an object, arrays, texts, numbers, true, false and null, empty ones and 0 too, each for GET to answer',
      'D22',
    ),
    'own-project': check('keeps a payload for its project alone', 'D22', '1'),
    empty: check('takes an empty body for {}', 'D22'),
    ...methods('PUT and DELETE'),
  },
  getAction: getting,
  getActionWithExample: { ...getting, ...cart, ...methods('POST and DELETE') },
  getActionWithHeaders: {
    ...getting,
    ...cart,
    ...methods('POST and DELETE'),
    'locale-forms': check('takes de-DE, de_DE and de, and sv-SE, whether it has such a cart or not', 'D23'),
    locale: check(
      'refuses a missing Storefront-Locale, which it names, an empty one, and "not a locale", "1" and "de-": 400',
      'D23',
    ),
    language: check(
      'names in Content-Language the language that was asked for, or none, and the same for de_DE as for de-DE',
      'D23',
    ),
    translation: check('has line items of other names where Content-Language names another language', 'D23'),
    'accept-forms': check('takes an Accept of */*, application/* and application/json;q=0.1', 'D23'),
    accept: check('refuses an Accept of text/html, image/png and application/json;q=0 with 406', 'D23'),
    'no-accept': check('refuses a request without Accept, which it names: 400', 'D23'),
  },
}

/** What belongs to no operation. */
export const elsewhere = {
  anyPath: {
    status: check('answers every request'),
    'unknown-path': check('answers undocumented paths with 404', 'D24'),
    envelope: bearer.envelope,
    nosniff: answered.nosniff,
    'correlation-id': check(
      'takes an X-Correlation-ID of 8 and of 256 characters, and makes another one each time none is sent',
      'D33',
      '7',
    ),
    'correlation-id-refused': check(
      'refuses an X-Correlation-ID of 7 and of 257 characters, with a space, a dot, a slash, a colon or a tilde, in an update and a HEAD too: 400',
      'D33',
      '7',
    ),
    projects: check(
      'finds no resource of the project in another one: not by id, not by key, not by a query',
      undefined,
      '1',
    ),
  },
  tokenEndpoints: {
    status: check('answers every request'),
    token: check('gives a token by client_credentials: Bearer, 172800 seconds, with its scope', 'D31'),
    'asked-scope': check('gives the scope that was asked for', 'D31'),
    'any-form': check('reads parameters in the query, and a form whatever its Content-Type', 'D31'),
    anonymous: check('gives an anonymous token with a refresh token', 'D31'),
    customer: check(
      'gives a customer a token with a refresh token, or refuses a password that it does not know with 400',
      'D31',
    ),
    refresh: check('gives a good token of the same scope for a refresh token', 'D31'),
    introspect: check('tells of a token active, scope, and exp in seconds', 'D31'),
    'introspect-bad': check('tells of a token with another signature that it is not active', 'D31'),
    client: check('refuses a request without a client: 401 invalid_client', 'D31'),
    refused: check(
      'refuses no grant_type (invalid_request), another one (unsupported_grant_type), a bad refresh token (invalid_grant) and a bad scope (invalid_scope): 400',
      'D31',
    ),
    'correlation-id': answered['correlation-id'],
    nosniff: answered.nosniff,
    envelope: check('tells errors in the one envelope, with error and error_description', 'D31', '7'),
  },
}
