/** As long as a test waits for what is about to happen, in milliseconds: a guard, far beyond what a busy machine takes. */
export const PATIENCE = 30_000
