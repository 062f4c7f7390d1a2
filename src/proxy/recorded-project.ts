import * as z from 'zod'
import { stringifyJson } from '../http/json.ts'
import { fixtureRecord } from '../state/fixture-schema.ts'
import { fixtureFiles } from '../state/fixture-files.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { Observation } from './observation.ts'

/** What was seen of one project, as fixtures have it. */
export interface RecordedProject {
  /** Returns the names of the files that are another now. */
  note(observations: readonly Observation[]): ReadonlySet<string>
  /** The text of a file. */
  text(file: string): string
}

/** Older versions tell nothing; of the same one, members that were not shown before are added. */
function merge(known: ResourceRecord, seen: ResourceRecord): ResourceRecord {
  return (seen.version ?? 1) < (known.version ?? 1) ? known : { ...known, ...seen }
}

/** A record as fixtures take it, if they do: without an id that is no UUID, or a key that none may have (D6, D59). */
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

  const nameOf = ({ id, key = '' }: ResourceRecord): string => id ?? idsByKey.get(key) ?? `key=${key}`

  function forget(id: string): boolean {
    const key = resources.get(id)?.key
    if (key !== undefined) idsByKey.delete(key)
    return resources.delete(id)
  }

  function keep(record: ResourceRecord): boolean {
    const id = nameOf(record)
    const known = resources.get(id)
    const next = known === undefined ? record : merge(known, record)
    if (known !== undefined && stringifyJson(next) === stringifyJson(known)) return false
    // A key names one resource (D6): the one that had it before is gone.
    const other = next.key === undefined ? undefined : idsByKey.get(next.key)
    if (other !== undefined && other !== id) forget(other)
    resources.set(id, next)
    if (next.key !== undefined) idsByKey.set(next.key, id)
    return true
  }

  for (const record of kept) keep(record)

  return {
    note(observations) {
      const changed = new Set<string>()
      for (const observation of observations) {
        if (observation.kind === 'file') {
          if (stringifyJson(files.get(observation.file)) === stringifyJson(observation.content)) continue
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
