import { SetupError } from '../errors.ts'
import type { Tls } from '../node/tls.ts'
import type { ServerOptions } from '../node/server.ts'
import { readFolder, readText } from '../node/folder.ts'
import type { Settings } from './options.ts'

async function readTls({ tlsCert, tlsKey }: Settings): Promise<Tls | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    const [given, missing] = tlsCert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key']
    throw new SetupError(`${given} is given without ${missing}. HTTPS needs both: give ${missing} too.`)
  }
  return { cert: await readText(tlsCert, '--tls-cert'), key: await readText(tlsKey, '--tls-key') }
}

/** An absent option is left out, so that the default of whom it is for applies. */
type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }
const given = <T extends object>(members: T): Given<T> =>
  // Leaving out what is undefined is exactly what the type says.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>

/**
 * What a server is started with, the files that the settings name read.
 *
 * @throws {SetupError} when one of them cannot be read, or half of a pair is missing.
 */
export async function toServerOptions(settings: Settings): Promise<ServerOptions> {
  const { tlsCert: _cert, tlsKey: _key, log: _log, watch: _watch, client, adminOrigin, ...same } = settings
  const { fixtures, scenarios } = settings
  return given({
    ...same,
    clients: client,
    adminOrigins: adminOrigin,
    fixtures: fixtures === undefined ? undefined : await readFolder('fixtures', fixtures),
    scenarios: scenarios === undefined ? undefined : await readFolder('scenarios', scenarios),
    tls: await readTls(settings),
  })
}
