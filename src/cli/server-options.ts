import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupError } from '../errors.ts'
import type { Tls } from '../node/tls.ts'
import type { ServerOptions } from '../node/server.ts'
import type { Settings } from './options.ts'

async function readText(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new SetupError(
      `${flag} is ${JSON.stringify(file)}, which cannot be read. Give a file that exists and that this user may read.`,
      { cause },
    )
  }
}

async function readFixtures(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new SetupError(
      `--fixtures is ${JSON.stringify(folder)}, which is no folder that can be read. Give one that exists, or make one with: resource-mock init`,
      { cause },
    )
  })
  const files = names.filter((name) => name.endsWith('.json')).toSorted()
  const texts = await Promise.all(files.map((name) => readText(join(folder, name), 'A file of --fixtures')))
  return Object.fromEntries(files.map((name, at) => [name, texts[at] ?? '']))
}

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
  const { tlsCert: _cert, tlsKey: _key, log: _log, client: clients, fixtures, ...same } = settings
  return given({
    ...same,
    clients,
    fixtures: fixtures === undefined ? undefined : await readFixtures(fixtures),
    tls: await readTls(settings),
  })
}
