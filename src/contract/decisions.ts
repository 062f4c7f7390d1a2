/**
 * What the mock does where the specification is silent, by number. `docs/decisions.md` tells each in full;
 * the titles here are what warnings, OpenAPI (`x-decision`) and the dashboard show.
 */
export const decisions = {
  D1: 'array constraints are promised by names only',
  D2: 'required draft fields',
  D3: '64-bit integers are exact',
  D4: 'unknown members and query parameters',
  D5: 'identity of a resource',
  D6: 'where keys come from',
  D7: 'when the version is raised',
  D8: 'field order of responses',
  D9: 'how requests are read',
  D10: 'paging fields of the query result',
  D11: 'meaning of the query parameters',
  D12: 'HEAD without a match',
  D13: 'unknown and empty keys',
  D14: 'search, filters and facets',
  D15: 'which resource is overwritten',
  D16: 'status of the complex POST',
  D17: 'required fields of the complex POST',
  D18: 'answer of an update, and its actions',
  D19: 'deletion with a version',
  D20: 'paged result of the sorted query',
  D21: 'image upload',
  D22: 'action payload',
  D23: 'cart, locale and Accept',
  D24: 'unknown paths and methods',
  D30: 'scopes of endpoints that show none',
  D31: 'how a token is obtained',
  D32: 'which tokens are good',
  D33: 'answers 401 and 403',
  D50: 'an overwrite replaces both projections',
  D51: 'a frozen clock freezes ids too',
  D52: 'base URLs know no case',
  D53: 'where, to the letter',
  D54: 'what has no value sorts last',
  D55: 'query conditions, to the letter',
  D56: 'search, to the letter',
  D57: 'tokens, to the letter',
  D58: 'what a fixture record may leave out',
  D59: 'generated resources',
  D60: 'when an image is whole',
  D61: 'the command line, to the letter',
  D62: 'what is refused before it is a request',
  D63: 'one mock a state file',
  D64: "the journal's patterns",
  D65: 'scenarios, to the letter',
  D66: 'preferences, to the letter',
  D67: 'what errors repeat, and what versions may be',
  D68: 'the admin API, to the letter',
  D69: 'sessions, to the letter',
} as const

export type DecisionId = keyof typeof decisions

/** Marks the line that rests on a decision, so that a search for its number finds the code. */
export const decision = <Id extends DecisionId>(id: Id): Id => id
