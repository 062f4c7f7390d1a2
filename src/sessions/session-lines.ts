import * as z from 'zod'
import { Problem } from '../errors.ts'
import { findJson } from '../http/json.ts'
import type { JournalEntry } from '../journal/record.ts'
import { readEntries } from '../journal/record.ts'
import type { Catalog } from '../scenarios/engine.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { Lines } from '../state/kept-state.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

const FORMAT = 'resource-mock-journal/1'

/** The first line. */
const headLine = z.strictObject({ format: z.literal(FORMAT) })

/** How often each rule of a scenario has matched in a session. */
const counterLine = z.strictObject({
  session: z.string(),
  scenario: z.string(),
  seen: z.array(z.int().min(0).max(Number.MAX_SAFE_INTEGER)),
})

/** An entry of the journal of its session, the oldest first. */
const entryLine = z.strictObject({
  entry: z.custom<JournalEntry>(
    (value) => z.looseObject({ id: z.string(), session: z.string() }).safeParse(value).success,
  ),
})

/** No rule needs more to go on as it did before; counting up to a higher number would hold up the start. */
const MOST_SEEN = 1_000_000

const toLine = (value: object): string => `${JSON.stringify(value)}\n`

/** The scenarios that rules of a session may have counted for. */
const scenariosOf = ({ scenarios }: Session, catalog: Catalog): readonly Scenario[] => [
  ...catalog.all(),
  ...scenarios.defined.values(),
]

/** The journals of all sessions and the counters of their scenarios as lines of JSON: what a later run goes on with. */
async function toSessionLines(sessions: Sessions, catalog: Catalog, elapsed: () => number): Promise<readonly string[]> {
  const lines = [toLine({ format: FORMAT })]
  for (const session of sessions.all()) {
    const { name, scenarios, journal } = session
    for (const scenario of scenariosOf(session, catalog)) {
      const seen = scenario.rules.map((rule) => scenarios.runner.counter(scenario, rule).seen)
      if (seen.some((count) => count > 0)) lines.push(toLine({ session: name, scenario: scenario.name, seen }))
    }
    for await (const entry of readEntries(journal.exchanges(), elapsed)) lines.push(toLine({ entry }))
  }
  return lines
}

/** A session to restore; undefined if the limit of sessions is reached. */
function findSession(name: string, sessions: Sessions): Session | undefined {
  try {
    return sessions.enter(name)
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}

/** Takes over a line that {@link toSessionLines} wrote. What cannot be read, or exceeds a limit, is left out: the start does not fail for it. */
function restoreLine(text: string, sessions: Sessions, catalog: Catalog): void {
  const line = findJson(text)
  const { entry } = entryLine.safeParse(line).data ?? {}
  if (entry !== undefined) findSession(entry.session, sessions)?.journal.restore(entry, text.length)
  const { session: name, scenario: scenarioName, seen } = counterLine.safeParse(line).data ?? {}
  if (name === undefined || scenarioName === undefined || seen === undefined) return
  const session = findSession(name, sessions)
  const scenario = session?.scenarios.defined.get(scenarioName) ?? catalog.find(scenarioName)
  if (session === undefined || scenario === undefined) return
  session.scenarios.runner.restore(
    scenario,
    seen.map((count) => Math.min(count, MOST_SEEN)),
  )
}

/** Takes over the journals and counters of an earlier run. Returns what keeps those of this one. */
export async function openSessionLines(
  lines: Pick<Lines, 'read' | 'replace'>,
  sessions: Sessions,
  catalog: Catalog,
  elapsed: () => number,
): Promise<() => Promise<void>> {
  /** Whether the first line is one that this version writes; undefined before it. */
  let isKnown: boolean | undefined
  await lines.read((text) => {
    if (isKnown === true) restoreLine(text, sessions, catalog)
    else isKnown ??= headLine.safeParse(findJson(text)).success
  })
  return async () => lines.replace(await toSessionLines(sessions, catalog, elapsed))
}
