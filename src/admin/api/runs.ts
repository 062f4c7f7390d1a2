import * as z from 'zod'
import { problem } from '../../errors.ts'
import { toJson } from '../../service/http/envelope.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { writeList } from '../../service/http/json-list.ts'
import { DEFAULT_SESSION, expectEndable } from '../../sessions/session-names.ts'
import { testStatuses } from '../../sessions/session-test.ts'
import type { Run } from '../../sessions/run.ts'
import type { SessionTest, TestOutcome } from '../../sessions/session-test.ts'
import type { SeenByMock } from '../../sessions/journal/summary.ts'
import { toTime } from '../../service/state/change.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { readCoverage } from './reports.ts'
import { expectBody } from './request.ts'
import type { AdminParts, AdminRoutes } from './request.ts'
import { MAX_ACTIVE, useScenarios } from './scenarios.ts'
import { clockBody, endSession, moveClock, toJsonStream } from './state.ts'

const textUpTo = (most: number) => z.string().min(1).max(most)
const reportedCount = z.int().min(0).max(1_000_000_000)

const testBody = z.strictObject({
  run: textUpTo(200),
  title: z.array(z.string().max(500)).min(1).max(20),
  file: textUpTo(1000),
  line: reportedCount,
  project: textUpTo(200).optional(),
  worker: reportedCount.optional(),
  retry: reportedCount.optional(),
  variant: textUpTo(200).optional(),
  status: z.enum(testStatuses).optional(),
  duration: z.number().min(0).max(1_000_000_000).optional(),
  error: z.string().max(10_000).optional(),
  // What goes with it, in the same request.
  scenarios: z.array(z.string()).max(MAX_ACTIVE).optional(),
  clock: clockBody.optional(),
  coverage: z.boolean().optional(),
  end: z.enum(['deleted', 'final']).optional(),
})

/**
 * Reads the outcome of a test; undefined at its start.
 *
 * @throws {Problem} 400 if it is incomplete.
 */
function findReportedOutcome({ status, duration, error }: z.output<typeof testBody>): TestOutcome | undefined {
  if (status === undefined && duration === undefined && error === undefined) return undefined
  if (status !== undefined && duration !== undefined) return { status, duration, error }
  const missing = status === undefined ? 'status' : 'duration'
  throw problem.requiredField(missing, `The outcome of a test needs status and duration; ${missing} is missing.`)
}

/**
 * A run with the counts of its tests, each by its last attempt. `endedAt` is absent while an attempt has no outcome and its
 * session exists.
 */
export function toRunJson({ name, startedAt, endedAt, testCount, countOf, attemptCount }: Run) {
  return {
    run: name,
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt === undefined ? {} : { endedAt: new Date(endedAt).toISOString() }),
    counts: {
      tests: testCount,
      passed: countOf('passed'),
      failed: countOf('failed'),
      flaky: countOf('flaky'),
      skipped: countOf('skipped'),
      interrupted: countOf('interrupted'),
      running: countOf('running'),
      attempts: attemptCount,
    },
  }
}

const NOTHING_SEEN: SeenByMock = { requests: 0, failures: 0, scenarios: [], responses: [] }

/** A test with what the mock saw of it. */
export function toTestJson({ sessions }: Pick<AdminParts, 'sessions'>, test: SessionTest) {
  const { ended, outcome, startedAt, ...info } = test
  const seen = ended ?? sessions.find(test.session)?.journal.seen() ?? NOTHING_SEEN
  const { requests, failures, scenarios, responses } = seen
  const reported = outcome && { ...outcome, endedAt: toTime(outcome.endedAt) }
  const archive = ended === undefined ? 'live' : ended.bytes === undefined ? 'evicted' : 'archived'
  return { ...info, startedAt: toTime(startedAt), ...reported, requests, failures, scenarios, responses, archive }
}

/** Routes for the tests that sessions belong to, and for their runs. */
export function createRunRoutes(parts: AdminParts) {
  const { runs, redactor, sessions, refresh } = parts

  /** @throws {Problem} 404 if the run does not exist. */
  function expectRun(name: string): Run {
    const run = runs.findRun(name)
    if (run !== undefined) return run
    const known = runs.all().map(({ name }) => name)
    throw problem.notFound(
      `Run ${JSON.stringify(name.slice(0, 200))} does not exist.${didYouMean(name, known)} GET /__admin/runs lists all runs.`,
    )
  }

  return {
    // The path names the session of these two.
    'GET /sessions/:name/test': ({ session: { name, test } }) => {
      if (test !== undefined) return toJson(toTestJson(parts, test))
      throw problem.notFound(
        `The session "${name}" belongs to no test. To report one, send PUT /__admin/sessions/{name}/test when the test starts.`,
      )
    },
    'PUT /sessions/:name/test': async (admin) => {
      const { session } = admin
      const { scenarios, clock, coverage, end, ...reported } = expectBody(
        testBody,
        await admin.readJson(MAX_BYTES.test),
      )
      const { status, duration, error, ...info } = reported
      const outcome = findReportedOutcome({ status, duration, error: error && redactor.text(error), ...info })
      if (end === 'final') expectEndable(session.name)
      const test = runs.report(session.name, info, outcome)
      if (scenarios !== undefined) await useScenarios(parts, session, scenarios)
      if (clock !== undefined) await moveClock(parts, session, clock)
      const covered = coverage === true ? { coverage: await readCoverage(parts, session) } : {}
      if (end !== undefined) await endSession(parts, session.name, end === 'final')
      await refresh?.(DEFAULT_SESSION)
      const latest = sessions.find(DEFAULT_SESSION)?.journal.exchanges().at(-1)?.entry.id
      return toJson({ ...toTestJson(parts, runs.find(test.id) ?? test), ...covered, latestDefaultRequest: latest })
    },
    'GET /runs': () => toJson({ runs: runs.all().map(toRunJson) }),
    'GET /runs/:run': (_admin, param) => {
      const run = expectRun(param('run'))
      return toJsonStream(
        writeList(
          'tests',
          run.attempts(),
          (test) => toTestJson(parts, test),
          () => toRunJson(run),
        ),
      )
    },
    'DELETE /runs/:run': (_admin, param) => {
      runs.remove(expectRun(param('run')).name)
      return toJson({})
    },
  } satisfies AdminRoutes
}
