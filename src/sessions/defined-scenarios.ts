import { problem } from '../errors.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

/** Scenarios that a session may define. */
const MAX_DEFINED = 100
/** Characters of all scenarios that a session defined. */
const MAX_SESSION_LENGTH = 8 * 1024 * 1024
/** Characters of all scenarios that all sessions defined. */
const MAX_TOTAL_LENGTH = 64 * 1024 * 1024

type Defined = ReadonlyMap<string, Scenario>

const lengthOf = (defined: Defined): number => [...defined.values()].reduce((sum, { length = 0 }) => sum + length, 0)

/**
 * Expects room for the scenarios that a session defines at run time.
 *
 * @throws {Problem} 503 if they are too many or too long.
 */
export function expectRoomForScenarios(session: Session, defined: Defined, sessions: Sessions): void {
  if (defined.size > MAX_DEFINED) {
    throw problem.overCapacity(
      `A session can define at most ${MAX_DEFINED} scenarios, not ${defined.size}. Delete one first: DELETE /__admin/scenarios/{name}.`,
    )
  }
  const length = lengthOf(defined)
  if (length > MAX_SESSION_LENGTH) {
    throw problem.overCapacity(
      `The scenarios of a session can have at most ${MAX_SESSION_LENGTH} characters together, not ${length}. Delete one first: DELETE /__admin/scenarios/{name}.`,
    )
  }
  const others = Array.from(sessions.all()).filter((other) => other !== session)
  const total = others.reduce((sum, { scenarios }) => sum + lengthOf(scenarios.defined), length)
  if (total > MAX_TOTAL_LENGTH) {
    throw problem.overCapacity(
      `The scenarios of all sessions can have at most ${MAX_TOTAL_LENGTH} characters together, not ${total}. Delete scenarios, or sessions that are no longer used.`,
    )
  }
}
