import { toJson } from '../http/envelope.ts'
import { VERSION } from '../version.ts'
import { sha256 } from 'hono/utils/crypto'
import { parseOptions } from '../options/options.ts'
import { parseNames } from '../scenarios/engine.ts'
import { problem } from '../errors.ts'
import type { ParsedOptions } from '../options/options.ts'
import type { Identity } from '../sessions/shared-store.ts'
import type { SourceTexts } from '../sessions/sources.ts'
import type { AdminParts, AdminRoutes } from './routes.ts'

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const DRAINING = {
  status: 503,
  report: { status: 'unhealthy', message: 'The mock is shutting down. Send requests elsewhere.' },
}

/** The health of the mock: 503 while writes cannot be saved (`--persist`). */
function toReport(error: unknown, found: readonly string[]): { readonly status: number; readonly report: object } {
  if (error !== undefined) {
    return { status: 503, report: { status: 'unhealthy', message: describe(error) } }
  }
  const message =
    found.length === 0 ? 'The mock is healthy' : 'Some files are unreadable; the mock serves their last valid version'
  return { status: 200, report: { status: 'healthy', message } }
}

/** Whether the mock is well, in WireMock's shape, and which one it is. */
export function createHealthRoutes({
  clock,
  elapsed,
  problems,
  fingerprint,
  store,
  isDraining,
}: AdminParts): AdminRoutes {
  const startedAt = elapsed()
  return {
    'GET /health': async () => {
      const found = problems()
      const { status, report } = toReport(store.fault(), found)
      return toJson(
        {
          ...report,
          version: VERSION,
          uptimeInSeconds: Math.floor((elapsed() - startedAt) / 1000),
          timestamp: new Date(clock()).toISOString(),
          problems: found,
          fingerprint: await fingerprint(),
        },
        status,
      )
    },
    'GET /health/live': () => toJson({ status: 'healthy' }),
    'GET /health/ready': () => {
      const { status, report } = isDraining() ? DRAINING : toReport(store.fault(), [])
      return toJson(report, status)
    },
    'GET /version': () => toJson({ version: VERSION }),
  }
}

/** Everything that changes a mock's responses. It contains no secret. */
export interface Fingerprint {
  readonly version: string
  /** Only values that differ from the default. */
  readonly options: Readonly<Record<string, unknown>>
  /** Of the user's own files: a hash of their names and texts, or `built-in` without any. */
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
      // Written by a mock of the same format.
      const found = JSON.parse(text) as Fingerprint & typeof others
      const changed = names.filter((name) => found[name] !== others[name])
      return [...describeDifferences(found, fingerprint), ...changed.map((name) => `${name} is another`)]
    },
  }
}

/** Resets the session, and shuts the mock down. */
export function createLifecycleRoutes({ store, events, defaults, onShutdown }: AdminParts): AdminRoutes {
  return {
    // Snapshots stay: they were kept on purpose.
    'POST /reset': async (admin) => {
      const { name, clock, scenarios, journal } = admin.session
      await store.write(name, () => {
        store.change(name, { kind: 'session' })
        store.change(name, { kind: 'active' })
        for (const defined of store.scenarioSelection(name).defined.keys()) {
          store.change(name, { kind: 'scenario', name: defined })
        }
        clock.reset()
      })
      scenarios.runner.reset()
      journal.clear()
      events.publish({ kind: 'state', session: name })
      events.publish({ kind: 'scenario', session: name, active: defaults })
      return toJson({})
    },
    'POST /shutdown': () => {
      if (onShutdown === undefined) {
        throw problem.notImplemented(
          'This mock is part of a process that it cannot end. End it there, by closing the mock or what serves it.',
        )
      }
      // The response goes first: a server waits for the requests under way before it ends.
      setTimeout(onShutdown, 0)
      return toJson({})
    },
  }
}
