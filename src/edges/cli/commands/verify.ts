import { SetupError } from '../../../errors.ts'
import { readText } from '../../node/folder.ts'
import type { Options, Parsed } from '../../../app/options/option.ts'
import * as values from '../../../app/options/option.ts'
import type { Paint } from '../../../tools/verify/pretty.ts'
import type { Report } from '../../../tools/verify/report.ts'
import type { EarlierOutcomes } from '../../../tools/verify/since.ts'
import { subjectIds } from '../../../tools/verify/subjects.ts'
import type { SubjectId } from '../../../tools/verify/subjects.ts'
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
    about: 'second project; read only',
    value: values.projectKey,
  },
  readOnly: { flag: '--read-only', about: 'send only requests that read (the default)', value: values.onOrOff },
  allowWrites: {
    flag: '--allow-writes',
    about: 'also send requests that write, and delete the created data',
    value: values.onOrOff,
  },
  only: {
    flag: '--only <operations>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'check only these operations, anyPath or tokenEndpoints; repeat the option or separate ids with commas',
    value: values.idList(subjectIds, 'operation ids, anyPath or tokenEndpoints, separated by commas'),
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
    about: 'list every check on a terminal, too; other outputs always do',
    value: values.onOrOff,
  },
  since: {
    flag: '--since <report.json>',
    about: 'also report which checks got better or worse since an earlier report of --reporter json',
    value: values.path,
  },
  timeout: {
    flag: '--timeout <time>',
    default: '10s',
    about: 'timeout for responses',
    value: values.duration({ min: 1, max: 600_000 }),
  },
} as const satisfies Options

export interface VerifySettings extends Pick<
  Parsed<typeof verifyOptions>,
  'project' | 'reporter' | 'verbose' | 'since' | 'timeout'
> {
  readonly url: string
  readonly credentials:
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'client'; readonly client: string; readonly tokenUrl?: string | undefined }
  readonly otherProject: string | undefined
  readonly allowsWrites: boolean
  readonly only: readonly SubjectId[] | undefined
}

/** A flag for either credential overrides both environment variables. */
function toCredentials(sources: SettingSources): VerifySettings['credentials'] {
  const typed = resolveOptions(verifyOptions, { ...sources, env: {} })
  if (typed.token !== undefined && typed.client !== undefined) {
    throw new SetupError('--token and --client are mutually exclusive. Remove one of them.')
  }
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
  const { readOnly, allowWrites, project, otherProject, only, reporter, verbose, since, timeout } = options
  if (readOnly === true && allowWrites === true) {
    throw new SetupError(
      '--read-only and --allow-writes are mutually exclusive. Remove one; without either, nothing is written.',
    )
  }
  // Two projects with the same key would share their resources.
  if (otherProject === project) {
    throw new SetupError(
      `--other-project must differ from --project, ${JSON.stringify(project)}. Use another project key.`,
    )
  }
  return {
    // The schema guarantees a string.
    url: values.parseValue({ value: values.baseUrl }, url, 'The URL') as string,
    credentials: toCredentials(sources),
    project,
    otherProject,
    allowsWrites: allowWrites === true,
    only,
    reporter,
    verbose,
    since,
    timeout,
  }
}

/** Exit statuses. */
const EXIT = { held: 0, failed: 1, notRun: 2 } as const

/** Leftover data counts as a failure. An interrupted or empty run proves nothing. */
function toStatus({ counts, leftovers, isInterrupted }: Report): number {
  if (counts.failed > 0 || leftovers.length > 0) return EXIT.failed
  return isInterrupted || counts.held === 0 ? EXIT.notRun : EXIT.held
}

type LoadReporter = (settings: Pick<VerifySettings, 'verbose'>) => Promise<(report: Report) => string>

/** Imports the reporter that `--reporter` names. */
const reporters: Readonly<Record<VerifySettings['reporter'], LoadReporter>> = {
  async pretty({ verbose }) {
    const { toPretty } = await import('../../../tools/verify/pretty.ts')
    const { createPaint, toPrintable, wantsColour } = await import('../log.ts')
    const paint = createPaint(wantsColour(process.env, process.stdout.isTTY))
    const isFolded = process.stdout.isTTY && !verbose
    // A terminal would interpret control characters in the provider's texts.
    const toSafe: Paint = (style, text) => (style === 'plain' ? toPrintable(text) : paint(style, toPrintable(text)))
    return (report) => toPretty(report, toSafe, { isFolded })
  },
  json: async () => (await import('../../../tools/verify/reporters.ts')).toJson,
  junit: async () => (await import('../../../tools/verify/reporters.ts')).toJunit,
  tap: async () => (await import('../../../tools/verify/reporters.ts')).toTap,
}

/** Moves the cursor to the start of the line and erases the line (ECMA-48, CR and EL). */
const ERASED = '\r\u001B[K'

/** Replaces the terminal's progress line; an empty string removes it. */
function showProgress(text: string): void {
  if (process.stderr.isTTY && process.env['TERM'] !== 'dumb') process.stderr.write(ERASED + text)
}

/** @throws {SetupError} if the file cannot be read or is not a report. */
async function readEarlier(path: string): Promise<EarlierOutcomes> {
  const { parseEarlierReport } = await import('../../../tools/verify/since.ts')
  return parseEarlierReport(await readText(path, '--since'), path)
}

export const verify = defineCommand({
  name: 'verify',
  summary: 'check a service against the contract',
  description:
    'Calls every operation of a service and reports which checks passed, which failed and which could not run. Exits with 0 if all passed, 1 if any failed, 2 if the checks could not run.',
  argument: { syntax: '<url>', about: 'base URL, up to the project key' },
  options: verifyOptions,
  parse: toVerifySettings,
  async run({ reporter, verbose, since, ...settings }) {
    const earlier = since === undefined ? undefined : await readEarlier(since)
    const { createSocketTransport } = await import('../../node/socket-transport.ts')
    const { verify: verifyService } = await import('../../../tools/verify/verify.ts')
    const interruption = new AbortController()
    handleSignals(() => {
      showProgress('')
      process.stderr.write('Stopping: deleting created data first.\n')
      interruption.abort()
    })
    let checked = 0
    const report = await verifyService({
      ...settings,
      transport: createSocketTransport(),
      newId: () => crypto.randomUUID(),
      elapsed: () => performance.now(),
      signal: interruption.signal,
      onSubject(id) {
        checked += 1
        showProgress(`${checked} examined, ${id} last …`)
      },
    }).finally(() => showProgress(''))
    const toText = await reporters[reporter]({ verbose })
    const { compareReports } = await import('../../../tools/verify/since.ts')
    print(toText(earlier === undefined ? report : { ...report, since: compareReports(report, earlier) }))
    process.exitCode = toStatus(report)
  },
})
