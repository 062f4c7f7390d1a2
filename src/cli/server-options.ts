import { SetupError } from '../errors.ts'
import { readFolder, readText } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import type { ServerOptions, Settings } from '../options/options.ts'

async function readTls({ tlsCert, tlsKey }: Partial<Settings>): Promise<ServerOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    const [given, missing] = tlsCert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key']
    throw new SetupError(`${given} is given without ${missing}. HTTPS needs both: add ${missing}.`)
  }
  return { cert: await readText(tlsCert, '--tls-cert'), key: await readText(tlsKey, '--tls-key') }
}

/** The user's own folders, by the names of their options. */
export const foldersOf = ({ fixtures, scenarios }: Partial<Settings>): ReadonlyMap<FolderName, string> =>
  new Map([
    ...(fixtures === undefined ? [] : [['fixtures', fixtures] as const]),
    ...(scenarios === undefined ? [] : [['scenarios', scenarios] as const]),
  ])

/** Loaded by those who share the state. */
async function openStore(url: string, wait: number | undefined): Promise<ServerOptions['store']> {
  const { redisStore } = await import('../redis.ts')
  return redisStore({ url, ...(wait === undefined ? {} : { wait }) })
}

/**
 * The options that a server is started with; reads the files that the settings name.
 *
 * @throws {SetupError} when one of them cannot be read, or half of a pair is missing.
 */
export async function toServerOptions(settings: Partial<Settings>): Promise<ServerOptions> {
  const {
    tlsCert: _cert,
    tlsKey: _key,
    log: _log,
    open: _open,
    watch,
    store,
    storeWait,
    fixtures,
    scenarios,
    ...same
  } = settings
  if (store !== undefined && watch === true) {
    throw new SetupError(
      '--watch does not go with --store: mocks that share a store keep the fixtures that they began with. Remove one of them.',
    )
  }
  return {
    ...same,
    store: store === undefined ? undefined : await openStore(store, storeWait),
    fixtures: fixtures === undefined ? undefined : await readFolder('fixtures', fixtures),
    scenarios: scenarios === undefined ? undefined : await readFolder('scenarios', scenarios),
    tls: await readTls(settings),
  }
}
