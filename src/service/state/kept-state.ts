import * as z from 'zod'
import { ProjectData, parseProjectId } from './project-data.ts'
import {
  toImageText,
  ARRAY,
  OBJECT,
  writeEach,
  writeProject,
  projectContents,
  projectRecord,
  toImage,
  toProjectData,
  StateFault,
  expectState,
  FORMAT,
  parseProjects,
  toResourceText,
  toResource,
} from './records.ts'
import { parseJson } from '../http/json.ts'
import { clockRecord } from './change-text.ts'
import { takeSnapshot } from './state-data.ts'
import type { Snapshot, StateData } from './state-data.ts'
import type { SessionData } from './change.ts'
import { Problem, SetupError, toMessage } from '../../errors.ts'
import { inSlices } from '../../util/time-slices.ts'
import type { Base } from './resource.ts'
import type { Adapter } from 'lowdb'

/** The format with shared bases, snapshots, scenarios, clocks, and a log position. */
export const FORMAT_2 = 'resource-mock/2'

/** Names the bases that several projects share. A base used by one project is written inline. */
function nameBases({ sessions, snapshots }: StateData): ReadonlyMap<Base, string> {
  const counts = new Map<Base, number>()
  const kept = [...snapshots.values()].flatMap((one) => Array.from(one.values(), ({ data }) => data))
  for (const projects of [...sessions.values(), ...kept]) {
    for (const { base } of projects.values()) counts.set(base, (counts.get(base) ?? 0) + 1)
  }
  const shared = [...counts].filter(([, count]) => count > 1)
  return new Map(shared.map(([base], at) => [base, `base-${at + 1}`]))
}

/** Writes an object, each value with a function. */
const writeMembers = <Value>(
  members: Iterable<readonly [string, Value]>,
  write: (value: Value) => Iterable<string>,
): Generator<string> =>
  writeEach(members, OBJECT, function* writeMember([name, value]) {
    yield `${JSON.stringify(name)}:`
    yield* write(value)
  })

function* present<Value>(values: Iterable<Value | undefined>): IterableIterator<Value> {
  for (const value of values) if (value !== undefined) yield value
}

/** Writes the additions and removals on top of a shared base. */
function* writeChanged(id: string, data: ProjectData, base: string): Generator<string> {
  const { baseUrl, projectKey } = parseProjectId(id)
  const head = JSON.stringify({
    baseUrl,
    projectKey,
    base,
    removed: [...data.changed].filter(([, resource]) => resource === undefined).map(([one]) => one),
    recent: data.recentlyPut(),
    action: data.action,
    posted: [...data.ownPosted()],
  })
  yield `${head.slice(0, -1)},\n"resources":`
  yield* writeEach(present(data.changed.values()), ARRAY, (resource) => [toResourceText(resource)])
  yield ',\n"images":'
  yield* writeEach(data.ownImages(), ARRAY, (image) => [toImageText(image)])
  yield '}'
}

/** Writes the whole state in chunks, int64 exact, for `--persist`. The state must not change meanwhile. */
export function* writeState(state: StateData): Generator<string> {
  const { sessions, snapshots, scenarioSelections, clocks, log, fixtures } = state
  const names = nameBases(state)

  function* writeProjects(projects: ReadonlyMap<string, ProjectData>): Generator<string> {
    yield* writeEach(projects, ARRAY, ([id, data]) => {
      const name = names.get(data.base)
      return name === undefined ? writeProject(parseProjectId(id), data) : writeChanged(id, data, name)
    })
  }

  function* writeSnapshot({ name, takenAt, data }: Snapshot): Generator<string> {
    yield `{"name":${JSON.stringify(name)},"takenAt":${JSON.stringify(takenAt)},"projects":`
    yield* writeProjects(data)
    yield '}'
  }

  yield `{"format":"${FORMAT_2}",${log === undefined ? '' : `\n"log":${JSON.stringify(log)},`}${fixtures === undefined ? '' : `\n"fixtures":${JSON.stringify(fixtures)},`}\n"sessions":`
  yield* writeMembers(sessions, writeProjects)
  yield ',\n"snapshots":'
  yield* writeMembers(snapshots, (one) => writeEach(one.values(), ARRAY, writeSnapshot))
  yield ',\n"scenarios":'
  yield* writeMembers(scenarioSelections, (one) => [
    JSON.stringify({
      active: one.active,
      defined: Object.fromEntries(Array.from(one.defined, ([name, { text }]) => [name, text])),
    }),
  ])
  yield ',\n"clocks":'
  yield* writeMembers(clocks, (one) => [JSON.stringify(one)])
  yield ',\n"bases":'
  const bases = Array.from(names, ([base, name]) => [name, new ProjectData(base)] as const)
  yield* writeMembers(bases, (data) => writeProject({ baseUrl: '', projectKey: '' }, data))
  yield '}\n'
}

/** Like {@link writeState}, as one string. */
export const toStateText = (state: StateData): string => [...writeState(state)].join('')

/** A project on top of a shared base: additions and removals. */
const changedProject = projectRecord.extend({
  /** The name of its base. */
  base: z.string().optional(),
  /** Ids of resources in the base that the project has removed. */
  removed: z.array(z.string()).optional(),
})
const changedProjects = z.array(changedProject)

const snapshotRecord = z.strictObject({ name: z.string(), takenAt: z.string(), projects: changedProjects })

const selectionRecord = z.strictObject({
  active: z.array(z.string()).optional(),
  defined: z.record(z.string(), z.string()),
})

const formats = z.enum([FORMAT, FORMAT_2])

/** A whole state. In the older format, it has only sessions. */
const stateRecord = z.strictObject({
  format: formats,
  /** The log whose commits this state includes, up to a position. */
  log: z.strictObject({ id: z.string(), position: z.int().min(0), isOpen: z.literal(true).optional() }).optional(),
  /** Identifies the fixtures of the mock that wrote the state. */
  fixtures: z.string().optional(),
  /** The shared bases, by name. */
  bases: z.record(z.string(), projectContents).optional(),
  sessions: z.record(z.string(), changedProjects),
  snapshots: z.record(z.string(), z.array(snapshotRecord)).optional(),
  /** The active scenarios of sessions, and the JSON texts of those that they defined. */
  scenarios: z.record(z.string(), selectionRecord).optional(),
  /** The clock offsets of sessions. */
  clocks: z.record(z.string(), clockRecord).optional(),
})

type ChangedProject = z.output<typeof changedProject>

/** @throws {StateFault} for an unknown base. */
function toChangedData(
  record: ChangedProject,
  base: string,
  bases: ReadonlyMap<string, Base>,
  path: string,
): ProjectData {
  const found = bases.get(base)
  if (found === undefined) throw new StateFault(`${path}.base: bases has no ${JSON.stringify(base)}.`)
  const data = new ProjectData(found)
  const resources = new Map(record.resources.map(toResource).map((one) => [one.id, one]))
  for (const id of record.removed ?? []) data.apply({ kind: 'remove', id })
  for (const resource of resources.values()) data.apply({ kind: 'put', resource })
  // Put them again, in the order in which they were written.
  for (const resource of present((record.recent ?? []).map((id) => resources.get(id))))
    data.apply({ kind: 'put', resource })
  for (const name of record.posted ?? []) data.apply({ kind: 'posted', name })
  for (const image of record.images ?? []) data.apply({ kind: 'image', image: toImage(image) })
  const { action: text = data.action } = record
  if (text !== data.action) data.apply({ kind: 'action', text })
  return data
}

/**
 * Parses a whole state written by `writeState` or by an earlier version.
 *
 * @throws {Problem} 400 for text that is not JSON; its `detailedErrorMessage` has the position.
 * @throws {StateFault} for JSON that is not a state.
 */
export function parseStateText(text: string): StateData {
  const value = parseJson(text)
  // Another format may have members that this one does not know.
  expectState(z.looseObject({ format: formats }), value)
  const record = expectState(stateRecord, value)
  const bases = new Map(
    Object.entries(record.bases ?? {}).map(([name, one]) => [
      name,
      toProjectData(one, `bases.${name}.resources`, '{}').base,
    ]),
  )

  const toSession = (records: readonly ChangedProject[], path: string): SessionData =>
    parseProjects(records, path, '{}', (one, place) =>
      one.base === undefined
        ? toProjectData(one, `${place}.resources`, '{}')
        : toChangedData(one, one.base, bases, place),
    )

  const snapshots = Object.entries(record.snapshots ?? {}).map(([session, list]) => {
    const taken = list.map(({ name, takenAt, projects }, at) =>
      takeSnapshot(name, takenAt, toSession(projects, `snapshots.${session}[${at}].projects`)),
    )
    return [session, new Map(taken.map((one) => [one.name, one]))] as const
  })
  return {
    sessions: new Map(
      Object.entries(record.sessions).map(([name, list]) => [name, toSession(list, `sessions.${name}`)]),
    ),
    snapshots: new Map(snapshots),
    scenarioSelections: new Map(
      Object.entries(record.scenarios ?? {}).map(([name, one]) => [
        name,
        {
          active: one.active,
          defined: new Map(Object.entries(one.defined).map(([name, text]) => [name, { text }])),
        },
      ]),
    ),
    clocks: new Map(Object.entries(record.clocks ?? {})),
    ...(record.log === undefined ? {} : { log: record.log }),
    ...(record.fixtures === undefined ? {} : { fixtures: record.fixtures }),
  }
}

/** The name of an unnamed persistence, for the start of a sentence. */
export const DEFAULT_NAME = 'The kept state'

/** Lines appended to a text. Each ends with a line break. */
export interface Lines {
  /**
   * Reads the stored lines one at a time, oldest first, without line breaks. Skips a truncated last line.
   *
   * @returns false if nothing is stored, not even an empty text
   */
  read(each: (line: string) => void): Promise<boolean>
  /**
   * Resolves to true once the lines are stored, or to false if the text they belong to no longer exists. Atomic: if it
   * rejects, no line was stored.
   */
  append(lines: string): Promise<boolean>
  /** Continues after the last complete line and removes a truncated one. */
  resume(): Promise<void>
  /** Replaces all lines at once. */
  replace(lines: readonly string[]): Promise<void>
  remove(): Promise<void>
}

/**
 * Stores the state across restarts: whole texts, one write at a time.
 *
 * @example
 * const persistence: Persistence = {
 *   read: async () => localStorage.getItem('mock') ?? undefined,
 *   write: async (text) => localStorage.setItem('mock', text),
 * }
 */
export interface Persistence {
  /** Its name for the start of a sentence, such as `The state file state.json`. Default `The kept state`. */
  readonly name?: string
  /** The last written text; undefined if there is none. */
  read(): Promise<string | undefined>
  /** Resolves once the text is stored; until then the old text stays intact. */
  write(text: string): Promise<void>
  /** Lines stored next to the text, so that a write need not replace the whole text. Default: none. */
  readonly lines?: Lines
  /** Separate lines for journals and scenario counters, written when the mock closes. Default: not stored. */
  readonly journal?: Pick<Lines, 'read' | 'replace'>
}

function describeStateFault(fault: unknown): string {
  // The JavaScript error for a string that is too long.
  if (fault instanceof RangeError) return 'it would be longer than 512 MB. Delete sessions, resources or snapshots.'
  const message = toMessage(fault)
  if (fault instanceof Problem) return message
  // Those of the system end without a period, and without a remedy.
  return message.endsWith('.') ? message : `${message}. Correct that, and try again.`
}

/** The error for a write that could not be stored. */
export const toWriteError = (name: string, cause: unknown): Error =>
  new Error(`${name} could not be written, so the change was undone: ${describeStateFault(cause)}`, { cause })

/** The error for journals that could not be stored next to the state. */
export const toJournalError = ({ name = DEFAULT_NAME }: Pick<Persistence, 'name'>, cause: unknown): Error =>
  new Error(`${name} is without the journals of this run: ${describeStateFault(cause)}`, { cause })

/**
 * The lowdb adapter of a persistence: int64 exact; never overwrites a text that it could not read. If the persistence has
 * lines, the state does not change while its text is built, so other requests can run meanwhile.
 */
export function createStateAdapter(persistence: Persistence): Adapter<StateData> {
  const { name = DEFAULT_NAME } = persistence
  return {
    async read() {
      const text = await persistence.read()
      if (text === undefined) return null
      try {
        return parseStateText(text)
      } catch (fault) {
        throw new SetupError(
          `${name} cannot be read: ${describeStateFault(fault)} It was left unchanged. Repair it, or point --persist at another file.`,
        )
      }
    },
    async write(data) {
      try {
        if (persistence.lines === undefined) return await persistence.write(toStateText(data))
        const pieces: string[] = []
        for await (const piece of inSlices(writeState(data))) pieces.push(piece)
        await persistence.write(pieces.join(''))
      } catch (cause) {
        throw toWriteError(name, cause)
      }
    },
  }
}
