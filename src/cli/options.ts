import { optionBounds } from '../option-bounds.ts'
import type { Option, SwitchOption, ValueOf, ValueOption, ListOption } from './option.ts'
import * as parse from './parsers.ts'

const value = <T>(option: Omit<ValueOption<T>, 'kind'>): ValueOption<T> => ({ kind: 'value', ...option })
const list = <T>(option: Omit<ListOption<T>, 'kind'>): ListOption<T> => ({ kind: 'list', ...option })
const toggle = (option: Omit<SwitchOption, 'kind'>): SwitchOption => ({ kind: 'switch', ...option })

/**
 * Every option of `serve`, by its name in a configuration file: flags, environment, configuration file and help are all
 * made from this table.
 */
export const options = {
  port: value({
    heading: 'Where it listens:',
    flags: '-p, --port <n>',
    env: 'PORT',
    fallback: '4010',
    about: 'port to listen on; 0 picks a free one',
    parse: parse.wholeNumber({ least: 0, most: 65_535, such: 4010 }),
  }),
  host: value({
    flags: '--host <addr>',
    env: 'HOST',
    fallback: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for all',
    parse: parse.host,
  }),
  tlsCert: value({
    flags: '--tls-cert <file>',
    about: 'PEM certificate; with --tls-key the mock speaks HTTPS',
    parse: parse.path,
  }),
  tlsKey: value({
    flags: '--tls-key <file>',
    about: 'PEM key of the certificate',
    parse: parse.path,
  }),
  scenario: list({
    heading: 'What goes wrong, and how fast:',
    flags: '-s, --scenario <names>',
    env: 'RESOURCE_MOCK_SCENARIO',
    otherwise: 'none',
    about: 'scenarios that are active at the start; repeatable or comma-separated, several stack in order',
    parse: parse.anyText,
  }),
  scenarios: value({
    flags: '--scenarios <dir>',
    about: 'folder of your own scenario files; one of the same name replaces the built-in',
    parse: parse.path,
  }),
  delay: value({
    flags: '-d, --delay <ms|a-b>',
    fallback: '0',
    about: 'milliseconds that every answer takes, fixed or from a span',
    parse: parse.delay,
  }),
  fixtures: value({
    heading: 'What it serves:',
    flags: '--fixtures <dir>',
    about: 'folder of your own fixture files; one of the same name replaces the built-in',
    parse: parse.path,
  }),
  watch: toggle({
    flags: '-w, --watch',
    about: 'read the folders of --fixtures and --scenarios anew when they change',
  }),
  generate: value({
    flags: '--generate <n>',
    fallback: '0',
    about: 'that many more resources, made by faker; at most 100000',
    parse: parse.wholeNumber({ ...optionBounds.generate, such: 500 }),
  }),
  seed: value({
    flags: '--seed <n>',
    fallback: '1',
    about: 'seeds what is made or chosen by chance',
    parse: parse.wholeNumber({ least: 0, most: 4_294_967_295, such: 1 }),
  }),
  clock: value({
    flags: '--clock <iso>',
    otherwise: 'real',
    about: 'a frozen clock, for reproducible answers',
    parse: parse.dateTime,
  }),
  persist: value({
    flags: '--persist <file>',
    otherwise: 'memory',
    about: 'JSON file that keeps the state across restarts',
    parse: parse.path,
  }),
  auth: value({
    heading: 'What it asks of requests:',
    flags: '--auth <off|lenient|strict>',
    fallback: 'lenient',
    about: 'how bearer tokens are judged',
    parse: parse.oneOf('off', 'lenient', 'strict'),
  }),
  tokenSecret: value({
    flags: '--token-secret <s>',
    env: 'RESOURCE_MOCK_TOKEN_SECRET',
    otherwise: 'random',
    about: 'what issued tokens are signed with, so that they hold after a restart',
    parse: parse.anyText,
  }),
  client: list({
    flags: '--client <id:secret>',
    otherwise: 'any',
    about: 'OAuth client to admit; repeatable',
    parse: parse.client,
  }),
  strict: toggle({
    flags: '--strict',
    about: 'refuse what is otherwise only warned of',
  }),
  checkResponses: toggle({
    flags: '--check-responses',
    about: 'hold every answer to the contract; one that breaks it is a 500 that says where',
  }),
  identity: value({
    flags: '--identity <header|body>',
    fallback: 'header',
    about: 'where answers say the id and key of a resource',
    parse: parse.oneOf('header', 'body'),
  }),
  cors: value({
    flags: '--cors <origins>',
    fallback: 'any',
    negated: 'off',
    about: 'browser origins that may call with credentials, comma-separated; any origin may call without them',
    parse: parse.cors,
  }),
  maxBody: value({
    flags: '--max-body <size>',
    fallback: '10mb',
    about: 'largest JSON body',
    parse: parse.size(optionBounds.maxBody),
  }),
  journal: value({
    heading: 'What it keeps:',
    flags: '--journal <n>',
    fallback: '1000',
    about: 'exchanges that each session keeps, at most 100000; 0 for none',
    parse: parse.wholeNumber({ ...optionBounds.journal, such: 1000 }),
  }),
  journalBytes: value({
    flags: '--journal-bytes <size>',
    fallback: '64mb',
    about: 'memory for the journals of all sessions; past it the oldest exchanges go',
    parse: parse.size(optionBounds.journalBytes),
  }),
  redact: list({
    flags: '--redact <names>',
    otherwise: 'none',
    about: 'more headers, parameters and members whose values are never shown; repeatable or comma-separated',
    parse: parse.anyText,
  }),
  imageBytes: value({
    flags: '--image-bytes <size>',
    fallback: '100mb',
    about: 'uploaded images that each session keeps; past it an upload is 413',
    parse: parse.size(optionBounds.imageBytes),
  }),
  maxSessions: value({
    flags: '--max-sessions <n>',
    fallback: '1000',
    about: 'sessions kept at once; at most 100000',
    parse: parse.wholeNumber({ ...optionBounds.maxSessions, such: 1000 }),
  }),
  sessionTtl: value({
    flags: '--session-ttl <time>',
    fallback: '1h',
    about: 'idle time after which a session may go when room is needed',
    parse: parse.duration,
  }),
  admin: toggle({
    heading: 'How it is run:',
    flags: '--no-admin',
    about: 'neither admin API nor dashboard',
  }),
  adminToken: value({
    flags: '--admin-token <t>',
    env: 'RESOURCE_MOCK_ADMIN_TOKEN',
    about: 'what the admin API asks for; without one it answers this machine alone',
    parse: parse.anyText,
  }),
  adminOrigin: value({
    flags: '--admin-origin <origins>',
    otherwise: 'its own',
    about: 'browser origins that may call the admin API too, comma-separated',
    parse: parse.origins,
  }),
  log: value({
    flags: '--log <pretty|json|silent>',
    otherwise: 'pretty on a terminal, else json',
    about: 'one line a request, on standard error',
    parse: parse.oneOf('pretty', 'json', 'silent'),
  }),
} as const satisfies Readonly<Record<string, Option>>

export type OptionName = keyof typeof options

/** What the options come to; an option without a default is absent unless it is given. */
export type Settings = { readonly [Name in OptionName]?: ValueOf<(typeof options)[Name]> }

/** The table's rows, for what goes through all of them. */
export const optionList = Object.entries(options) as readonly (readonly [OptionName, Option])[]
