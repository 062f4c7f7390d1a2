import * as z from 'zod'
import { isJsonObject } from '../http/json.ts'
import type { ProcessGauge } from '../journal/counts.ts'
import type { RequestLog } from '../journal/record.ts'
import type { OpenTelemetry } from '../pipeline/spans.ts'
import type { MockOptionTable } from './option.ts'
import * as values from './option.ts'

const isFunction = (given: unknown): boolean => typeof given === 'function'
const isOpenTelemetry = (given: unknown): boolean => isJsonObject(given) && 'propagation' in given

/** Where the mock listens. */
export const addressOptions = {
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
  /** Address to listen on, or the address at which a mock without a server is reached. Default `127.0.0.1`. */
  host: {
    for: 'mock',
    flag: '--host <addr>',
    env: 'HOST',
    default: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for all interfaces',
    value: values.host,
  },
  tlsCert: {
    for: 'command',
    flag: '--tls-cert <file>',
    about: 'PEM certificate; with --tls-key, the mock serves HTTPS',
    value: values.path,
  },
  tlsKey: {
    for: 'command',
    flag: '--tls-key <file>',
    about: 'PEM private key of the certificate',
    value: values.path,
  },
  /** PEM texts; with them the server speaks HTTPS. */
  tls: {
    for: 'server',
    isSecret: true,
    value: {
      schema: z.object({ cert: z.string(), key: z.string() }).readonly(),
      expected: 'an object with the PEM texts cert and key',
    },
  },
} as const satisfies MockOptionTable

/** What the mock keeps, and how it is run. */
export const operationOptions = {
  /** Requests that the journal of each session keeps; 0 keeps none. Default 1000. */
  journal: {
    for: 'mock',
    heading: 'Limits',
    flag: '--journal <n>',
    default: 1000,
    about: 'requests that the journal of each session keeps, up to 100000; 0 keeps none',
    value: values.wholeNumber({ min: 0, max: 100_000 }),
  },
  /** Memory for the journals of all sessions, in bytes or as `'64mb'`; the oldest requests go first. Default 64 MiB. */
  journalBytes: {
    for: 'mock',
    flag: '--journal-bytes <size>',
    default: '64mb',
    about: 'memory for the journals of all sessions; the oldest requests go first',
    value: values.size('16gb'),
  },
  /** More names of headers, parameters and members whose values are hidden, such as `email`. Default none. */
  redact: {
    for: 'mock',
    flag: '--redact <names>',
    otherwise: 'only secrets',
    isRepeatable: true,
    about: 'more headers, parameters and members whose values are hidden; repeat it or separate names with commas',
    value: values.oneOrMany(values.text, 'the name of a header, parameter or member, or several'),
  },
  /** Images that each session keeps, in bytes or as `'100mb'`; beyond it, an upload gets a 413. Default 100 MiB. */
  imageBytes: {
    for: 'mock',
    flag: '--image-bytes <size>',
    default: '100mb',
    about: 'uploaded images that each session keeps; beyond it, an upload gets a 413',
    value: values.size('16gb'),
  },
  /** Most sessions at a time. Default 1000. */
  maxSessions: {
    for: 'mock',
    flag: '--max-sessions <n>',
    default: 1000,
    about: 'most sessions at a time, up to 100000',
    value: values.wholeNumber({ min: 1, max: 100_000 }),
  },
  /** How long a session must be idle before it may make room for another, in milliseconds or as `'1h'`. Default 1 hour. */
  sessionTtl: {
    for: 'mock',
    flag: '--session-ttl <time>',
    default: '1h',
    about: 'how long a session that has changed something must be idle before it may make room for another',
    value: values.duration({ min: 0 }),
  },
  /** Whether the admin API and the dashboard answer; a session's handle in this process always works. Default true. */
  admin: {
    for: 'mock',
    heading: 'Operation',
    flag: '--no-admin',
    default: true,
    about: 'turn off the admin API and the dashboard',
    value: values.onOrOff,
  },
  /** What the admin API expects as `Authorization: Bearer`. Default none: only this machine may call it. */
  adminToken: {
    for: 'mock',
    flag: '--admin-token <t>',
    env: 'RESOURCE_MOCK_ADMIN_TOKEN',
    otherwise: 'none',
    isSecret: true,
    about: 'bearer token for the admin API; without one, only this machine may call it',
    value: values.text,
  },
  /** More browser origins that may call the admin API, such as `http://localhost:3000`. Default: its own. */
  adminOrigins: {
    for: 'mock',
    flag: '--admin-origin <origins>',
    configName: 'adminOrigin',
    otherwise: 'its own',
    about: 'more browser origins that may call the admin API, separated by commas',
    value: values.origins,
  },
  /** How long a server that is told to end still serves while it is not ready, in milliseconds or as `'10s'`. Default 0. */
  drain: {
    for: 'server',
    flag: '--drain <time>',
    default: '0s',
    about: 'how long to answer /__admin/health/ready with 503 and serve on before it ends, up to 1h',
    value: values.duration({ min: 0, max: 3_600_000, minWritten: 0 }),
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
    otherwise: 'pretty on a terminal, else json',
    about: 'log format; one line per request, on standard error',
    value: values.oneOf(['pretty', 'json', 'silent']),
  },
  /** Replaces the global `Request` and `Response` with faster ones, for a process that only runs the mock. Default false. */
  lightweightGlobals: { for: 'server', default: false, value: values.onOrOff },
  /** Measures the process for the metrics of the admin API. Default: `startServer` measures memory and event loop lag. */
  processGauges: { for: 'mock', value: values.code<() => readonly ProcessGauge[]>('a function', isFunction) },
  /** The module `@opentelemetry/api`: each request becomes a span. Default: `startServer` imports it once an SDK is registered. */
  openTelemetry: {
    for: 'mock',
    value: values.code<OpenTelemetry>('the module @opentelemetry/api', isOpenTelemetry),
  },
  /** Called when the admin API is asked to shut the mock down, after it has answered. */
  onShutdown: { for: 'mock', value: values.code<() => void>('a function', isFunction) },
  /** Called with what the person who runs the mock should know: of clients that were disconnected, and of a store that mocks share. Default: `console.warn`. */
  onNotice: { for: 'mock', value: values.code<(sentence: string) => void>('a function', isFunction) },
  /** Called once per request, after its response is made. */
  onRequest: { for: 'mock', value: values.code<(entry: RequestLog) => void>('a function', isFunction) },
  /** Called with errors of the mock itself; the client gets a bare 500. Default: `console.error`. */
  onFault: {
    for: 'mock',
    value: values.code<(fault: unknown, correlationId: string) => void>('a function', isFunction),
  },
} as const satisfies MockOptionTable
