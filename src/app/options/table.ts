import * as z from 'zod'
import { isJsonObject } from '../../service/http/json.ts'
import type { ProcessGauge } from '../../sessions/journal/counts.ts'
import type { RunInTime } from '../../sessions/journal/patterns.ts'
import type { LogLine } from '../../sessions/journal/record.ts'
import type { MockOptionTable } from './option.ts'
import { authModes } from '../../service/auth/authenticate.ts'
import { identityPreferences } from '../../service/scenarios/preferred.ts'
import type { SharedStore } from '../../sessions/shared-store.ts'
import type { Persistence } from '../../service/state/kept-state.ts'
import * as values from './option.ts'

const isFunction = (input: unknown): boolean => typeof input === 'function'

/**
 * Every mock option, in help order. The command line and its help, the environment variables, the configuration file and
 * its JSON Schema, the types and validation for `createMock` and `startServer`, and the table in docs/command-line.md are
 * generated from this table. Editors show the comments as documentation for options in code.
 */
export const options = {
  /** Port to listen on; 0 picks a free one. Default 4010. */
  port: {
    for: 'server',
    heading: 'Address',
    flag: '-p, --port <n>',
    env: 'PORT',
    default: 4010,
    about: 'port to listen on; 0 picks a free one',
    value: values.wholeNumber({ min: 0, max: 65_535 }),
  },
  /** Address to listen on, or the address of a mock without a server. Default `127.0.0.1`. */
  host: {
    for: 'mock',
    flag: '--host <addr>',
    env: 'HOST',
    default: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 listens on all interfaces',
    value: values.host,
  },
  tlsCert: {
    for: 'command',
    flag: '--tls-cert <file>',
    about: 'PEM certificate; with --tls-key, enables HTTPS',
    value: values.path,
  },
  tlsKey: {
    for: 'command',
    flag: '--tls-key <file>',
    about: 'PEM private key for the certificate',
    value: values.path,
  },
  /** PEM certificate and key; if set, the server uses HTTPS. */
  tls: {
    for: 'server',
    isSecret: true,
    value: {
      schema: z.object({ cert: z.string(), key: z.string() }).readonly(),
      expected: 'an object with the PEM strings cert and key',
    },
  },
  /** Scenarios active at the start of every session; several apply in order. Default none. */
  scenario: {
    for: 'mock',
    heading: 'Failures and delays',
    flag: '-s, --scenario <names>',
    env: 'RESOURCE_MOCK_SCENARIO',
    otherwise: 'none',
    isRepeatable: true,
    about: 'scenarios active at the start; repeat the option or separate names with commas; they apply in order',
    value: values.oneOrMany(values.text, 'a scenario name, or several'),
  },
  /**
   * Scenario files by name, such as `conflict.json`; each replaces the built-in one with the same name. A `bodyFile` of
   * theirs may be bytes.
   */
  scenarios: {
    for: 'mock',
    flag: '--scenarios <dir>',
    about: 'folder with your own scenario files; each replaces the built-in one with the same name',
    value: values.path,
    inCode: values.contents,
  },
  /** Delay for every response in milliseconds: `300`, `'100-500'` or `{ from: 100, to: 500 }`. Default 0. */
  delay: {
    for: 'mock',
    flag: '-d, --delay <ms|a-b>',
    default: 0,
    about: 'delay for every response in milliseconds, fixed or random within a range',
    value: values.delay,
  },
  /** Fixture files by name, such as `resources.json`; each replaces the built-in one with the same name. */
  fixtures: {
    for: 'mock',
    heading: 'Data',
    flag: '--fixtures <dir>',
    about: 'folder with your own fixture files; each replaces the built-in one with the same name',
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
  /** Number of resources to generate with faker in addition to the fixtures. Default 0. */
  generate: {
    for: 'mock',
    flag: '--generate <n>',
    default: 0,
    about: 'generate this many additional resources, up to 100000',
    value: values.wholeNumber({ min: 0, max: 100_000 }),
  },
  /** Seed for all random values. Default 1. */
  seed: {
    for: 'mock',
    flag: '--seed <n>',
    default: 1,
    about: 'seed for all random values',
    value: values.wholeNumber({ min: 0, max: 4_294_967_295 }),
  },
  /** Freezes the clock at this ISO 8601 time. Default: the real time. */
  clock: {
    for: 'mock',
    flag: '--clock <iso>',
    otherwise: 'the real time',
    about: 'freeze the clock at this time, for reproducible responses',
    value: values.dateTime,
  },
  /** File that keeps the state across restarts; mutually exclusive with `persistence`. Default: memory only. */
  persist: {
    for: 'server',
    flag: '--persist <file>',
    otherwise: 'memory only',
    about: 'JSON file that keeps the state across restarts',
    value: values.path,
  },
  /** Storage that keeps the state across restarts. Default: memory only. */
  persistence: {
    for: 'mock',
    value: values.code<Persistence>(
      'an object with the functions read and write',
      (input) => isJsonObject(input) && [input['read'], input['write']].every((member) => typeof member === 'function'),
    ),
  },
  /** A store shared by several mocks, created by `redisStore` from `resource-mock/redis`. Default: memory only. */
  store: {
    for: 'mock',
    flag: '--store <url>',
    env: 'RESOURCE_MOCK_STORE',
    otherwise: 'memory only',
    isSecret: true,
    about: 'Redis or Valkey server for state that several mocks share: redis://host:6379',
    value: values.text,
    inCode: values.code<SharedStore>(
      'a store such as redisStore({ url }) from resource-mock/redis',
      (input) => isJsonObject(input) && typeof input['open'] === 'function',
    ),
  },
  storeWait: {
    for: 'command',
    flag: '--store-wait <time>',
    default: '30s',
    about: 'how long to wait for the store on startup, up to 1h',
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
  /** Secret that signs issued tokens; set it to keep them valid after a restart. Default: random. */
  tokenSecret: {
    for: 'mock',
    flag: '--token-secret <s>',
    env: 'RESOURCE_MOCK_TOKEN_SECRET',
    otherwise: 'random',
    isSecret: true,
    about: 'secret that signs issued tokens; set it to keep them valid after a restart',
    value: values.text,
  },
  /** OAuth clients that may get tokens, each as `id:secret` (D31). Default: any. */
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
  /** Rejects requests that otherwise only cause a warning (D1, D2, D4, D17). Default false. */
  strict: {
    for: 'mock',
    flag: '--strict',
    default: false,
    about: 'reject requests that otherwise only cause a warning',
    value: values.onOrOff,
  },
  /** Checks every response against the contract; a violation becomes a 500 that reports its location. Default false. */
  checkResponses: {
    for: 'mock',
    flag: '--check-responses',
    default: false,
    about: 'check every response against the contract; a violation becomes a 500 that reports its location',
    value: values.onOrOff,
  },
  /** Returns the id and key of a resource in headers (`header`) or in the body (`body`) (D5). Default `header`. */
  identity: {
    for: 'mock',
    flag: '--identity <header|body>',
    default: 'header',
    about: 'return the id and key of a resource in headers (header) or in the body (body)',
    value: values.oneOf(identityPreferences),
  },
  /** Base URL of a service that receives requests that match no endpoint. Default: they get a 404. */
  passthrough: {
    for: 'server',
    flag: '--passthrough <url>',
    otherwise: 'none',
    about: 'base URL of a service that receives requests that match no endpoint',
    value: values.baseUrl,
  },
  /**
   * Browser origins that may call the mock: `any` allows all, without credentials; a list allows its origins, with
   * credentials; `off` sends no CORS headers. Unless it is `off`, pages on this machine may call with credentials. Default
   * `any`.
   */
  cors: {
    for: 'mock',
    flag: '--cors <origins>',
    default: 'any',
    negated: 'send no CORS headers; same as --cors off',
    about:
      'browser origins that may call with credentials, in addition to pages on this machine, separated by commas; any allows all others, without credentials',
    value: values.cors,
  },
  /** Maximum size of a JSON body after decompression, in bytes or as `'10mb'`. Default 1 MiB; other kinds have a fixed limit (D97). */
  maxBody: {
    for: 'mock',
    flag: '--max-body <size>',
    default: '1mb',
    about: 'largest JSON body after decompression; images (10 MiB), states (64 MiB) and some others have a fixed limit',
    // JavaScript strings cannot be longer.
    value: values.size('512mb'),
  },
  /** Maximum number of requests in the journal of each session; 0 disables it. Default 1000. */
  journal: {
    for: 'mock',
    heading: 'Limits',
    flag: '--journal <n>',
    default: 1000,
    about: 'maximum number of requests in the journal of each session, up to 100000; 0 keeps none',
    value: values.wholeNumber({ min: 0, max: 100_000 }),
  },
  /**
   * How much all sessions may keep, in bytes or as `'512mb'`: data, versions, images, snapshots, journals and archives; one
   * session at most half of it. Archives of passed tests are dropped first, then other archives, then the oldest requests.
   * Default 512 MiB.
   */
  memory: {
    for: 'mock',
    flag: '--memory <size>',
    env: 'RESOURCE_MOCK_MEMORY',
    default: '512mb',
    about:
      'how much all sessions may keep (data, versions, images, snapshots, journals, archives); one session at most half of it',
    value: values.size('16gb'),
  },
  /** Additional names of headers, parameters and members whose values are redacted, such as `email`. Default none. */
  redact: {
    for: 'mock',
    flag: '--redact <names>',
    otherwise: 'only secrets',
    isRepeatable: true,
    about:
      'additional headers, parameters and members whose values are redacted; repeat the option or separate names with commas',
    value: values.oneOrMany(values.text, 'the name of a header, parameter or member, or several'),
  },
  /** Maximum number of concurrent sessions. Default 1000. */
  maxSessions: {
    for: 'mock',
    flag: '--max-sessions <n>',
    default: 1000,
    about: 'maximum number of concurrent sessions, up to 100000',
    value: values.wholeNumber({ min: 1, max: 100_000 }),
  },
  /** How long an idle session is kept if another one needs its place, in milliseconds or as `'1h'`. Default 1 hour. */
  sessionTtl: {
    for: 'mock',
    flag: '--session-ttl <time>',
    default: '1h',
    about: 'how long a session with changes must be idle before it can be evicted for a new one',
    value: values.duration({ min: 0 }),
  },
  /** Enables the admin API and the dashboard; session handles in this process always work. Default true. */
  admin: {
    for: 'mock',
    heading: 'Operation',
    flag: '--no-admin',
    default: true,
    about: 'turn off the admin API and the dashboard',
    value: values.onOrOff,
  },
  /** Bearer token required by the admin API. Default none: only this machine may call it. */
  adminToken: {
    for: 'mock',
    flag: '--admin-token <t>',
    env: 'RESOURCE_MOCK_ADMIN_TOKEN',
    otherwise: 'none',
    isSecret: true,
    about: 'bearer token for the admin API; without one, only this machine may call it',
    value: values.text,
  },
  /** More browser origins that may call the admin API, such as `http://localhost:3000`. Default: only its own. */
  adminOrigins: {
    for: 'mock',
    flag: '--admin-origin <origins>',
    configName: 'adminOrigin',
    otherwise: 'its own',
    about: 'additional browser origins that may call the admin API, separated by commas',
    value: values.origins,
  },
  /**
   * How long a server that is shutting down keeps serving requests while it reports not ready, in milliseconds or as
   * `'10s'`. Default 0.
   */
  drain: {
    for: 'server',
    flag: '--drain <time>',
    default: '0s',
    about: 'how long to keep serving on shutdown while /__admin/health/ready returns 503, up to 1h',
    value: values.duration({ min: 0, max: 3_600_000, minWritten: 0 }),
  },
  detach: {
    for: 'command',
    flag: '--detach',
    default: false,
    about: 'keep running after the npm or npx, or the terminal, that started the mock has ended',
    value: values.onOrOff,
  },
  open: {
    for: 'command',
    flag: '--open',
    default: false,
    about: 'open the dashboard in the browser',
    value: values.onOrOff,
  },
  log: {
    for: 'command',
    flag: '--log <pretty|json|silent>',
    otherwise: 'pretty on a terminal, otherwise json',
    about: 'log format; one line per request, on standard error',
    value: values.oneOf(['pretty', 'json', 'silent']),
  },
  /**
   * Replaces the global `Request` and `Response` with faster ones; only for processes dedicated to the mock. Default false.
   */
  lightweightGlobals: { for: 'server', default: false, value: values.onOrOff },
  /** Collects process metrics for the admin API. Default: `startServer` measures memory and event loop lag. */
  processGauges: { for: 'mock', value: values.code<() => readonly ProcessGauge[]>('a function', isFunction) },
  /**
   * Runs a task that evaluates request patterns, and returns whether it completed: it may be stopped if it takes too long.
   * Default: no limit; `startServer` and the Vite plugin stop it after 100 ms.
   */
  runInTime: { for: 'mock', value: values.code<RunInTime>('a function', isFunction) },
  /** Called after the admin API has responded to a shutdown request. */
  onShutdown: { for: 'mock', value: values.code<() => void>('a function', isFunction) },
  /** Called with notices for the operator: about disconnected clients and a shared store. Default: `console.warn`. */
  onNotice: { for: 'mock', value: values.code<(sentence: string) => void>('a function', isFunction) },
  /** Called once per request, after its response is created. */
  onRequest: { for: 'mock', value: values.code<(line: LogLine) => void>('a function', isFunction) },
  /** Called with internal errors of the mock; the client gets a 500 without details. Default: `console.error`. */
  onFault: {
    for: 'mock',
    value: values.code<(fault: unknown, correlationId: string) => void>('a function', isFunction),
  },
} as const satisfies MockOptionTable
