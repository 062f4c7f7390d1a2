/** The list begins with this many requests. */
export const FIRST_ROWS = 1000

/** The list has at most this many requests, whatever the journal keeps. */
export const MOST_ROWS = 10_000
