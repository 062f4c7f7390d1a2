/** The timeout for expected events, in milliseconds: far more than a busy machine needs. */
export const PATIENCE = 30_000
