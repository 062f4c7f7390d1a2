import * as z from 'zod'
import { parseJson } from '../http/json.ts'
import type { ProjectData } from './project-data.ts'
import { projectContents, projectRecord, toProjectData, toProjectText } from './project-record.ts'
import { resourceRecord } from './resource-record.ts'
import { StateFault, expectState } from './state-fault.ts'
import { parseProjectId, toProjectId } from './project-name.ts'
import { MAX_PROJECTS } from './store.ts'
import type { SessionData, StateData } from './state-data.ts'

/** Names the shape of what is written, so that a later one can be told from it. */
const FORMAT = 'resource-mock/1'

const projects = z.array(projectRecord).max(MAX_PROJECTS, { error: `at most ${MAX_PROJECTS} projects expected.` })
const stateRecord = z.strictObject({ format: z.literal(FORMAT), sessions: z.record(z.string(), projects) })
const sessionRecord = z.strictObject({ format: z.literal(FORMAT).optional(), projects })
const resourceList = z.array(resourceRecord)

type ProjectRecords = z.output<typeof projects>

const toProjectsText = (data: ReadonlyMap<string, ProjectData>): string =>
  `[${Array.from(data, ([id, project]) => toProjectText(parseProjectId(id), project)).join(',\n')}]`

/** Writes the whole state, int64 exact: what `--persist` keeps. */
export function toStateText({ sessions }: StateData): string {
  const members = Array.from(sessions, ([name, data]) => `${JSON.stringify(name)}:${toProjectsText(data)}`)
  return `{"format":"${FORMAT}","sessions":{\n${members.join(',\n')}}}\n`
}

/** Writes the projects of one session that were written to, int64 exact: what the admin API hands out. */
export const toSessionText = (data: ReadonlyMap<string, ProjectData>): string =>
  `{"format":"${FORMAT}","projects":${toProjectsText(data)}}`

function toSessionData(records: ProjectRecords, path: string, action: string): SessionData {
  const data: SessionData = new Map()
  for (const [at, record] of records.entries()) {
    const { projectKey } = record
    // One name for one base URL: host names know no case.
    const id = toProjectId({ baseUrl: record.baseUrl?.toLowerCase() ?? '', projectKey })
    if (data.has(id)) throw new StateFault(`${path}[${at}]: the project ${JSON.stringify(projectKey)} is listed twice.`)
    data.set(id, toProjectData(record, `${path}[${at}].`, action))
  }
  return data
}

/**
 * Reads a whole state back.
 *
 * @throws {Problem} 400 for text that is not JSON; its `detailedErrorMessage` says where.
 * @throws {StateFault} for JSON that is not a state.
 */
export function parseStateText(text: string): StateData {
  const { sessions } = expectState(stateRecord, parseJson(text))
  return {
    sessions: new Map(
      Object.entries(sessions).map(([name, records]) => [name, toSessionData(records, `sessions.${name}`, '{}')]),
    ),
    snapshots: new Map(),
  }
}

/**
 * Reads what {@link toSessionText} writes, parsed; members but the resources and keys of projects may be left out.
 *
 * @param action JSON text of the action payload of projects that have none
 * @throws {StateFault} for the first thing that is wrong; nothing is taken over then.
 */
export const parseSession = (value: unknown, action: string): SessionData =>
  toSessionData(expectState(sessionRecord, value).projects, 'projects', action)

/**
 * Reads one project: what {@link toProjectText} writes, parsed, or a list of resource records alone.
 *
 * @throws {StateFault} for the first thing that is wrong.
 */
export function parseProject(value: unknown, action: string): ProjectData {
  if (Array.isArray(value)) return toProjectData({ resources: expectState(resourceList, value) }, '', action)
  return toProjectData(expectState(projectContents, value), '', action)
}
