/** What of a test tells it from every other one of a run. */
export interface TestIdentity {
  readonly title: string
  /** Playwright's: hashes of the file and of the title, with project and repetition in them. */
  readonly testId: string
  readonly retry: number
}

/** Of the 64 characters that a session's name may have. */
const MOST_OF_TITLE = 28
const HASH_LENGTH = 8

const shorten = (hash: string): string => hash.slice(0, HASH_LENGTH)

function toSlug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, MOST_OF_TITLE)
  return words.replaceAll(/^-+|-+$/g, '').toLowerCase() || 'test'
}

/**
 * Names the session of a test so that a person finds it in the dashboard, and nothing else has it: no other test of this
 * run or of another one that uses the same server, and no hook of the test, whose fixtures are its own.
 *
 * @param random what tells this one from all others
 * @example toSessionName({ title: 'Saves after a conflict', testId: 'a30a6eba6312f6b87ea5-9c54b7e1…', retry: 0 }, '5f0c1d2e')
 * // 'saves-after-a-conflict-a30a6eba9c54b7e1-5f0c1d2e'
 */
export function toSessionName({ title, testId, retry }: TestIdentity, random: string): string {
  const [file = '', test = ''] = testId.split('-')
  const name = `${toSlug(title)}-${shorten(file)}${shorten(test)}-${shorten(random)}`
  return retry === 0 ? name : `${name}-r${retry}`
}
