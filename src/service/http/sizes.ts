const KIB = 1024
const MIB = 1024 * KIB

/**
 * How large what a client sends may be, in bytes; bodies are measured after decompression (D97). Within its size a body is
 * read, checked and answered in one go. All other JSON bodies of the API and the admin API are limited by `--max-body`.
 */
export const MAX_BYTES = {
  /** The request line. The HTTP server refuses a longer one with 414. */
  requestLine: 64 * KIB,
  /** All headers together. The HTTP server refuses longer ones with 431. */
  headers: 64 * KIB,
  /** The form of a token request. */
  form: 64 * KIB,
  /** A request pattern of the journal. */
  pattern: 64 * KIB,
  /** A message of the Model Context Protocol; a call of `seed_resources` is limited by `--max-body` instead. */
  message: 64 * KIB,
  /** The record of a session's test. */
  test: 64 * KIB,
  /** The definition of a scenario. */
  definition: 256 * KIB,
  /** An uploaded image (D21). */
  image: 10 * MIB,
  /** The body of a request or response that the proxy checks; a longer one passes unchecked. */
  relayed: 16 * MIB,
  /** The body of a request or response that `--passthrough` keeps for the journal; a longer one is only passed on. */
  passedThrough: MIB,
  /** The data of a session or project. */
  state: 64 * MIB,
} as const

/** Maximum length of a path glob, in characters. */
export const MAX_GLOB = 500

/** Maximum number of conditions, sorts, terms or facets in one query, each. */
export const MAX_CONDITIONS = 100
