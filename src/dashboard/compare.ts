import { createPauses, scan } from '../query/budget.ts'
import type { ProjectData, ProjectName } from '../state/project-data.ts'
import type { StoredResource } from '../state/resource.ts'
import { toResourceText } from '../state/records.ts'
import { parseProjectId } from '../state/project-data.ts'
import { findLineChanges } from './line-diff.ts'
import type { LineChange } from './line-diff.ts'
import { MOST_LAID_OUT, toPrettyText } from './pretty.ts'

/** How a resource differs between two states. */
export interface ResourceChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly resource: StoredResource
  /** Of a changed resource; undefined if there are too many to list. */
  readonly lines: readonly LineChange[] | undefined
}

/** What differs in one project. */
export interface ProjectChanges {
  readonly project: ProjectName
  /** At most {@link MOST_CHANGES} over all projects. */
  readonly changes: readonly ResourceChange[]
  /** How many more there are. */
  readonly more: number
  readonly images: { readonly removed: number; readonly added: number }
}

/** How many changes a comparison lists. */
export const MOST_CHANGES = 200
/** How many characters a comparison compares line by line, and how many differing lines it finds. */
const MOST_CHARACTERS = 400_000
const MOST_LINES = 600

/** What is left of these limits: a comparison holds up other requests. */
interface Room {
  changes: number
  characters: number
  lines: number
}

const toLines = (text: string): readonly string[] =>
  toPrettyText(text)
    .split('\n')
    .map((line) => line.trim())

function compareTexts(before: string, after: string, room: Room): readonly LineChange[] | undefined {
  const characters = before.length + after.length
  if (Math.max(before.length, after.length) > MOST_LAID_OUT || characters > room.characters) return undefined
  room.characters -= characters
  const lines = findLineChanges(toLines(before), toLines(after), room.lines)
  room.lines -= lines?.length ?? room.lines
  return lines
}

function compareResource(
  before: StoredResource | undefined,
  after: StoredResource | undefined,
  room: Room,
): ResourceChange | undefined {
  if (before === undefined) return after === undefined ? undefined : { kind: 'added', resource: after, lines: [] }
  if (after === undefined) return { kind: 'removed', resource: before, lines: [] }
  const [from, to] = [toResourceText(before), toResourceText(after)]
  return from === to ? undefined : { kind: 'changed', resource: after, lines: compareTexts(from, to, room) }
}

/** How many images of one state the other does not have. */
const countMissing = (from: ProjectData, other: ProjectData): number =>
  [...from.images()].filter(({ id }) => other.findImage(id) === undefined).length

/** The ids of resources that may differ: over one base, only those that were changed. */
export function findChangedIds(before: ProjectData, after: ProjectData): Set<string> {
  const listIds = (data: ProjectData): Iterable<string> =>
    before.base === after.base ? data.changed.keys() : Array.from(data.all(), ({ id }) => id)
  return new Set([...listIds(before), ...listIds(after)])
}

/** How many resources are compared before other requests have their turn. */
const AT_ONCE = 20

async function compareProject(
  project: ProjectName,
  before: ProjectData,
  after: ProjectData,
  room: Room,
): Promise<ProjectChanges> {
  const changes: ResourceChange[] = []
  let more = 0
  await scan(findChangedIds(before, after), createPauses(AT_ONCE), (id) => {
    const [from, to] = [before.find(id), after.find(id)]
    if (from === to) return
    const change = compareResource(from, to, room)
    if (change === undefined) return
    if (room.changes > 0) changes.push(change)
    else more += 1
    room.changes -= 1
  })
  return {
    project,
    changes,
    more,
    images: { removed: countMissing(before, after), added: countMissing(after, before) },
  }
}

/**
 * Compares two states of a session. A project that one of them does not have equals the fixtures there.
 *
 * @param seed what every project starts with
 */
export async function compareStates(
  before: ReadonlyMap<string, ProjectData>,
  after: ReadonlyMap<string, ProjectData>,
  seed: ProjectData,
): Promise<readonly ProjectChanges[]> {
  const room = { changes: MOST_CHANGES, characters: MOST_CHARACTERS, lines: MOST_LINES }
  const compared: ProjectChanges[] = []
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    compared.push(await compareProject(parseProjectId(id), before.get(id) ?? seed, after.get(id) ?? seed, room))
  }
  return compared.filter(({ changes, more, images }) => changes.length + more + images.removed + images.added > 0)
}
