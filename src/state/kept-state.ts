import * as z from 'zod'
import { parseJson } from '../http/json.ts'
import type { Base } from './base.ts'
import type { ProjectChange } from './project-change.ts'
import { ProjectData } from './project-data.ts'
import { parseProjectId, toProjectId } from './project-name.ts'
import { projectContents, projectRecord, toImage, toImageText, toProjectData, toProjectText } from './project-record.ts'
import { toResource, toResourceText } from './resource-record.ts'
import { takeSnapshot } from './snapshots.ts'
import { createStateData } from './state-data.ts'
import type { Arrangement, SessionData, Snapshot, StateData } from './state-data.ts'
import { StateFault, expectState } from './state-fault.ts'
import { FORMAT, parseProjects, projectRecords } from './state-text.ts'

/** The format with what several projects begin with, snapshots, and the place of a log. */
const FORMAT_2 = 'resource-mock/2'

/** A project that begins with what others begin with, too: what was put and removed since. */
const changedProject = projectRecord.extend({
  /** The name of what it begins with. */
  base: z.string().optional(),
  /** Ids of resources that the base has, and the project no longer. */
  removed: z.array(z.string()).optional(),
})
const changedProjects = z.array(changedProject)

const snapshotRecord = z.strictObject({ name: z.string(), takenAt: z.string(), projects: changedProjects })

const arrangementRecord = z.strictObject({
  active: z.array(z.string()).optional(),
  defined: z.record(z.string(), z.string()),
})

type ArrangementRecord = z.output<typeof arrangementRecord>

const stateRecord1 = z.strictObject({ format: z.literal(FORMAT), sessions: z.record(z.string(), projectRecords) })
const stateRecord2 = z.strictObject({
  format: z.literal(FORMAT_2),
  /** The log whose commits up to a position are in this state. */
  log: z.strictObject({ id: z.string(), position: z.int().min(0) }).optional(),
  /** What several projects begin with, by name. */
  bases: z.record(z.string(), projectContents).optional(),
  sessions: z.record(z.string(), changedProjects),
  snapshots: z.record(z.string(), z.array(snapshotRecord)).optional(),
  /** The scenarios that sessions have chosen, and the JSON texts of those that they defined. */
  scenarios: z.record(z.string(), arrangementRecord).optional(),
})
const stateRecord = z.discriminatedUnion('format', [stateRecord1, stateRecord2])

type ChangedProject = z.output<typeof changedProject>

/** Names the bases that several projects share; what only one begins with is part of that one. */
function nameBases(states: Iterable<ReadonlyMap<string, ProjectData>>): ReadonlyMap<Base, string> {
  const counts = new Map<Base, number>()
  for (const projects of states) {
    for (const { base } of projects.values()) counts.set(base, (counts.get(base) ?? 0) + 1)
  }
  const shared = [...counts].filter(([, count]) => count > 1)
  return new Map(shared.map(([base], at) => [base, `base-${at + 1}`]))
}

const toList = (texts: Iterable<string>): string => `[${[...texts].join(',\n')}]`

function* present<Value>(values: Iterable<Value | undefined>): IterableIterator<Value> {
  for (const value of values) if (value !== undefined) yield value
}

/** What was put and removed over a base that others share. */
function toChangedText(id: string, data: ProjectData, base: string): string {
  const { baseUrl, projectKey } = parseProjectId(id)
  const { changed } = data.resources
  const removed = [...changed].filter(([, resource]) => resource === undefined).map(([one]) => one)
  const head = JSON.stringify({
    baseUrl,
    projectKey,
    base,
    removed,
    recent: data.resources.recentlyPut(),
    action: data.action,
    posted: [...data.ownPosted()],
  })
  const resources = toList(Array.from(present(changed.values()), toResourceText))
  return `${head.slice(0, -1)},\n"resources":${resources},\n"images":${toList(Array.from(data.ownImages(), toImageText))}}`
}

const toMembers = <Value>(entries: ReadonlyMap<string, Value>, toText: (value: Value) => string): string =>
  `{\n${Array.from(entries, ([name, value]) => `${JSON.stringify(name)}:${toText(value)}`).join(',\n')}}`

const toArrangementText = ({ active, defined }: Arrangement): string =>
  JSON.stringify({ active, defined: Object.fromEntries(Array.from(defined, ([name, { text }]) => [name, text])) })

/** Writes the whole state, int64 exact: what `--persist` keeps. */
export function toStateText({ sessions, snapshots, arrangements, log }: StateData): string {
  const kept = [...snapshots.values()].flatMap((one) => [...one.values()])
  const names = nameBases([...sessions.values(), ...kept.map(({ data }) => data)])
  const toProjects = (projects: ReadonlyMap<string, ProjectData>): string =>
    toList(
      Array.from(projects, ([id, data]) => {
        const name = names.get(data.base)
        return name === undefined ? toProjectText(parseProjectId(id), data) : toChangedText(id, data, name)
      }),
    )
  const toSnapshotText = ({ name, takenAt, data }: Snapshot): string =>
    `{"name":${JSON.stringify(name)},"takenAt":${JSON.stringify(takenAt)},"projects":${toProjects(data)}}`
  const bases = new Map(Array.from(names, ([base, name]) => [name, base]))
  const everyBase = { baseUrl: '', projectKey: '' }
  return `{"format":"${FORMAT_2}",${log === undefined ? '' : `\n"log":${JSON.stringify(log)},`}
"sessions":${toMembers(sessions, toProjects)},
"snapshots":${toMembers(snapshots, (one) => toList(Array.from(one.values(), toSnapshotText)))},
"scenarios":${toMembers(arrangements, toArrangementText)},
"bases":${toMembers(bases, (base) => toProjectText(everyBase, new ProjectData(base)))}}
`
}

const toArrangement = ({ active, defined }: ArrangementRecord): Arrangement => ({
  active,
  defined: new Map(Object.entries(defined).map(([name, text]) => [name, { text }])),
})

/** @throws {StateFault} for a base that there is not. */
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
  const changes: readonly ProjectChange[] = [
    ...(record.removed ?? []).map((id) => ({ kind: 'remove', id }) as const),
    ...Array.from(resources.values(), (resource) => ({ kind: 'put', resource }) as const),
    // Once more, in the order of their writing.
    ...Array.from(
      present((record.recent ?? []).map((id) => resources.get(id))),
      (resource) => ({ kind: 'put', resource }) as const,
    ),
    ...(record.posted ?? []).map((name) => ({ kind: 'posted', name }) as const),
    ...(record.images ?? []).map((image) => ({ kind: 'image', image: toImage(image) }) as const),
    ...(record.action === undefined || record.action === data.action
      ? []
      : [{ kind: 'action', text: record.action } as const]),
  ]
  for (const change of changes) data.apply(change, [])
  return data
}

/**
 * Reads a whole state back: what {@link toStateText} writes, and what earlier versions wrote.
 *
 * @throws {Problem} 400 for text that is not JSON; its `detailedErrorMessage` says where.
 * @throws {StateFault} for JSON that is not a state.
 */
export function parseStateText(text: string): StateData {
  const record = expectState(stateRecord, parseJson(text))
  if (record.format === FORMAT) {
    const sessions = Object.entries(record.sessions)
    return {
      ...createStateData(),
      sessions: new Map(sessions.map(([name, records]) => [name, parseProjects(records, `sessions.${name}`, '{}')])),
    }
  }
  const bases = new Map(
    Object.entries(record.bases ?? {}).map(([name, one]) => [name, toProjectData(one, `bases.${name}.`, '{}').base]),
  )

  function toSession(records: readonly ChangedProject[], path: string): SessionData {
    const data: SessionData = new Map()
    for (const [at, { base, removed: _removed, ...one }] of records.entries()) {
      const place = `${path}[${at}]`
      if (base === undefined) for (const [id, project] of parseProjects([one], path, '{}')) data.set(id, project)
      else
        data.set(
          toProjectId({ baseUrl: one.baseUrl ?? '', projectKey: one.projectKey }),
          toChangedData(records[at] ?? one, base, bases, place),
        )
    }
    return data
  }

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
    arrangements: new Map(Object.entries(record.scenarios ?? {}).map(([name, one]) => [name, toArrangement(one)])),
    ...(record.log === undefined ? {} : { log: record.log }),
  }
}
