import * as z from 'zod'
import { stringifyJson } from '../http/json.ts'
import { fixtureRecord } from '../state/fixture-schema.ts'
import { fixtureFiles } from '../state/fixture-files.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { Observation } from './observation.ts'

/** What was seen of one project, as fixtures have it. */
export interface RecordedProject {
  /** Characters of everything that it keeps, as JSON. */
  readonly size: number
  /** Returns the names of the files that are another now. */
  note(observations: readonly Observation[]): ReadonlySet<string>
  /** The text of a file. */
  text(file: string): string
}

/** Older versions tell nothing; of the same one, members that were not shown before are added. */
function merge(known: ResourceRecord, seen: ResourceRecord): ResourceRecord {
  return (seen.version ?? 1) < (known.version ?? 1) ? known : { ...known, ...seen }
}

/** A record as fixtures take it, if they do: without an id that is not a UUID, or an invalid key (D6, D59). */
function toFixtures(record: ResourceRecord): readonly ResourceRecord[] {
  const { shape } = fixtureRecord
  const { id, key, ...rest } = record
  const fixture = {
    ...(id !== undefined && shape.id.safeParse(id).success ? { id } : {}),
    ...(key !== undefined && shape.key.safeParse(key).success ? { key } : {}),
    ...rest,
  }
  return fixtureRecord.safeParse(fixture).success ? [fixture] : []
}

/** Fixtures stand in the order of their creation; what does not say when that was comes last. */
const byCreation = ({ createdAt: a = '~' }: ResourceRecord, { createdAt: b = '~' }: ResourceRecord): number =>
  a < b ? -1 : a > b ? 1 : 0

/** @param kept records that an earlier recording has written */
export function createRecordedProject(kept: readonly ResourceRecord[]): RecordedProject {
  const resources = new Map<string, ResourceRecord>()
  const idsByKey = new Map<string, string>()
  const files = new Map<string, unknown>()
  let size = 0

  /** Replaces one value in the size, of which either may be undefined. Returns whether they differ. */
  function resize(previous: unknown, next: unknown): boolean {
    const before = previous === undefined ? '' : stringifyJson(previous)
    const after = next === undefined ? '' : stringifyJson(next)
    size += after.length - before.length
    return before !== after
  }

  const nameOf = ({ id, key = '' }: ResourceRecord): string => id ?? idsByKey.get(key) ?? `key=${key}`

  function forget(id: string): boolean {
    const known = resources.get(id)
    if (known?.key !== undefined) idsByKey.delete(known.key)
    resize(known, undefined)
    return resources.delete(id)
  }

  function keep(record: ResourceRecord): boolean {
    const id = nameOf(record)
    const known = resources.get(id)
    const next = known === undefined ? record : merge(known, record)
    if (!resize(known, next)) return false
    // A key names one resource (D6): the one that had it before is gone.
    const other = next.key === undefined ? undefined : idsByKey.get(next.key)
    if (other !== undefined && other !== id) forget(other)
    resources.set(id, next)
    if (next.key !== undefined) idsByKey.set(next.key, id)
    return true
  }

  for (const record of kept) keep(record)

  return {
    get size() {
      return size
    },
    note(observations) {
      const changed = new Set<string>()
      for (const observation of observations) {
        if (observation.kind === 'file') {
          if (!resize(files.get(observation.file), observation.content)) continue
          files.set(observation.file, observation.content)
          changed.add(observation.file)
        } else if (observation.kind === 'resource' ? keep(observation.record) : forget(observation.id)) {
          changed.add(fixtureFiles.resources)
        }
      }
      return changed
    },
    text(file) {
      const isResources = file === fixtureFiles.resources
      const content = isResources ? [...resources.values()].toSorted(byCreation).flatMap(toFixtures) : files.get(file)
      return `${stringifyJson(content, 2)}\n`
    },
  }
}

/** What {@link RecordedProject.text} has written of resources. */
export const recordedResources = z.array(fixtureRecord)
