import { SetupError } from '../errors.ts'

/** Where a store is, and how its keys begin. */
export interface StoreAddress {
  /** For the client, without what it does not know. */
  readonly url: string
  /** For sentences: without name and password. */
  readonly shown: string
  readonly prefix: string
  readonly database: number
  readonly isCluster: boolean
}

const PREFIX = /^[A-Za-z0-9._:-]{1,64}$/

const wrong = (what: string): SetupError =>
  new SetupError(
    `--store ${what} Use redis://host:6379, redis://:password@host:6379/1?prefix=team, or rediss:// for TLS.`,
  )

function parseDatabase(path: string): number {
  if (path === '' || path === '/') return 0
  if (/^\/\d{1,5}$/.test(path)) return Number(path.slice(1))
  throw wrong(`has the path ${JSON.stringify(path)}, which is not the number of a database.`)
}

/** Whether name and password can be told from what follows them: what the URL Standard reads otherwise would be shown. */
function isReadable({ username, password, pathname, search, hash }: URL): boolean {
  if (hash !== '' || `${pathname}${search}`.includes('@')) return false
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

/**
 * Parses the URL of a store: `redis://` or `rediss://`, then `?prefix=` and `?cluster=true`.
 *
 * @throws {SetupError} for anything else.
 */
export function parseStoreAddress(text: string): StoreAddress {
  if (!URL.canParse(text)) throw wrong(`is not a URL: ${JSON.stringify(text.replace(/\/\/.*@/, '//…@'))}.`)
  const url = new URL(text)
  if (!isReadable(url)) {
    throw wrong(
      'has a name or password with "%", "#", "/", "?" or "@" in it. Write %25, %23, %2F, %3F or %40 for them.',
    )
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') {
    throw wrong(`begins with ${JSON.stringify(url.protocol)}, and only redis: and rediss: are known.`)
  }
  const { prefix = 'resource-mock', cluster = 'false', ...others } = Object.fromEntries(url.searchParams)
  const [stranger] = Object.keys(others)
  if (stranger !== undefined) throw wrong(`has the unknown parameter ${JSON.stringify(stranger)}.`)
  if (!PREFIX.test(prefix)) {
    throw wrong(
      `has the prefix ${JSON.stringify(prefix)}, but 1 to 64 of A-Z, a-z, 0-9, ".", "_", ":" and "-" are expected.`,
    )
  }
  const database = parseDatabase(url.pathname)
  if (cluster !== 'true' && cluster !== 'false') {
    throw wrong(`has the value ${JSON.stringify(cluster)} for cluster, but true or false is expected.`)
  }
  const isCluster = cluster === 'true'
  if (isCluster && database !== 0) throw wrong('names a database, but a cluster has only database 0.')
  const shown = `${url.protocol}//${url.host}${database === 0 ? '' : `/${database}`}`
  url.search = ''
  return { url: url.href, shown, prefix, database, isCluster }
}
