import { SetupError } from '../errors.ts'

/** A package that users of an entry install themselves. */
interface Peer {
  /** What needs it, as users write it: `resource-mock/msw`. */
  readonly entry: string
  readonly name: string
  /** Its name in prose. */
  readonly title: string
  /** The oldest version that works, as `major.minor`. */
  readonly least: string
}

/** The installed version of a package; undefined in browsers, and if the package is not installed. */
function findInstalledVersion(name: string): string | undefined {
  try {
    // Not imported, since the entry for MSW also runs in browsers.
    // oxlint-disable-next-line no-restricted-globals -- browsers have none, which the catch below is for
    const { createRequire } = process.getBuiltinModule('node:module')
    // Every package.json of npm has a version.
    const { version } = createRequire(import.meta.url)(`${name}/package.json`) as { readonly version: string }
    return version
  } catch {
    return undefined
  }
}

function isOlder(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/**
 * Checks the version of a package that an entry needs. package.json accepts any version, because most projects use only
 * some of the entries.
 *
 * @throws {SetupError} if it is too old.
 */
export function expectPeer({ entry, name, title, least }: Peer, version = findInstalledVersion(name)): void {
  if (version === undefined || !isOlder(version, least)) return
  throw new SetupError(
    `${entry} needs ${title} ${least} or newer; this project has ${version}. Run: npm install --save-dev ${name}@latest`,
  )
}
