import { SetupError } from '../../../errors.ts'
import { readFileText } from '../../node/folder.ts'
import type { Options, Parsed } from '../../../app/options/option.ts'
import * as values from '../../../app/options/option.ts'
import type { ProviderCredentials } from '../../../tools/verify/credentials.ts'
import type { Paint } from '../../../tools/verify/pretty.ts'
import type { VerifyReport } from '../../../tools/verify/report.ts'
import type { VerifyOptions } from '../../../tools/verify/verify.ts'
import { conversationNames, subjectIds } from '../../../tools/verify/subjects.ts'
import { defineCommand, print, resolveOptions } from '../settings.ts'
import { handleSignals } from '../signals.ts'
import type { SettingSources } from '../settings.ts'

/** The options of `resource-mock verify`. */
export const verifyOptions = {
  token: {
    flag: '--token <token>',
    env: 'RESOURCE_MOCK_VERIFY_TOKEN',
    isSecret: true,
    about: 'bearer token to send',
    value: values.bearerToken,
  },
  client: {
    flag: '--client <id:secret>',
    env: 'RESOURCE_MOCK_VERIFY_CLIENT',
    isSecret: true,
    about: 'OAuth client to get tokens with, including tokens with fewer scopes',
    value: values.client,
  },
  tokenUrl: {
    flag: '--token-url <url>',
    otherwise: '/oauth/token under the URL',
    about: 'token endpoint for the client',
    value: values.baseUrl,
  },
  project: {
    flag: '--project <key>',
    default: 'acme',
    about: 'project to read from and write to',
    value: values.projectKey,
  },
  otherProject: {
    flag: '--other-project <key>',
    otherwise: 'the project key and "-other"',
    about: 'second project, to check that projects are separate',
    value: values.projectKey,
  },
  readOnly: { flag: '--read-only', about: 'send only requests that read (the default)', value: values.onOrOff },
  allowWrites: {
    flag: '--allow-writes',
    about: 'also send requests that write, and delete the created data',
    value: values.onOrOff,
  },
  only: {
    flag: '--only <names>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'compare only these operations or conversations; repeat the option or separate names with commas',
    value: values.idList(
      [...subjectIds, ...conversationNames],
      'operation ids, anyPath or names of conversations, separated by commas',
    ),
  },
  id: {
    flag: '--id <id>',
    about: 'id of a resource to read, for a service that shows no ids',
    value: values.text,
  },
  quick: {
    flag: '--quick',
    default: false,
    about: 'send a sample of about 600 requests, for each push',
    value: values.onOrOff,
  },
  seed: {
    flag: '--seed <n>',
    default: 1,
    about: 'selects the generated requests; the same seed sends the same ones',
    value: values.wholeNumber({ min: 0, max: 4_294_967_295 }),
  },
  tolerances: {
    flag: '--tolerances',
    default: false,
    about: 'print what is never compared, and exit; needs no URL',
    value: values.onOrOff,
  },
  replay: {
    flag: '--replay <tests.har|run>',
    about: 'send what tests sent to the mock instead: an HTTP Archive, or with --mock a run, such as latest',
    value: values.text,
  },
  mock: {
    flag: '--mock <url>',
    about: 'base URL of the mock that has the run of --replay',
    value: values.baseUrl,
  },
  reporter: {
    flag: '--reporter <pretty|json|junit|tap>',
    default: 'pretty',
    about: 'report format',
    value: values.oneOf(['pretty', 'json', 'junit', 'tap']),
  },
  verbose: {
    flag: '--verbose',
    default: false,
    about: 'list every conversation and violation on a terminal, too; other outputs always do',
    value: values.onOrOff,
  },
  failOn: {
    flag: '--fail-on <violations|any>',
    default: 'violations',
    about: 'what makes the exit status 1; any: differences from the mock, too',
    value: values.oneOf(['violations', 'any']),
  },
  since: {
    flag: '--since <report.json>',
    about: 'also report which conversations got better or worse since an earlier report of --reporter json',
    value: values.path,
  },
  timeout: {
    flag: '--timeout <time>',
    default: '10s',
    about: 'timeout for responses',
    value: values.duration({ min: 1, max: 600_000 }),
  },
} as const satisfies Options

export type VerifySettings =
  | { readonly kind: 'tolerances' }
  | (Omit<
      Parsed<typeof verifyOptions>,
      'tolerances' | 'token' | 'client' | 'tokenUrl' | 'readOnly' | 'allowWrites' | 'quick'
    > & {
      readonly kind: 'run'
      readonly url: string
      readonly credentials: ProviderCredentials
      readonly allowsWrites: boolean
      readonly isQuick: boolean
    })

type RunSettings = Extract<VerifySettings, { readonly kind: 'run' }>

/** A flag for either credential overrides both environment variables. */
function toCredentials(sources: SettingSources): ProviderCredentials {
  const typed = resolveOptions(verifyOptions, { ...sources, env: {} })
  if (typed.token !== undefined && typed.client !== undefined)
    throw new SetupError('--token and --client are mutually exclusive. Remove one of them.')
  const hasFlag = typed.token !== undefined || typed.client !== undefined
  const { token, client, tokenUrl } = hasFlag ? typed : resolveOptions(verifyOptions, sources)
  if (token !== undefined) return { kind: 'token', token }
  if (client !== undefined) return { kind: 'client', client, ...(tokenUrl === undefined ? {} : { tokenUrl }) }
  throw new SetupError(
    'verify needs credentials. Use --client id:secret or --token. A mock started without --client accepts any client, such as --client a:b.',
  )
}

/**
 * Parses the command line of `resource-mock verify`.
 *
 * @throws {SetupError} for an invalid value, or if credentials are missing.
 */
export function toVerifySettings(url: string, sources: SettingSources): VerifySettings {
  const options = resolveOptions(verifyOptions, { ...sources, env: {} })
  const {
    tolerances,
    token: _token,
    client: _client,
    tokenUrl: _url,
    readOnly,
    allowWrites,
    quick,
    ...others
  } = options
  const { project, otherProject, replay, mock } = others
  if (tolerances) return { kind: 'tolerances' }
  if (url === '') throw new SetupError('The argument <url> is missing. See: resource-mock verify --help')
  if (readOnly === true && allowWrites === true) {
    throw new SetupError(
      '--read-only and --allow-writes are mutually exclusive. Remove one; without either, nothing is written.',
    )
  }
  if (replay !== undefined && readOnly === true)
    throw new SetupError('--replay and --read-only are mutually exclusive. Remove one; the tests may have written.')
  if (replay === 'latest' && mock === undefined)
    throw new SetupError('--replay latest needs --mock, the URL of the mock that has the run.')
  if (replay === undefined && mock !== undefined)
    throw new SetupError('--mock names the mock that has a run. Add --replay latest, or remove --mock.')
  // Two projects with the same key would share their resources.
  if (otherProject === project) {
    throw new SetupError(
      `--other-project must differ from --project, ${JSON.stringify(project)}. Use another project key.`,
    )
  }
  return {
    kind: 'run',
    // The schema guarantees a string.
    url: values.parseValue({ value: values.baseUrl }, url, 'The URL') as string,
    credentials: toCredentials(sources),
    allowsWrites: allowWrites === true,
    isQuick: quick,
    ...others,
  }
}

/** Exit statuses. */
const VERIFY_EXIT = { held: 0, failed: 1, notRun: 2 } as const

/** Leftover data counts as a failure. An interrupted or empty run proves nothing. */
function toStatus(
  { mismatches, conversations, leftovers, isInterrupted }: VerifyReport,
  failOn: RunSettings['failOn'],
): number {
  const isFailed = mismatches.some(({ kind }) => failOn === 'any' || kind === 'violation')
  if (isFailed || leftovers.length > 0) return VERIFY_EXIT.failed
  return isInterrupted || conversations.every(({ compared }) => compared === 0) ? VERIFY_EXIT.notRun : VERIFY_EXIT.held
}

type LoadReporter = (settings: Pick<RunSettings, 'verbose'>) => Promise<(report: VerifyReport) => string>

/** Imports the reporter that `--reporter` names. */
const reporters: Readonly<Record<RunSettings['reporter'], LoadReporter>> = {
  async pretty({ verbose }) {
    const { toPretty } = await import('../../../tools/verify/pretty.ts')
    const { createPaint, toPrintable, wantsColour } = await import('../log.ts')
    const paint = createPaint(wantsColour(process.env, process.stdout.isTTY))
    const isFolded = process.stdout.isTTY && !verbose
    // A terminal would interpret control characters in the provider's texts.
    const toSafe: Paint = (style, text) => (style === 'plain' ? toPrintable(text) : paint(style, toPrintable(text)))
    return (report) => toPretty(report, toSafe, { isFolded })
  },
  json: async () => (await import('../../../tools/verify/reporters.ts')).toJsonReport,
  junit: async () => (await import('../../../tools/verify/reporters.ts')).toJunitReport,
  tap: async () => (await import('../../../tools/verify/reporters.ts')).toTap,
}

/** Moves the cursor to the start of the line and erases the line (ECMA-48, CR and EL). */
const ERASED_LINE = '\r\u001B[K'

/** Replaces the terminal's progress line; an empty string removes it. */
function showProgress(text: string): void {
  if (process.stderr.isTTY && process.env['TERM'] !== 'dumb') process.stderr.write(ERASED_LINE + text)
}

async function printTolerances(): Promise<void> {
  const { tolerances } = await import('../../../tools/verify/compare/tolerances.ts')
  print(tolerances.map(({ frees, word }) => `${frees}\n    ${word}`).join('\n'))
}

/** Sends what tests sent to the mock: from a file, or from a mock that is up. */
async function replayRecording(name: string, mock: string | undefined, options: VerifyOptions): Promise<VerifyReport> {
  const { parseArchive, readRun } = await import('../../../tools/verify/replay/recording.ts')
  const { replayTests } = await import('../../../tools/verify/replay/replay.ts')
  if (mock === undefined) return replayTests(parseArchive(await readFileText(name, '--replay'), name), options)
  const { tests, evicted } = await readRun(name, { ...options, mock: mock.replace(/\/+$/, '') })
  if (evicted > 0) process.stderr.write(`The mock no longer has the requests of ${evicted} tests.\n`)
  return replayTests(tests, options)
}

async function runVerify({ reporter, verbose, since, replay, mock, failOn, ...settings }: RunSettings): Promise<void> {
  const { compareReports, parseEarlierReport } = await import('../../../tools/verify/since.ts')
  const earlier = since === undefined ? undefined : parseEarlierReport(await readFileText(since, '--since'), since)
  const { createSocketTransport } = await import('../../node/socket-transport.ts')
  const { verify: verifyService } = await import('../../../tools/verify/verify.ts')
  const interruption = new AbortController()
  handleSignals(() => {
    showProgress('')
    process.stderr.write('Stopping: deleting created data first.\n')
    interruption.abort()
  })
  let held = 0
  const options: VerifyOptions = {
    ...settings,
    transport: createSocketTransport(),
    newId: () => crypto.randomUUID(),
    elapsed: () => performance.now(),
    signal: interruption.signal,
    onHeld(name) {
      held += 1
      showProgress(`${held} conversations, ${name} last …`)
    },
  }
  const running = replay === undefined ? verifyService(options) : replayRecording(replay, mock, options)
  const report = await running.finally(() => showProgress(''))
  const toText = await reporters[reporter]({ verbose })
  print(toText(earlier === undefined ? report : { ...report, since: compareReports(report, earlier) }))
  process.exitCode = toStatus(report, failOn)
}

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'compare a service with the mock',
  description:
    'Sends the same requests to the mock and to a service, and reports where the service contradicts the specification, and where it only differs from the mock. Exits with 0 without a violation, 1 with one, 2 if the service could not be verified.',
  argument: { syntax: '[url]', about: 'base URL, up to the project key' },
  options: verifyOptions,
  parse: toVerifySettings,
  run: (settings) => (settings.kind === 'tolerances' ? printTolerances() : runVerify(settings)),
})
