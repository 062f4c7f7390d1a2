import type { Low } from 'lowdb'
import { pause } from '../util/pause.ts'
import { applyChange } from './apply-change.ts'
import type { ChangeLog } from './change-log.ts'
import type { Undo } from './project-change.ts'
import { createGroupLog } from './group-log.ts'
import type { ProjectData } from './project-data.ts'
import type { StateData } from './state-data.ts'

/** A log that writes the whole state with each group of commits: for a place that keeps nothing but whole texts. */
export function createWholeLog(db: Low<StateData>, seed: () => ProjectData): ChangeLog {
  return createGroupLog({
    position: 0,
    async keep(commits) {
      // Those who wrote the group before apply it meanwhile.
      await pause()
      const undos: Undo[] = []
      for (const { session, changes } of commits) {
        for (const change of changes) applyChange(db.data, session, change, seed(), undos)
      }
      // The text is made at once; it counts once it is written.
      const written = db.write()
      for (const undo of undos.toReversed()) undo()
      await written
    },
    end: () => Promise.resolve(),
  })
}
