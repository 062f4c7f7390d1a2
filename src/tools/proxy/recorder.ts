import { encoder } from '../../service/http/body.ts'
import { createRedactor } from '../../sessions/journal/redact.ts'
import { SetupError } from '../../errors.ts'
import { toSyntaxError } from '../../util/file-problems.ts'
import { parseJson, toPath } from '../../service/http/json.ts'
import { fixtureFiles } from '../../service/state/fixtures.ts'
import { createRecordedProject, recordedResources, toObservations } from './observation.ts'
import type { RecordedProject, Observation } from './observation.ts'
import type { ResourceRecord } from '../../service/state/records.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import type { Incoming, OutgoingRequest } from './proxied-request.ts'

/** A folder for recordings; paths are relative to it, with slashes. */
export interface RecordingFolder {
  /** Undefined if the file does not exist. */
  read(path: string): Promise<string | undefined>
  /** Replaces a file's content atomically. */
  write(path: string, text: string): Promise<void>
  /** The names of the files directly in the folder. */
  list(): Promise<readonly string[]>
}

interface RecorderLimits {
  readonly projects: number
  /** Total size of all projects, in characters of JSON. */
  readonly characters: number
}

const LIMITS: RecorderLimits = { projects: 1000, characters: 256 * 1024 * 1024 }

/** Records observed data as fixtures. */
export type ProjectRecorder = Awaited<ReturnType<typeof openRecorder>>

interface OpenedProject {
  /** Path of the folder with its files, ending with a slash; empty for the folder itself. */
  readonly path: string
  readonly project: RecordedProject
}

/** Names the project that uses the folder itself. Hidden, so that `--fixtures` ignores it. */
const OWNER_FILE = '.recorded-project'

/** File systems limit names to 255 bytes. */
const LONGEST_NAME = 200

const toHex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')

/**
 * A project key as the name of a folder: for some file systems `A` is `a`, and a name with a dot may be that of a file. A long
 * one ends with its hash, after a character that the others do not have.
 */
async function toFolderName(projectKey: string): Promise<string> {
  const bytes = encoder.encode(projectKey)
  const name = Array.from(bytes, (byte) => {
    const character = String.fromCodePoint(byte)
    return /[a-z\d_-]/.test(character) ? character : `%${toHex(byte)}`
  }).join('')
  if (name.length <= LONGEST_NAME) return name
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${name.slice(0, 100)}~${Array.from(hash, toHex).join('')}`
}

function parseText(text: string, path: string): unknown {
  try {
    return parseJson(text)
  } catch (fault) {
    throw toSyntaxError(fault, path, ' Repair it, or record into another folder.')
  }
}

/** @throws {SetupError} if a recorded file was edited and is no longer valid. */
function parseRecorded(text: string, path: string): readonly ResourceRecord[] {
  const { data, error } = recordedResources.safeParse(parseText(text, path))
  if (data !== undefined) return data
  const place = toPath(error.issues[0]?.path ?? [])
  throw new SetupError(
    `${path} is not a valid recording: ${place === '' ? 'its content' : place} is not as recorded. Repair it, or record into another folder.`,
  )
}

/**
 * Opens a folder to record into. The first observed project uses the folder itself, so that `--fixtures` can read it
 * directly; every other project has its own subfolder (D87).
 *
 * @throws {SetupError} for a folder with fixtures that were not recorded, which would be overwritten.
 */
export async function openRecorder(parts: {
  readonly folder: RecordingFolder
  /** The folder's name in messages. */
  readonly name: string
  /** Additional secret names of headers, parameters and members. */
  readonly redact?: readonly string[]
  /** Called with write errors. */
  readonly onFault: (fault: unknown) => void
  /** Limits of what is kept in memory. */
  readonly limits?: RecorderLimits
}) {
  const { folder, name, redact = [], onFault, limits = LIMITS } = parts
  const redactor = createRedactor(redact)
  const projects = new Map<string, Promise<OpenedProject>>()
  const dirty = new Map<string, { readonly project: RecordedProject; readonly file: string }>()
  let owner = (await folder.read(OWNER_FILE))?.trim()
  const waiting: { readonly projectKey: string; readonly observations: readonly Observation[] }[] = []
  let writing: Promise<void> | undefined
  let size = 0
  const told = new Set<string>()

  /** Reports once that a limit is reached. */
  function tell(sentence: string): void {
    if (told.has(sentence)) return
    told.add(sentence)
    onFault(new SetupError(sentence))
  }

  const files = owner === undefined ? await folder.list() : []
  const stranger = files.find((file) => file.endsWith('.json'))
  if (stranger !== undefined) {
    throw new SetupError(
      `--record is ${JSON.stringify(name)}, which has ${stranger}, but not from a recording. Use an empty folder, or that of an earlier recording.`,
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

  /** Writes files after everything observed so far, so that many exchanges cost one write. */
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
    /** Notes an exchange; its data is written soon. */
    see(exchange: Exchange, outgoing: OutgoingRequest, { status, headers, json }: Incoming): void {
      const { found, decoded } = outgoing
      if (found.kind !== 'operation') return
      const { request, address } = exchange
      const { operation, parameters } = found
      const query = new URLSearchParams(address.search)
      const requestHeaders = request.headers
      const seen = { operation, parameters, query, requestHeaders, requestJson: decoded?.body, status, headers, json }
      const observations = toObservations(seen).map((observation) => {
        if (observation.kind === 'resource')
          return { ...observation, record: redactor.json(observation.record) as ResourceRecord }
        return observation.kind === 'file'
          ? { ...observation, content: redactor.json(observation.content) }
          : observation
      })
      if (observations.length === 0) return
      waiting.push({ projectKey: parameters['projectKey'] ?? '', observations })
      writing ??= write()
    },
    /** Resolves when everything observed has been written. */
    flush: async (): Promise<void> => writing,
  }
}
