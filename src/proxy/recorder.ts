import { REDACTED, createIsSecretName } from '../journal/redact.ts'
import type { IsSecretName, NamePlace } from '../journal/redact.ts'
import { SetupError } from '../errors.ts'
import { parseJson } from '../http/json.ts'
import { fixtureFiles } from '../state/fixtures.ts'
import { createRecordedProject, recordedResources, toObservations } from './observation.ts'
import type { RecordedProject, Observation } from './observation.ts'
import type { ResourceRecord } from '../state/records.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Incoming, Outgoing } from './exchange.ts'

/** Knows the secrets that went by, and strikes them out of what is kept. */
export interface Secrets {
  /** Notes credentials and cookies of a request or an answer, and whatever header has the name of a secret. */
  noteHeaders(headers: Headers): void
  /** Notes what members with the name of a secret hold: such as the tokens that a token endpoint issues. */
  noteBody(value: unknown): void
  /** Notes what parameters of a query or a form with the name of a secret hold (RFC 6750, section 2). */
  noteParameters(parameters: URLSearchParams): void
  /** The value with every secret struck out. */
  strike(value: unknown): unknown
}

/** What is shorter may as well be a word or a part of one, as `any` is of `company`: not even a password is so short. */
const LEAST_LENGTH = 8

/** So many secrets are known, those that came last: each is looked for in every text. */
const MOST_SECRETS = 1000
/** Characters of all of them together. */
const MOST_CHARACTERS = 1024 * 1024

function decodeBasic(credentials: string): readonly string[] {
  try {
    const text = atob(credentials)
    return [text.slice(text.indexOf(':') + 1)]
  } catch {
    return []
  }
}

/** The secrets in a header such as `Authorization`, without the scheme (RFC 9110, section 11.4; RFC 7617, section 2). */
function ofAuthorization(value: string): readonly string[] {
  const [scheme = '', credentials = ''] = value.trim().split(/\s+(.*)/s)
  if (credentials === '') return [scheme]
  return scheme.toLowerCase() === 'basic' ? [credentials, ...decodeBasic(credentials)] : [credentials]
}

const ofPair = (pair: string): string => pair.slice(pair.indexOf('=') + 1).trim()

/** `name=value; name=value` (RFC 6265, section 4.2.1), or one with attributes (section 4.1.1). */
const ofCookie = (value: string): readonly string[] => value.split(';').map(ofPair)
const ofSetCookie = (value: string): readonly string[] => [ofPair(value.split(';', 1)[0] ?? '')]

function* ofMembers(value: unknown, isSecretName: IsSecretName): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && isSecretName(name, 'member')) yield member
    else yield* ofMembers(member, isSecretName)
  }
}

/** @param names that are secret in addition to the usual ones */
export function createSecrets(names: readonly string[]): Secrets {
  const isSecretName = createIsSecretName(names)
  const known = new Set<string>()
  let characters = 0
  const isTooMuch = () => known.size > MOST_SECRETS || characters > MOST_CHARACTERS

  /** Those of headers or parameters whose name says so. */
  const ofNamed = (named: Iterable<[name: string, value: string]>, place: NamePlace): readonly string[] =>
    [...named].filter(([name]) => isSecretName(name, place)).map(([, value]) => value)

  function note(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (secret.length < LEAST_LENGTH) continue
      // One that comes again is the latest.
      if (known.delete(secret)) characters -= secret.length
      known.add(secret)
      characters += secret.length
    }
    for (const oldest of known) {
      if (!isTooMuch()) break
      known.delete(oldest)
      characters -= oldest.length
    }
  }

  function strikeText(text: string): string {
    let struck = text
    for (const secret of known) struck = struck.replaceAll(secret, REDACTED)
    return struck
  }

  function strike(value: unknown): unknown {
    if (typeof value === 'string') return strikeText(value)
    if (Array.isArray(value)) return value.map(strike)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        strikeText(name),
        isSecretName(name, 'member') ? REDACTED : strike(member),
      ]),
    )
  }

  return {
    noteHeaders(headers) {
      // `Authorization` is one of these names, too.
      note(ofNamed(headers, 'header').flatMap(ofAuthorization))
      note(ofCookie(headers.get('Cookie') ?? ''))
      note(headers.getSetCookie().flatMap(ofSetCookie))
    },
    noteBody: (value) => note(ofMembers(value, isSecretName)),
    noteParameters: (parameters) => note(ofNamed(parameters, 'parameter')),
    strike,
  }
}

/** A folder that is recorded into; paths are relative to it, with slashes. */
export interface RecordingFolder {
  /** Undefined where there is no such file. */
  read(path: string): Promise<string | undefined>
  /** Puts a text in the place of a file's, whole or not at all. */
  write(path: string, text: string): Promise<void>
  /** The names of the files in the folder itself. */
  list(): Promise<readonly string[]>
}

interface RecorderLimits {
  readonly projects: number
  /** Characters of JSON, of all projects. */
  readonly characters: number
}

const LIMITS: RecorderLimits = { projects: 1000, characters: 256 * 1024 * 1024 }

/** Keeps what goes by as fixtures. */
export interface ProjectRecorder {
  /** Notes an exchange; what it shows is written soon. */
  see(exchange: Exchange, outgoing: Outgoing, incoming: Incoming): void
  /** Resolves when all that was seen is written. */
  flush(): Promise<void>
}

interface OpenedProject {
  /** Of the folder with its files, with a slash at the end; empty for the folder itself. */
  readonly path: string
  readonly project: RecordedProject
}

/** Says which project has the folder itself; hidden, so that `--fixtures` does not look at it. */
const OWNER_FILE = '.recorded-project'

/** No file system takes a longer name than 255 bytes. */
const LONGEST_NAME = 200

const toHex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')

/**
 * A project key as the name of a folder: for some file systems `A` is `a`, and a name with a dot may be that of a file. A long
 * one ends with its hash, after a character that the others do not have.
 */
async function toFolderName(projectKey: string): Promise<string> {
  const bytes = new TextEncoder().encode(projectKey)
  const name = Array.from(bytes, (byte) => {
    const character = String.fromCodePoint(byte)
    return /[a-z\d_-]/.test(character) ? character : `%${toHex(byte)}`
  }).join('')
  if (name.length <= LONGEST_NAME) return name
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${name.slice(0, 100)}~${Array.from(hash, toHex).join('')}`
}

/** @throws {SetupError} for what someone has changed into what no recording writes. */
function parseRecorded(text: string, path: string): readonly ResourceRecord[] {
  const { data, error } = recordedResources.safeParse(parseJson(text))
  if (data !== undefined) return data
  throw new SetupError(
    `${path} is not as it was recorded: ${error.issues[0]?.message ?? ''}. Mend it, or record elsewhere.`,
  )
}

/** The form that a token endpoint is asked with, whatever its Content-Type (D31). */
function readForm({ body }: Outgoing): URLSearchParams {
  return new URLSearchParams(body.kind === 'whole' ? new TextDecoder().decode(body.bytes) : '')
}

/** Redacts what a file will hold; the members of an observation itself may have secret names. */
function redactObservation(observation: Observation, { strike }: Secrets): Observation {
  if (observation.kind === 'resource') return { ...observation, record: strike(observation.record) as ResourceRecord }
  return observation.kind === 'file' ? { ...observation, content: strike(observation.content) } : observation
}

/**
 * Opens a folder to record into. The first project that is seen has the folder itself, so that `--fixtures` takes it as it
 * is; every other one has a folder of its own in it (D87).
 *
 * @throws {SetupError} for a folder with fixtures that were not recorded, which would be overwritten.
 */
export async function openRecorder({
  folder,
  name,
  redact = [],
  onFault,
  limits = LIMITS,
}: {
  readonly folder: RecordingFolder
  /** What sentences call the folder. */
  readonly name: string
  /** Names of headers, parameters and members that are secret in addition to the usual ones. */
  readonly redact?: readonly string[]
  /** Told of what could not be written. */
  readonly onFault: (fault: unknown) => void
  /** Of all that is kept in memory. */
  readonly limits?: RecorderLimits
}): Promise<ProjectRecorder> {
  const secrets = createSecrets(redact)
  const projects = new Map<string, Promise<OpenedProject>>()
  const dirty = new Map<string, { readonly project: RecordedProject; readonly file: string }>()
  let owner = (await folder.read(OWNER_FILE))?.trim()
  const waiting: { readonly projectKey: string; readonly observations: readonly Observation[] }[] = []
  let writing: Promise<void> | undefined
  let size = 0
  const told = new Set<string>()

  /** Says once that a limit is reached. */
  function tell(sentence: string): void {
    if (told.has(sentence)) return
    told.add(sentence)
    onFault(new SetupError(sentence))
  }

  const files = owner === undefined ? await folder.list() : []
  const stranger = files.find((file) => file.endsWith('.json'))
  if (stranger !== undefined) {
    throw new SetupError(
      `--record is ${JSON.stringify(name)}, which has ${stranger}, and no recording wrote that. Give an empty folder, or the one of an earlier recording.`,
    )
  }

  async function openProject(projectKey: string): Promise<OpenedProject> {
    if (owner === undefined) {
      owner = projectKey
      await folder.write(OWNER_FILE, `${projectKey}\n`)
    }
    const path = projectKey === owner ? '' : `${await toFolderName(projectKey)}/`
    const file = path + fixtureFiles.resources
    const text = await folder.read(file)
    return { path, project: createRecordedProject(text === undefined ? [] : parseRecorded(text, `${name}/${file}`)) }
  }

  async function note(projectKey: string, observations: readonly Observation[]): Promise<void> {
    const shown = JSON.stringify(name)
    if (size >= limits.characters) {
      tell(
        `--record ${shown} has reached ${limits.characters} characters, which is the limit: nothing more is recorded. Record into another folder.`,
      )
      return
    }
    let opening = projects.get(projectKey)
    if (opening === undefined && projects.size >= limits.projects) {
      tell(
        `--record ${shown} has reached ${limits.projects} projects, which is the limit: further projects are not recorded. Record them into another folder.`,
      )
      return
    }
    if (opening === undefined) {
      opening = openProject(projectKey)
      projects.set(projectKey, opening)
      size += (await opening).project.size
    }
    const { path, project } = await opening
    const before = project.size
    for (const file of project.note(observations)) dirty.set(path + file, { project, file })
    size += project.size - before
  }

  /** Files are written after all that has been seen until then, so that many exchanges cost one write. */
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      for (const { projectKey, observations } of waiting.splice(0)) await note(projectKey, observations).catch(onFault)
      for (const [path, { project, file }] of dirty) {
        dirty.delete(path)
        await folder.write(path, project.text(file)).catch(onFault)
      }
    }
    writing = undefined
  }

  return {
    see(exchange, outgoing, { status, headers, json }) {
      const { request, address } = exchange
      secrets.noteHeaders(request.headers)
      secrets.noteHeaders(headers)
      const { found, decoded } = outgoing
      const requestJson = decoded?.body
      const query = new URLSearchParams(address.search)
      secrets.noteParameters(query)
      secrets.noteBody(requestJson)
      secrets.noteBody(json)
      if (found.kind !== 'operation') {
        secrets.noteParameters(readForm(outgoing))
        return
      }
      const { operation, parameters } = found
      const requestHeaders = request.headers
      const seen = { operation, parameters, query, requestHeaders, requestJson, status, headers, json }
      const observations = toObservations(seen).map((observation) => redactObservation(observation, secrets))
      if (observations.length === 0) return
      waiting.push({ projectKey: parameters['projectKey'] ?? '', observations })
      writing ??= write()
    },
    flush: async () => writing,
  }
}
