import { SetupError } from '../errors.ts'
import { subjectIds } from '../verify/subjects.ts'
import type { SubjectId } from '../verify/subjects.ts'
import { refuse } from './option.ts'
import type { Parse, Source } from './option.ts'
import { client as parseClient, duration, oneOf } from './parsers.ts'
import type { Surroundings } from './program.ts'
import { VARIABLES } from './verify-command.ts'
import type { VerifyFlags } from './verify-command.ts'

/** How a report is written. */
export type ReporterName = 'pretty' | 'json' | 'junit' | 'tap'

/** What `resource-mock verify` was asked for. */
export interface VerifySettings {
  readonly url: string
  readonly credentials:
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'client'; readonly client: string; readonly tokenUrl?: string | undefined }
  readonly project: string
  readonly otherProject: string | undefined
  readonly allowsWrites: boolean
  readonly only: readonly SubjectId[] | undefined
  readonly reporter: ReporterName
  /** Milliseconds. */
  readonly timeout: number
}

const httpUrl: Parse<string> = (text, source) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search + url.hash === ''
  if (isPlain && url.username + url.password === '') return text.replace(/\/+$/, '')
  throw refuse(
    source,
    text,
    'which is no base URL',
    'Give scheme and host, and the path before the project key where there is one: http://127.0.0.1:4010.',
  )
}

const projectKey: Parse<string> = (text, source) => {
  // Dots alone would not stay a segment (URL standard, "double-dot URL path segment").
  if (text !== '' && !text.includes('/') && !/^\.\.?$/.test(text)) return text
  throw refuse(source, text, 'which is no project key', 'Give one segment of a path, such as acme.')
}

/** Two projects of one key would have the same resources. */
function toOtherProject({ project, otherProject = '' }: VerifyFlags, source: Source): string {
  if (otherProject !== project) return projectKey(otherProject, source)
  throw new SetupError(`--other-project is "${otherProject}", which is --project too. Give the key of another project.`)
}

/** What a header may carry; it is a secret, so that the sentence does not repeat it. */
const bearerToken: Parse<string> = (text, { name }) => {
  if (/^[!-~]+$/.test(text)) return text
  throw new SetupError(`${name} is no bearer token: it is empty, or has characters that no header may carry.`)
}

const LONGEST = 600_000

const patience: Parse<number> = (text, source) => {
  const milliseconds = duration(text, source)
  if (milliseconds <= LONGEST) return milliseconds
  throw refuse(source, text, 'which is too long', 'Give at most 10m.')
}

const toSubjects = (texts: readonly string[], source: Source): readonly SubjectId[] =>
  texts.flatMap((text) => text.split(',').map((name) => oneOf(...subjectIds)(name.trim(), source)))

/** A flag wins over the environment. */
function toCredentials(
  { token, client, tokenUrl }: VerifyFlags,
  { env, folder }: Pick<Surroundings, 'env' | 'folder'>,
): VerifySettings['credentials'] {
  const named = (name: string): Source => ({ name, folder })
  const toClient = (text: string, name: string) => ({
    kind: 'client' as const,
    client: parseClient(text, named(name)),
    ...(tokenUrl === undefined ? {} : { tokenUrl: httpUrl(tokenUrl, named('--token-url')) }),
  })
  if (token !== undefined && client !== undefined) {
    throw new SetupError('Both --token and --client are given. Give the one that verify is to ask with.')
  }
  if (token !== undefined) return { kind: 'token', token: bearerToken(token, named('--token')) }
  if (client !== undefined) return toClient(client, '--client')
  const { [VARIABLES.token]: envToken, [VARIABLES.client]: envClient } = env
  if (envToken !== undefined && envToken !== '') {
    return { kind: 'token', token: bearerToken(envToken, named(`The environment variable ${VARIABLES.token}`)) }
  }
  if (envClient !== undefined && envClient !== '')
    return toClient(envClient, `The environment variable ${VARIABLES.client}`)
  throw new SetupError(
    'verify has no token to ask with. Give --client id:secret, or --token; the mock itself takes any: --client a:b.',
  )
}

/**
 * Reads the command's flags.
 *
 * @throws {SetupError} for a value that is none, and where there is nothing to ask with.
 */
export function toVerifySettings(
  url: string,
  flags: VerifyFlags,
  surroundings: Pick<Surroundings, 'env' | 'folder'>,
): VerifySettings {
  if (flags.readOnly === true && flags.allowWrites === true) {
    throw new SetupError('Both --read-only and --allow-writes are given. Give one; without either nothing is written.')
  }
  const named = (name: string): Source => ({ name, folder: surroundings.folder })
  return {
    url: httpUrl(url, named('The URL')),
    credentials: toCredentials(flags, surroundings),
    project: projectKey(flags.project, named('--project')),
    otherProject: flags.otherProject === undefined ? undefined : toOtherProject(flags, named('--other-project')),
    allowsWrites: flags.allowWrites === true,
    only: flags.only === undefined ? undefined : toSubjects(flags.only, named('--only')),
    reporter: oneOf('pretty', 'json', 'junit', 'tap')(flags.reporter, named('--reporter')),
    timeout: patience(flags.timeout, named('--timeout')),
  }
}
