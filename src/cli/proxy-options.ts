import { options } from '../options/options.ts'
import type { Options, Parsed } from '../options/option.ts'
import * as values from '../options/option.ts'

const { port, host, tlsCert, tlsKey, fixtures, identity, cors, journal, redact, journalBytes } = options
const { maxSessions, sessionTtl, admin, adminToken, adminOrigins, drain, log } = options

/** The options that the proxy has in common with the mock. */
export const sharedOptions = {
  port,
  host,
  tlsCert,
  tlsKey,
  fixtures,
  identity,
  cors,
  journal,
  redact,
  journalBytes,
  maxSessions,
  sessionTtl,
  admin,
  adminToken,
  adminOrigins,
  drain,
  log,
}

/** The options of the proxy alone, which no configuration file holds. */
export const proxyOptions = {
  record: {
    flag: '--record <dir>',
    about: 'write recorded responses as fixtures, for --fixtures',
    value: values.path,
  },
  fallback: {
    flag: '--fallback',
    default: false,
    about: 'respond from the mock if the service is down or lacks a path',
    value: values.onOrOff,
  },
  timeout: {
    flag: '--timeout <time>',
    default: '30s',
    about: 'how long to wait for the service',
    value: values.duration({ min: 1 }),
  },
} as const satisfies Options

export type ProxySettings = Parsed<typeof sharedOptions> & Parsed<typeof proxyOptions>
