import type { CoverageCounts } from './journal/counts.ts'
import type { KeptExchange } from './journal/kept-exchange.ts'
import type { ClockMove } from '../service/state/change.ts'
import { versionBytes } from '../service/state/history.ts'
import type { Version } from '../service/state/history.ts'
import { RECORD_BYTES, sizeOf, sumBytes } from '../service/state/memory.ts'
import { selectionBytes } from '../service/state/state-data.ts'
import type { ScenarioSelection } from '../service/state/state-data.ts'

/** How often each rule of a scenario has matched. */
export type ScenarioCounter = readonly [scenario: string, seen: readonly number[]]

/** Versions by project and resource, oldest first. */
export type Versions = ReadonlyMap<string, ReadonlyMap<string, readonly Version[]>>

/** What the archive keeps of a session. It shares exchanges and records with the session, since they never change. */
export interface ArchivedSession {
  readonly exchanges: readonly KeptExchange[]
  readonly dropped: number
  readonly versions: Versions
  /** A promise if it comes from a session of this mock. */
  readonly coverage: CoverageCounts | Promise<CoverageCounts>
  readonly selection: ScenarioSelection
  readonly counters: readonly ScenarioCounter[]
  readonly clock: ClockMove
}

/** Counts the memory of an archived session, in bytes. */
export function archivedBytes({ exchanges, versions, selection, ...others }: ArchivedSession): number {
  const kept = [...versions.values()].flatMap((resources) => [...resources.values()].flat())
  return (
    RECORD_BYTES +
    sumBytes(exchanges, ({ bytes }) => bytes) +
    sumBytes(kept, versionBytes) +
    selectionBytes(selection) +
    sizeOf(others)
  )
}
