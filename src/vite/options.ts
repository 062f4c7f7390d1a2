import { SetupError } from '../errors.ts'
import type { MockOptions } from '../options/options.ts'
import { showValue } from '../http/show-value.ts'
import type { FileTexts } from '../util/file-texts.ts'

/** The options of `resourceMock`: those of a mock, and its path. */
export interface ViteMockOptions extends Omit<MockOptions, 'fixtures' | 'scenarios' | 'host' | 'onShutdown'> {
  /** The path of the mock on the dev server. Default `/api`. */
  readonly prefix?: string
  /** A folder of fixture files, from Vite's root, read again when a file in it changes; or texts by file name. */
  readonly fixtures?: string | FileTexts
  /** A folder of scenario files, as `fixtures`. */
  readonly scenarios?: string | FileTexts
}

/**
 * Holds a prefix to what a path is.
 *
 * @throws {SetupError} for the root, which would leave the dev server nothing to serve, and for what is no path.
 */
export function parsePrefix(text: string): string {
  // Callers without TypeScript may pass anything.
  const prefix = typeof text === 'string' ? text.replace(/\/+$/, '') : ''
  if (/^(?:\/[\w.~!$&'()*+,;=:-]+)+$/.test(prefix)) return prefix
  throw new SetupError(
    `The prefix ${showValue(text)} of resourceMock is not a path below the root. Pass one such as /api.`,
  )
}
