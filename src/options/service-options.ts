import * as values from './option.ts'
import { authModes } from '../auth/authenticate.ts'
import { isJsonObject } from '../http/json.ts'
import { identities } from '../scenarios/preferred.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { SharedStore } from '../sessions/shared-store.ts'
import type { Persistence } from '../state/kept-state.ts'
import type { MockOptionTable } from './option.ts'

const isSharedStore = (given: unknown): boolean => isJsonObject(given) && typeof given['open'] === 'function'

const isPersistence = (given: unknown): boolean =>
  isJsonObject(given) && [given['read'], given['write']].every((member) => typeof member === 'function')

/** What the mock serves, and how it answers. */
export const serviceOptions = {
  /** Scenarios that are active at the start of every session; several apply in order. Default none. */
  scenario: {
    for: 'mock',
    heading: 'Failures and delays',
    flag: '-s, --scenario <names>',
    env: 'RESOURCE_MOCK_SCENARIO',
    otherwise: 'none',
    isRepeatable: true,
    about: 'scenarios active at the start; repeat it or separate names with commas, they apply in order',
    value: values.oneOrMany(values.text, 'the name of a scenario, or several'),
  },
  /** Scenario files by name, such as `conflict.json`; each replaces the built-in one of the same name. */
  scenarios: {
    for: 'mock',
    flag: '--scenarios <dir>',
    about: 'folder with your own scenario files; each replaces the built-in one of the same name',
    value: values.path,
    inCode: values.texts,
  },
  /** Milliseconds that every response takes: `300`, `'100-500'` or `{ from: 100, to: 500 }`. Default 0. */
  delay: {
    for: 'mock',
    flag: '-d, --delay <ms|a-b>',
    default: 0,
    about: 'milliseconds that every response takes, fixed or random within a range',
    value: values.delay,
  },
  /** Fixture files by name, such as `resources.json`; each replaces the built-in one of the same name. */
  fixtures: {
    for: 'mock',
    heading: 'Data',
    flag: '--fixtures <dir>',
    about: 'folder with your own fixture files; each replaces the built-in one of the same name',
    value: values.path,
    inCode: values.texts,
  },
  watch: {
    for: 'command',
    flag: '-w, --watch',
    default: false,
    about: 'reload the files of --fixtures and --scenarios when they change',
    value: values.onOrOff,
  },
  /** Resources that faker generates in addition to the fixtures. Default 0. */
  generate: {
    for: 'mock',
    flag: '--generate <n>',
    default: 0,
    about: 'generate this many more resources, up to 100000',
    value: values.wholeNumber({ min: 0, max: 100_000 }),
  },
  /** Seed of everything random. Default 1. */
  seed: {
    for: 'mock',
    flag: '--seed <n>',
    default: 1,
    about: 'seed of everything random',
    value: values.wholeNumber({ min: 0, max: 4_294_967_295 }),
  },
  /** ISO 8601; freezes the clock. Default: the real time. */
  clock: {
    for: 'mock',
    flag: '--clock <iso>',
    otherwise: 'the real time',
    about: 'freeze the clock at this time, for reproducible responses',
    value: values.dateTime,
  },
  /** A file that keeps the state across restarts; use it or `persistence`. Default: memory only. */
  persist: {
    for: 'server',
    flag: '--persist <file>',
    otherwise: 'memory only',
    about: 'JSON file that keeps the state across restarts',
    value: values.path,
  },
  /** Where the state is kept across restarts. Default: memory only. */
  persistence: {
    for: 'mock',
    value: values.code<Persistence>('an object with the functions read and write', isPersistence),
  },
  /** A store that several mocks share, made by `redisStore` of `resource-mock/redis`. Default: memory only. */
  store: {
    for: 'mock',
    flag: '--store <url>',
    env: 'RESOURCE_MOCK_STORE',
    otherwise: 'memory only',
    isSecret: true,
    about: 'Redis or Valkey in which several mocks share one state: redis://host:6379',
    value: values.text,
    inCode: values.code<SharedStore>('a store such as redisStore({ url }) of resource-mock/redis', isSharedStore),
  },
  storeWait: {
    for: 'command',
    flag: '--store-wait <time>',
    default: '30s',
    about: 'how long a start waits for the store, up to 1h',
    value: values.duration({ min: 0, max: 3_600_000, minWritten: 0 }),
  },
  /** How strictly bearer tokens are checked (D32). Default `lenient`. */
  auth: {
    for: 'mock',
    heading: 'Requests and responses',
    flag: '--auth <off|lenient|strict>',
    default: 'lenient',
    about: 'how strictly to check bearer tokens',
    value: values.oneOf(authModes),
  },
  /** Signs issued tokens; set it to keep them valid after a restart. Default: random. */
  tokenSecret: {
    for: 'mock',
    flag: '--token-secret <s>',
    env: 'RESOURCE_MOCK_TOKEN_SECRET',
    otherwise: 'random',
    isSecret: true,
    about: 'signs issued tokens; set it to keep them valid after a restart',
    value: values.text,
  },
  /** OAuth clients that may get tokens, `id:secret` each (D31). Default: any. */
  clients: {
    for: 'mock',
    flag: '--client <id:secret>',
    configName: 'client',
    otherwise: 'any',
    isRepeatable: true,
    isSecret: true,
    about: 'OAuth client that may get tokens; repeatable',
    value: values.oneOrMany(values.client, values.client.expected),
  },
  /** Rejects what otherwise only causes a warning (D1, D2, D4, D17). Default false. */
  strict: {
    for: 'mock',
    flag: '--strict',
    default: false,
    about: 'reject requests that otherwise only cause a warning',
    value: values.onOrOff,
  },
  /** Checks every response against the contract; a violation becomes a 500 that says where. Default false. */
  checkResponses: {
    for: 'mock',
    flag: '--check-responses',
    default: false,
    about: 'check every response against the contract; a violation becomes a 500 that says where',
    value: values.onOrOff,
  },
  /** Returns the id and key of a resource in headers (`header`) or in the body (`body`) (D5). Default `header`. */
  identity: {
    for: 'mock',
    flag: '--identity <header|body>',
    default: 'header',
    about: 'return the id and key of a resource in headers (header) or in the body (body)',
    value: values.oneOf(identities),
  },
  /** Base URL of a service that gets the requests that meet no endpoint. Default: they are 404. */
  passthrough: {
    for: 'server',
    flag: '--passthrough <url>',
    otherwise: 'none',
    about: 'base URL of a service that gets the requests that meet no endpoint',
    value: values.baseUrl,
  },
  /**
   * Browser origins that may call: `any` for all, without credentials, a list of those that may with credentials, or `off` for no CORS
   * headers. Except with `off`, pages on this machine may call with credentials. Default `any`.
   */
  cors: {
    for: 'mock',
    flag: '--cors <origins>',
    default: 'any',
    negated: 'send no CORS headers, the same as --cors off',
    about:
      'browser origins that may call with credentials, besides pages on this machine, separated by commas; with any, all others may call without credentials',
    value: values.cors,
  },
  /** Largest JSON body after decompression, in bytes or as `'10mb'`. Default 10 MiB. */
  maxBody: {
    for: 'mock',
    flag: '--max-body <size>',
    default: '10mb',
    about: 'largest JSON body',
    // JavaScript cannot hold a longer text.
    value: values.size('512mb'),
  },
} as const satisfies MockOptionTable

/** A list of some of these ids, separated by commas on the command line. */
export function idList<const Id extends string>(
  ids: readonly Id[],
  expected: string,
): values.Value<readonly Id[], Id | readonly Id[]> {
  const isUnknown = (name: unknown): name is string => typeof name === 'string' && !ids.some((id) => id === name)
  return {
    ...values.oneOrMany(values.oneOf(ids), expected),
    fromText: (text) => text.split(',').map((name) => name.trim()),
    suggest(given) {
      const unknown = [given].flat().find(isUnknown)
      return unknown === undefined ? '' : didYouMean(unknown, ids)
    },
  }
}
