import type { ProjectData } from '../state/project-data.ts'
import type { Resource } from '../state/resource.ts'
import { toResourceText } from '../state/resource-record.ts'
import { parseProjectId } from '../state/store.ts'
import type { ProjectName } from '../state/store.ts'
import { diffLines } from './line-diff.ts'
import type { LineChange } from './line-diff.ts'
import { toPrettyText } from './pretty.ts'

/** What became of a resource between two states. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly resource: Resource
  /** Of one that changed, in their order. */
  readonly lines: readonly LineChange[]
}

/** What differs in one project. */
export interface ProjectChanges {
  readonly project: ProjectName
  readonly changes: readonly Change[]
  /** How many are there no longer, and how many are new. */
  readonly images: { readonly removed: number; readonly added: number }
}

const toLines = (resource: Resource): readonly string[] =>
  toPrettyText(toResourceText(resource))
    .split('\n')
    .map((line) => line.trim())

function compareResource(before: Resource | undefined, after: Resource | undefined): readonly Change[] {
  if (before === after) return []
  if (before === undefined) return after === undefined ? [] : [{ kind: 'added', resource: after, lines: [] }]
  if (after === undefined) return [{ kind: 'removed', resource: before, lines: [] }]
  const lines = diffLines(toLines(before), toLines(after))
  return lines.length === 0 ? [] : [{ kind: 'changed', resource: after, lines }]
}

/** How many of one map the other has not. */
const countMissing = (from: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): number =>
  [...from.keys()].filter((id) => !other.has(id)).length

function compareProject(project: ProjectName, before: ProjectData, after: ProjectData): ProjectChanges {
  const ids = new Set([...before.resources.keys(), ...after.resources.keys()])
  return {
    project,
    changes: [...ids].flatMap((id) => compareResource(before.resources.get(id), after.resources.get(id))),
    images: { removed: countMissing(before.images, after.images), added: countMissing(after.images, before.images) },
  }
}

/**
 * What differs between two states of a session; a project that one of them has not is as the fixtures there.
 *
 * @param seed what every project starts with
 */
export function compareStates(
  before: ReadonlyMap<string, ProjectData>,
  after: ReadonlyMap<string, ProjectData>,
  seed: ProjectData,
): readonly ProjectChanges[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => compareProject(parseProjectId(id), before.get(id) ?? seed, after.get(id) ?? seed))
    .filter(({ changes, images }) => changes.length > 0 || images.removed + images.added > 0)
}
