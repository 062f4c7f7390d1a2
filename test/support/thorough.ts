import { inject } from 'vitest'

declare module 'vitest' {
  // Vitest's `provide` and `inject` are typed through this interface.
  interface ProvidedContext {
    /** Whether tests run with all of their cases, as they do everywhere but in `npm test`. */
    readonly isThorough: boolean
  }
}

/** Picks the cases of a test: all, or in `npm test` some that represent the others. */
export const pick = <Cases>(all: Cases, some: Cases): Cases => (inject('isThorough') ? all : some)

/** How often a test tries random input: the full number of times, or in `npm test` a fifth of it. */
export const runs = (full: number): number => (inject('isThorough') ? full : Math.ceil(full / 5))
