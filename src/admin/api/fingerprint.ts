import { sha256 } from 'hono/utils/crypto'
import type { FileContents } from '../../util/load-partially.ts'
import { parseOptions } from '../../app/options/options.ts'
import type { ParsedOptions } from '../../app/options/options.ts'
import { parseNames } from '../../service/http/control-headers.ts'
import type { StoreIdentity } from '../../sessions/shared-store.ts'
import type { SourceTexts } from '../../sessions/sources.ts'
import { VERSION } from '../../version.ts'

/** Everything that affects a mock's responses. Contains no secrets. */
export interface Fingerprint {
  readonly version: string
  /** Only values that differ from the default. */
  readonly options: Readonly<Record<string, unknown>>
  /** A hash of the names and contents of the user's files, or `built-in` if there are none. */
  readonly fixtures: string
  readonly scenarios: string
}

/** The options that affect responses, except scenarios. */
const NAMES = [
  'auth',
  'strict',
  'checkResponses',
  'identity',
  'generate',
  'seed',
  'cors',
  'journal',
  'delay',
  'maxBody',
  'memory',
  'redact',
] as const satisfies readonly (keyof ParsedOptions)[]

function toOptions(parsed: ParsedOptions): Readonly<Record<string, unknown>> {
  const defaults = parseOptions({})
  const scenario = parseNames((parsed.scenario ?? []).join(','))
  const changed = NAMES.filter((name) => JSON.stringify(parsed[name]) !== JSON.stringify(defaults[name]))
  return {
    ...(scenario.length === 0 ? {} : { scenario }),
    ...(parsed.clock === undefined ? {} : { clock: new Date(parsed.clock).toISOString() }),
    ...Object.fromEntries(changed.map((name) => [name, parsed[name]])),
  }
}

/** Long enough to be unique, short enough to read. */
const FINGERPRINT_LENGTH = 16

async function toFilesHash(texts: FileContents = {}): Promise<string> {
  const names = Object.keys(texts).toSorted()
  if (names.length === 0) return 'built-in'
  const hash = await sha256(JSON.stringify(names.map((name) => [name, texts[name]])))
  // Web Crypto is only available in secure contexts.
  return hash?.slice(0, FINGERPRINT_LENGTH) ?? 'unknown'
}

/** Computes the fingerprint of a mock with these options and files. */
export async function toFingerprint(options: ParsedOptions, texts: SourceTexts): Promise<Fingerprint> {
  const [fixtures, scenarios] = await Promise.all([toFilesHash(texts.fixtures), toFilesHash(texts.scenarios)])
  return { version: VERSION, options: toOptions(options), fixtures, scenarios }
}

const showOption = (value: unknown): string => (value === undefined ? 'the default' : JSON.stringify(value))

/** Describes each difference between the expected and the actual mock. */
export function describeDifferences(expected: Fingerprint, found: Fingerprint): readonly string[] {
  const names = [...new Set([...Object.keys(expected.options), ...Object.keys(found.options)])].toSorted()
  const options = names
    .map((name) => [name, showOption(found.options[name]), showOption(expected.options[name])] as const)
    .filter(([, actual, wanted]) => actual !== wanted)
    .map(([name, actual, wanted]) => `${name} is ${actual} instead of ${wanted}`)
  const files = (['fixtures', 'scenarios'] as const)
    .filter((name) => found[name] !== expected[name])
    .map((name) => `its ${name} are ${found[name] === 'built-in' ? 'the built-in ones' : 'other files'}`)
  const version =
    found.version === expected.version ? [] : [`its version is ${found.version} instead of ${expected.version}`]
  return [...version, ...options, ...files]
}

const toSecretHash = (secret: string | undefined) => toFilesHash(secret === undefined ? {} : { secret })

/** Which mocks may share a store with this one: those with the same fingerprint that accept the same tokens. */
export async function toIdentity(
  fingerprint: Fingerprint,
  { tokenSecret, clients }: ParsedOptions,
  hasPassthrough: boolean,
): Promise<StoreIdentity> {
  const more = {
    tokenSecret: await toSecretHash(tokenSecret),
    clients: await toSecretHash(clients && JSON.stringify(clients)),
    passthrough: hasPassthrough,
  }
  const names = ['tokenSecret', 'clients', 'passthrough'] as const
  return {
    text: JSON.stringify({ ...fingerprint, ...more }),
    describe(text) {
      // Mocks that share a store write the same format.
      const found = JSON.parse(text) as Fingerprint & typeof more
      const changed = names.filter((name) => found[name] !== more[name])
      return [...describeDifferences(found, fingerprint), ...changed.map((name) => `${name} is different`)]
    },
  }
}
