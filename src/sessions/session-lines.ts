import * as z from 'zod'
import { Problem } from '../errors.ts'
import { findJson } from '../service/http/json.ts'
import { byAge } from './journal/journal.ts'
import { readEntries } from './journal/record.ts'
import type { RedactedExchange } from './journal/record.ts'
import type { Catalog } from '../service/scenarios/engine.ts'
import type { Persistence } from '../service/state/kept-state.ts'
import type { Session, Sessions } from './sessions.ts'

// The lines that store session journals and scenario counters for a later run.

const JOURNAL_FORMAT = 'resource-mock-journal/1'

/** The header line. */
const headLine = z.strictObject({ format: z.literal(JOURNAL_FORMAT) })

/** How often each rule of a scenario has matched in a session. */
const counterLine = z.strictObject({
  session: z.string(),
  scenario: z.string(),
  seen: z.array(z.int().min(0).max(Number.MAX_SAFE_INTEGER)),
})

/** A journal entry; oldest first, whatever their sessions. */
const entryLine = z.strictObject({
  entry: z.custom<RedactedExchange>(
    (value) => z.looseObject({ id: z.string(), session: z.string() }).safeParse(value).success,
  ),
})

/** The maximum restored count. Rules do not need a higher one, and counting further would slow down startup. */
const MOST_SEEN = 1_000_000

const toTextLine = (value: object): string => `${JSON.stringify(value)}\n`

/** The journals of all sessions and their scenario counters as lines of JSON, for a later run. */
async function toSessionLines(sessions: Sessions, catalog: Catalog): Promise<readonly string[]> {
  const lines = [toTextLine({ format: JOURNAL_FORMAT })]
  for (const { name, scenarios } of sessions.all()) {
    for (const scenario of [...catalog.all(), ...scenarios.defined.values()]) {
      const seen = scenario.rules.map((rule) => scenarios.runner.counter(scenario, rule).seen)
      if (seen.some((count) => count > 0)) lines.push(toTextLine({ session: name, scenario: scenario.name, seen }))
    }
  }
  const exchanges = [...sessions.all()].flatMap(({ journal }) => journal.exchanges())
  for await (const entry of readEntries(exchanges.toSorted(byAge))) lines.push(toTextLine({ entry }))
  return lines
}

/** A session to restore; undefined if the session limit is reached. */
function findSession(name: string, sessions: Sessions): Session | undefined {
  try {
    return sessions.enter(name)
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}

/**
 * Restores a line written by {@link toSessionLines}. Skips invalid lines and those that exceed a limit, so that startup
 * does not fail.
 */
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

/** Restores the journals and counters of an earlier run. Returns a function that stores those of this run. */
export async function openSessionLines(
  lines: NonNullable<Persistence['journal']>,
  sessions: Sessions,
  catalog: Catalog,
): Promise<() => Promise<void>> {
  /** Whether this version can read the header line; undefined before it has been read. */
  let isKnown: boolean | undefined
  await lines.read((text) => {
    if (isKnown === true) restoreLine(text, sessions, catalog)
    else isKnown ??= headLine.safeParse(findJson(text)).success
  })
  return async () => lines.replace(await toSessionLines(sessions, catalog))
}
