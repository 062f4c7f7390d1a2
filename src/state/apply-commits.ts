import type { BoundedMap } from '../util/memoize.ts'
import { createPace } from '../util/pause.ts'
import { createQueues } from '../util/queues.ts'
import { START } from './change-log.ts'
import type { KeptCommit, Place } from './change-log.ts'
import { isProjectChange, isReset, parseProjectId } from './change.ts'
import type { Change } from './change.ts'
import type { Writer } from './history.ts'
import type { StoreParts } from './store-type.ts'

/** After so many changes other requests have their turn. */
const SLICE = 1000

interface ApplyParts extends Pick<StoreParts, 'onWrite' | 'onForeign'> {
  /** Up to where each session has applied the log. */
  readonly places: BoundedMap<string, Place>
  /** Applies a change, whatever was before. */
  readonly apply: (session: string, change: Change, writer: Writer | undefined) => void
  /** Applies a change of a session that is built for another one, and does not count for itself. */
  readonly build: (session: string, change: Change) => void
  /** Gives all that such a session has to the other one. */
  readonly move: (from: string, to: string) => void
  /** Whether a session can be written to: it may have ended for good while a write was on its way. */
  readonly isOpen: (session: string) => boolean
}

const countChanges = (commits: readonly KeptCommit[]): number =>
  commits.reduce((sum, { changes }) => sum + changes.length, 0)

interface ApplyCommits {
  /**
   * Applies the commits that a log has kept, those of a session in the order of the calls.
   *
   * @returns undefined if all are applied at once; else a promise, since others have their turn meanwhile
   */
  applyCommits(session: string, commits: readonly KeptCommit[]): Promise<void> | undefined
  /** Resolves once all of them are applied, whose application has begun. */
  applied(): Promise<void>
}

/** Creates what applies the commits of a log. */
export function createApplyCommits({
  places,
  apply,
  build,
  move,
  isOpen,
  onWrite,
  onForeign,
}: ApplyParts): ApplyCommits {
  const queues = createQueues()

  function tell(session: string, change: Change, isForeign: boolean | undefined): void {
    if (isProjectChange(change)) onWrite?.(session, parseProjectId(change.project))
    if (isForeign) onForeign?.(session, change)
  }

  function applyCommit(session: string, { position, mark, changes, writer, isForeign }: KeptCommit): void {
    if (position <= (places.get(session) ?? START).position) return
    places.set(session, { position, mark })
    for (const change of changes) {
      if (!isForeign && !isReset(change) && !isOpen(session)) continue
      apply(session, change, writer)
      tell(session, change, isForeign)
    }
  }

  /** Makes a session anew, apart, so that nobody sees a part of it, and puts it in its place in one step. */
  async function applyWhole(session: string, { position, mark, changes, isForeign }: KeptCommit): Promise<void> {
    // No session has a name with a space.
    const apart = `${session} anew`
    const pace = createPace(SLICE)
    try {
      for (const change of changes) {
        build(apart, change)
        const turn = pace(1)
        // oxlint-disable-next-line no-await-in-loop -- one slice after the other
        if (turn !== undefined) await turn
      }
      apply(session, { kind: 'end' }, undefined)
      move(apart, session)
      places.set(session, { position, mark })
    } finally {
      build(apart, { kind: 'end' })
    }
    for (const change of changes) tell(session, change, isForeign)
  }

  async function applyInSlices(session: string, commits: readonly KeptCommit[]): Promise<void> {
    const pace = createPace(SLICE)
    for (const commit of commits) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      if (commit.isWhole) await applyWhole(session, commit)
      else applyCommit(session, commit)
      const turn = pace(commit.changes.length)
      // oxlint-disable-next-line no-await-in-loop -- one slice after the other
      if (turn !== undefined) await turn
    }
  }

  return {
    applyCommits(session, commits) {
      if (queues.isBusy(session) || commits.some(({ isWhole }) => isWhole) || countChanges(commits) > SLICE) {
        return queues.run(session, () => applyInSlices(session, commits))
      }
      for (const commit of commits) applyCommit(session, commit)
      return undefined
    },
    applied: queues.idle,
  }
}
