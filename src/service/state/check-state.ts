import * as z from 'zod'
import { guardOf } from '../contract/check.ts'
import { toPath, REQUEST_LIMITS } from '../http/json-problems.ts'
import { parseInSlices } from '../http/json-parser.ts'
import type { Steps } from '../../util/turns.ts'
import {
  imageRecord,
  projectContents,
  projectRecord,
  StateFault,
  expectState,
  FORMAT,
  resourceRecord,
} from './records.ts'
import type { ProjectContents, ProjectRecords } from './records.ts'
import { MAX_PROJECTS } from './limits.ts'

type StatePath = readonly PropertyKey[]

/** A list whose items are checked one at a time. */
const list = z.custom<readonly unknown[]>(Array.isArray, { error: 'JSON Array expected.' })
const lists = {
  resources: list,
  recent: list.optional(),
  action: z.string().optional(),
  posted: list.optional(),
  images: list.optional(),
}
const ownContents = projectContents.extend(lists)
const ownProject = projectRecord.extend(lists)
const ownSession = z.strictObject({ format: z.literal(FORMAT).optional(), projects: list })

/** A project whose lists have not been checked yet. */
type Own = z.output<typeof ownContents>

/** Work on a state yields to other requests after this many values. */
export const STATE_SLICE = 20_000
/** The action payload is counted in slices of this many characters. */
const ACTION_SLICE = 100_000
/** This many characters of text count as one value. */
const CHARACTERS_A_STEP = 200
/** The cost of checking a record, in values, on top of the values it contains. */
const RECORD_STEP = 5

/**
 * Counts the values of a resource. Rejects one that is larger than any request body allows, because checking and writing it
 * would take longer than one step may.
 */
function expectBounded(resource: unknown, path: StatePath): number {
  let [values, nested, characters] = [0, 0, 0]
  function count(value: unknown): void {
    values += 1
    if (typeof value === 'string') characters += value.length
    if (typeof value !== 'object' || value === null) return
    nested += 1
    if (values > REQUEST_LIMITS.values || nested > REQUEST_LIMITS.nested) return
    for (const member of Object.values(value)) count(member)
  }
  count(resource)
  if (values > REQUEST_LIMITS.values || nested > REQUEST_LIMITS.nested) {
    const { values: most, nested: mostNested } = REQUEST_LIMITS
    throw new StateFault(
      `${toPath(path)}: a resource may have at most ${most} values, and ${mostNested} objects and arrays. Reduce its size (D97).`,
    )
  }
  return RECORD_STEP + values + characters / CHARACTERS_A_STEP
}

function* checkItems(
  items: readonly unknown[] | undefined,
  schema: z.ZodType,
  path: StatePath,
  measure: (item: unknown, path: StatePath) => number = () => 1,
): Steps<void> {
  const conforms = guardOf(schema)
  for (const [at, item] of items?.entries() ?? []) {
    const place = [...path, at]
    yield measure(item, place)
    if (!conforms(item)) expectState(schema, item, place)
  }
}

function* checkAction(action: string | undefined, path: StatePath): Steps<void> {
  if (action === undefined) return
  try {
    yield* parseInSlices(action, REQUEST_LIMITS, ACTION_SLICE)
  } catch {
    throw new StateFault(`${toPath([...path, 'action'])}: expected JSON text in a string.`)
  }
}

const text = z.string()

function* checkLists({ resources, recent, action, posted, images }: Own, path: StatePath): Steps<void> {
  yield* checkItems(resources, resourceRecord, [...path, 'resources'], expectBounded)
  yield* checkItems(recent, text, [...path, 'recent'])
  yield* checkAction(action, path)
  yield* checkItems(posted, text, [...path, 'posted'])
  yield* checkItems(images, imageRecord, [...path, 'images'], expectBounded)
}

/**
 * Checks the parsed output of {@link writeSession}, step by step. Only the resources and keys of projects are required.
 *
 * @throws {StateFault} for the first problem found.
 */
export function* checkProjects(value: unknown): Steps<ProjectRecords> {
  const { projects } = expectState(ownSession, value)
  if (projects.length > MAX_PROJECTS)
    throw new StateFault(`projects: expected at most ${MAX_PROJECTS} projects, got ${projects.length}.`)
  for (const [at, project] of projects.entries()) {
    const path = ['projects', at]
    yield* checkLists(expectState(ownProject, project, path), path)
  }
  // Every project has been checked, including the items of its lists.
  return projects as ProjectRecords
}

/**
 * Checks one project, step by step: the parsed output of {@link writeProject}, or only a list of resource records.
 *
 * @throws {StateFault} for the first problem found.
 */
export function* checkProject(value: unknown): Steps<ProjectContents> {
  if (Array.isArray(value)) {
    yield* checkItems(value, resourceRecord, [], expectBounded)
    // Every record has been checked.
    return { resources: value as ProjectContents['resources'] }
  }
  yield* checkLists(expectState(ownContents, value), [])
  // The items of its lists have been checked.
  return value as ProjectContents
}
