const MEBIBYTE = 1024 * 1024
const GIBIBYTE = 1024 * MEBIBYTE

/** Where the whole numbers among the options lie, whether a flag, a configuration file or a program gives them. */
export const optionBounds = {
  generate: { least: 0, most: 100_000 },
  journal: { least: 0, most: 100_000 },
  maxSessions: { least: 1, most: 100_000 },
  /** Bytes: a longer text than the last JavaScript cannot hold. */
  maxBody: { least: 1, most: 512 * MEBIBYTE },
  journalBytes: { least: 1, most: 16 * GIBIBYTE },
  imageBytes: { least: 1, most: 16 * GIBIBYTE },
} as const
