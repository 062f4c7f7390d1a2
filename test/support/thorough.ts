import { inject } from 'vitest'

declare module 'vitest' {
  // Vitest's `provide` and `inject` are typed through this interface.
  interface ProvidedContext {
    /** Whether a file of THOROUGH in vitest.config.ts runs with all of its cases. */
    readonly isThorough: boolean
  }
}

/** Picks the cases of a test: all in the slow project, and in `npm test` some that represent the others. */
export const pick = <Cases>(all: Cases, some: Cases): Cases => (inject('isThorough') ? all : some)

/** How often a test tries random input: the full number of times in the slow project, and a fifth of it in `npm test`. */
export const runs = (full: number): number => (inject('isThorough') ? full : Math.ceil(full / 5))
