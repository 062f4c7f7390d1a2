import { Low } from 'lowdb'
import { applyChange } from './apply-change.ts'
import { openLineLog, createWholeLog } from './line-log.ts'
import { DEFAULT_NAME, createStateAdapter } from './kept-state.ts'
import type { Persistence } from './kept-state.ts'
import { createStateData } from './state-data.ts'
import { createStore } from './store.ts'
import type { Store, StoreParts } from './store.ts'

interface OpenStoreParts extends Omit<StoreParts, 'state' | 'log'> {
  readonly persistence: Persistence
  readonly newId: () => string
}

/**
 * Opens a store that keeps what is written, with what was kept before.
 *
 * @throws {SetupError} if that cannot be read; it is left as it is.
 */
export async function openStore({ persistence, newId, ...parts }: OpenStoreParts): Promise<Store> {
  const { name = DEFAULT_NAME, lines } = persistence
  /** How many characters the kept text has. */
  let length = 0
  const measured: Persistence = {
    ...persistence,
    async read() {
      const text = await persistence.read()
      length = text?.length ?? 0
      return text
    },
    async write(text) {
      await persistence.write(text)
      length = text.length
    },
  }
  const db = new Low(createStateAdapter(measured), createStateData())
  await db.read()
  const state = db.data
  if (lines === undefined) return createStore({ ...parts, state, log: createWholeLog(db, parts.seed) })
  const log = await openLineLog({
    db,
    lines,
    name,
    newId,
    stateLength: () => length,
    apply({ session, changes }) {
      for (const change of changes) applyChange(state, session, change, parts.seed())
    },
    applied: () => store.applied(),
  })
  const store = createStore({ ...parts, state, log })
  return store
}
