import { problem } from '../errors.ts'
import type { Scenario } from '../service/scenarios/schema.ts'
import type { Session, Sessions } from './sessions.ts'

/** Maximum number of scenarios defined by a session. */
const MAX_DEFINED = 100
/** Maximum length of all scenarios defined by a session, in characters. */
const MAX_SESSION_LENGTH = 8 * 1024 * 1024
/** Maximum length of all scenarios defined by all sessions, in characters. */
const MAX_TOTAL_LENGTH = 64 * 1024 * 1024

type Defined = ReadonlyMap<string, Scenario>

const lengthOf = (defined: Defined): number => [...defined.values()].reduce((sum, { length = 0 }) => sum + length, 0)

/**
 * Checks the limits for scenarios that a session defines at run time.
 *
 * @throws {Problem} 503 if they are too many or too long.
 */
export function expectScenariosWithinLimits(session: Session, defined: Defined, sessions: Sessions): void {
  if (defined.size > MAX_DEFINED) {
    throw problem.overCapacity(
      `A session can define at most ${MAX_DEFINED} scenarios, not ${defined.size}. Delete one first: DELETE /__admin/scenarios/{name}.`,
    )
  }
  const length = lengthOf(defined)
  if (length > MAX_SESSION_LENGTH) {
    throw problem.overCapacity(
      `The scenarios of a session are limited to ${MAX_SESSION_LENGTH} characters in total, not ${length}. Delete one first: DELETE /__admin/scenarios/{name}.`,
    )
  }
  const others = Array.from(sessions.all()).filter((other) => other !== session)
  const total = others.reduce((sum, { scenarios }) => sum + lengthOf(scenarios.defined), length)
  if (total > MAX_TOTAL_LENGTH) {
    throw problem.overCapacity(
      `The scenarios of all sessions are limited to ${MAX_TOTAL_LENGTH} characters in total, not ${total}. Delete scenarios or unused sessions.`,
    )
  }
}
