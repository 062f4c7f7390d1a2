import type { Player } from './player.ts'
import type { Scenario } from './schema.ts'

/** What a session has of its own: the scenarios it chose and defined, and how far each has been played. */
export interface Stageplay {
  /** Names set through the admin API; undefined: the command line's. */
  active: readonly string[] | undefined
  /** Defined at run time, by name. */
  defined: ReadonlyMap<string, Scenario>
  /** Made when it is first asked for: most sessions never play. */
  readonly player: Player
}

const NONE: ReadonlyMap<string, Scenario> = new Map()

/** The stageplay of a session that begins. */
export function createStageplay(createPlayer: () => Player): Stageplay {
  let player: Player | undefined
  return {
    active: undefined,
    defined: NONE,
    get player() {
      return (player ??= createPlayer())
    },
  }
}
