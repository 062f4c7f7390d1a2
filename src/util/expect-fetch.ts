import { SetupError } from '../errors.ts'

/**
 * Checks that `fetch` and its classes exist, which an option of Node removes and jsdom does not have.
 *
 * @throws {SetupError} if they do not.
 */
export function expectFetch(): void {
  if (typeof Request === 'function' && typeof Response === 'function') return
  throw new SetupError(
    'This process has no fetch. Remove --no-experimental-fetch from its options and from NODE_OPTIONS; in jest, use jest-fixed-jsdom.',
  )
}
