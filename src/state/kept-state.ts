import * as z from 'zod'
import { parseJson } from '../http/json.ts'
import type { Base } from './base.ts'
import { clockRecord } from './clock-record.ts'
import type { ProjectChange } from './project-change.ts'
import { ProjectData } from './project-data.ts'
import { toProjectId } from './project-name.ts'
import { projectContents, projectRecord, toImage, toProjectData } from './project-record.ts'
import { toResource } from './resource-record.ts'
import { takeSnapshot } from './snapshots.ts'
import { createStateData } from './state-data.ts'
import type { Arrangement, SessionData, StateData } from './state-data.ts'
import { StateFault, expectState } from './state-fault.ts'
import { FORMAT, parseProjects, projectRecords } from './state-text.ts'
import { FORMAT_2 } from './write-state.ts'

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
  log: z.strictObject({ id: z.string(), position: z.int().min(0), isOpen: z.literal(true).optional() }).optional(),
  /** What several projects begin with, by name. */
  bases: z.record(z.string(), projectContents).optional(),
  sessions: z.record(z.string(), changedProjects),
  snapshots: z.record(z.string(), z.array(snapshotRecord)).optional(),
  /** The scenarios that sessions have chosen, and the JSON texts of those that they defined. */
  scenarios: z.record(z.string(), arrangementRecord).optional(),
  /** How far sessions have moved their clocks. */
  clocks: z.record(z.string(), clockRecord).optional(),
})
const stateRecord = z.discriminatedUnion('format', [stateRecord1, stateRecord2])

type ChangedProject = z.output<typeof changedProject>

function* present<Value>(values: Iterable<Value | undefined>): IterableIterator<Value> {
  for (const value of values) if (value !== undefined) yield value
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
 * Reads a whole state back: what `writeState` writes, and what earlier versions wrote.
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
    clocks: new Map(Object.entries(record.clocks ?? {})),
    ...(record.log === undefined ? {} : { log: record.log }),
  }
}
