/** How much a JSON text may hold. */
export interface JsonLimits {
  /** Each element of an array and each member of an object is one. */
  readonly values: number
  /** Objects and arrays: an empty one takes as long to parse as ten numbers. */
  readonly nested: number
  /** Of one object: names that differ take far longer to read than other values. */
  readonly members: number
  /** Of one array. */
  readonly items: number
  /** Characters of one string: it is read in one go. */
  readonly string: number
}

/** At most this many members has an object of a limited text: no documented object has more than ten. */
export const MOST_MEMBERS = 10_000

/** At most so many characters has a string of a limited text: the largest image in base64 has fewer. */
export const MOST_STRING = 20_000_000

/** At most this many items has an array of a limited text: a session has room for half as many resources. */
export const MOST_ITEMS = 500_000

/** What a request's body may hold, so that none holds up the others (D97). */
export const REQUEST_LIMITS: JsonLimits = {
  values: 500_000,
  nested: 100_000,
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
}

/** For what the mock wrote itself, and for files: a request's body always has limits. */
export const UNLIMITED: JsonLimits = {
  values: Infinity,
  nested: Infinity,
  members: Infinity,
  items: Infinity,
  string: Infinity,
}

/** The fewest bytes of a state for each value, and for each object or array in it: ordinary ones take four times as many. */
const BYTES_A_VALUE = 4
const BYTES_A_NESTED = 32

/** What a state may hold that has at most so many bytes (D97): more than a state of that size ever does. */
export const toStateLimits = (bytes: number): JsonLimits => ({
  values: Math.ceil(bytes / BYTES_A_VALUE),
  nested: Math.ceil(bytes / BYTES_A_NESTED),
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
})
