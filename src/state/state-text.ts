import * as z from 'zod'
import { runAtOnce } from '../util/steps.ts'
import type { Steps } from '../util/steps.ts'
import type { ProjectData } from './project-data.ts'
import { buildProjectData, projectRecord, writeProject } from './project-record.ts'
import { StateFault } from './state-fault.ts'
import { parseProjectId, toProjectId } from './project-name.ts'
import { MAX_PROJECTS } from './room.ts'
import type { SessionData } from './state-data.ts'

/** Names the shape of what is written, so that a later one can be told from it. */
export const FORMAT = 'resource-mock/1'

/** The projects of a session, as JSON. */
export const projectRecords = z
  .array(projectRecord)
  .max(MAX_PROJECTS, { error: `at most ${MAX_PROJECTS} projects expected.` })

/** What was checked against {@link projectRecords}. */
export type ProjectRecords = z.output<typeof projectRecords>

function* writeProjects(data: ReadonlyMap<string, ProjectData>): Generator<string> {
  let separator = '['
  for (const [id, project] of data) {
    yield separator
    yield* writeProject(parseProjectId(id), project)
    separator = ',\n'
  }
  yield separator === '[' ? '[]' : ']'
}

/** Projects as the JSON text of {@link projectRecords}, int64 exact. */
export const toProjectsText = (data: ReadonlyMap<string, ProjectData>): string => [...writeProjects(data)].join('')

/**
 * Writes the projects of one session that were written to, int64 exact, a piece at a time: what the admin API hands out. The
 * data must not change meanwhile.
 */
export function* writeSession(data: ReadonlyMap<string, ProjectData>): Generator<string> {
  yield `{"format":"${FORMAT}","projects":`
  yield* writeProjects(data)
  yield '}'
}

/**
 * The projects of a session's records, step by step.
 *
 * @param path of the records, for the sentence of a fault
 * @param action JSON text of the action payload of projects that have none
 * @throws {StateFault} for a project that is listed twice, and for a wrong one.
 */
export function* buildProjects(records: ProjectRecords, path: string, action: string): Steps<SessionData> {
  const data: SessionData = new Map()
  for (const [at, record] of records.entries()) {
    const { projectKey } = record
    // One name for one base URL: host names know no case.
    const id = toProjectId({ baseUrl: record.baseUrl?.toLowerCase() ?? '', projectKey })
    if (data.has(id)) throw new StateFault(`${path}[${at}]: the project ${JSON.stringify(projectKey)} is listed twice.`)
    data.set(id, yield* buildProjectData(record, `${path}[${at}].`, action))
  }
  return data
}

/** As {@link buildProjects}, at once. */
export const parseProjects = (records: ProjectRecords, path: string, action: string): SessionData =>
  runAtOnce(buildProjects(records, path, action))
