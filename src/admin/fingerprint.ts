import { sha256 } from 'hono/utils/crypto'
import type { ParsedOptions } from '../options/options.ts'
import { parseOptions } from '../options/parse-options.ts'
import { parseNames } from '../scenarios/catalog.ts'
import type { Identity } from '../sessions/shared-store.ts'
import type { SourceTexts } from '../sessions/sources.ts'
import { VERSION } from '../version.ts'

/** What distinguishes one mock from another: whatever changes its answers. Nothing in it is a secret. */
export interface Fingerprint {
  readonly version: string
  /** Those that do not have their default. */
  readonly options: Readonly<Record<string, unknown>>
  /** Of the user's own files: a hash of their names and texts, or `built-in` where there are none. */
  readonly fixtures: string
  readonly scenarios: string
}

/** The options that change responses, apart from the scenarios. */
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
  'imageBytes',
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

/** Long enough that no two are alike by chance, short enough to read. */
const HASH_LENGTH = 16

async function toHash(texts: Readonly<Record<string, string>> = {}): Promise<string> {
  const names = Object.keys(texts).toSorted()
  if (names.length === 0) return 'built-in'
  const hash = await sha256(JSON.stringify(names.map((name) => [name, texts[name]])))
  // A page that is not served securely has no cryptography.
  return hash?.slice(0, HASH_LENGTH) ?? 'unknown'
}

/** Takes the fingerprint of a mock with these options and files. */
export async function toFingerprint(options: ParsedOptions, texts: SourceTexts): Promise<Fingerprint> {
  const [fixtures, scenarios] = await Promise.all([toHash(texts.fixtures), toHash(texts.scenarios)])
  return { version: VERSION, options: toOptions(options), fixtures, scenarios }
}

const show = (value: unknown): string => (value === undefined ? 'the default' : JSON.stringify(value))

/** In words, each difference of a mock that was found from one that was expected. */
export function describeDifferences(expected: Fingerprint, found: Fingerprint): readonly string[] {
  const names = [...new Set([...Object.keys(expected.options), ...Object.keys(found.options)])].toSorted()
  const options = names
    .map((name) => [name, show(found.options[name]), show(expected.options[name])] as const)
    .filter(([, has, wants]) => has !== wants)
    .map(([name, has, wants]) => `${name} is ${has} instead of ${wants}`)
  const files = (['fixtures', 'scenarios'] as const)
    .filter((name) => found[name] !== expected[name])
    .map((name) => `its ${name} are ${found[name] === 'built-in' ? 'the built-in ones' : 'other files'}`)
  const version =
    found.version === expected.version ? [] : [`its version is ${found.version} instead of ${expected.version}`]
  return [...version, ...options, ...files]
}

const toSecretHash = (secret: string | undefined) => toHash(secret === undefined ? {} : { secret })

/** Which mocks may share a store with this one: those that have the same fingerprint, and take the same tokens. */
export async function toIdentity(
  fingerprint: Fingerprint,
  { tokenSecret, clients }: ParsedOptions,
  hasPassthrough: boolean,
): Promise<Identity> {
  const others = {
    tokenSecret: await toSecretHash(tokenSecret),
    clients: await toSecretHash(clients && JSON.stringify(clients)),
    passthrough: hasPassthrough,
  }
  const names = ['tokenSecret', 'clients', 'passthrough'] as const
  return {
    text: JSON.stringify({ ...fingerprint, ...others }),
    describe(text) {
      // What a mock of this format has written.
      const found = JSON.parse(text) as Fingerprint & typeof others
      const changed = names.filter((name) => found[name] !== others[name])
      return [...describeDifferences(found, fingerprint), ...changed.map((name) => `${name} is another`)]
    },
  }
}
