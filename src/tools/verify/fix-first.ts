import { isOperation } from '../../service/contract/endpoints.ts'
import { isSuccess, TWO_TOKENS } from './finding.ts'
import { toProblem } from './report.ts'
import type { Blocker, CheckReport, Finding, FixFirst, SubjectReport } from './report.ts'
import type { SubjectId } from './subjects.ts'

/** A possible cause of failed and untried checks. */
interface FailureCause {
  /** What is wrong, with the names of the operations. */
  readonly describe: (names: string) => string
  /** How much a failed check counts. */
  readonly weight: number
  readonly subjects: Set<SubjectId>
  readonly failed: Map<string, Finding>
  readonly waiting: Set<string>
}

/** Statuses of a service that does not have an operation. */
const NOT_BUILT: ReadonlySet<string> = new Set(['404', '405', '501'])

/** What a service accepted instead of refusing it. Such a service lets strangers in, or loses updates. */
const REFUSED: Readonly<Record<string, string>> = {
  401: 'a request without a valid token',
  403: 'a token without the scope for the request',
  409: 'a write with a stale version',
}

/** A failed check for which {@link REFUSED} applies counts as much as ten others. */
const REFUSAL_WEIGHT = 10

/** A request with a valid token and another one: a service that accepts it lets nobody in. */
const hasValidToken = ({ request }: Finding): boolean => request.endsWith(`(${TWO_TOKENS})`)

const findingsOf = ({ outcome }: CheckReport): readonly Finding[] => (outcome.kind === 'failed' ? outcome.faults : [])

const isStatus = ({ at }: Finding): boolean => at === 'status'

/** Whether a response should have been a success, which a finding lists first: `200 or 201`. */
const isMissedSuccess = ({ expected, actual }: Finding): boolean =>
  isSuccess(Number.parseInt(expected, 10)) && !isSuccess(Number(actual))

/** The first response of an operation that should have been a success, as what its other checks wait for. */
export function findOwnBlocker(subject: SubjectId, findings: readonly Finding[]): Blocker | undefined {
  const wrong = findings.find((one) => isStatus(one) && isMissedSuccess(one))
  if (wrong === undefined || !isOperation(subject) || Number.isNaN(Number(wrong.actual))) return undefined
  return { operation: subject, expected: wrong.expected, actual: wrong.actual }
}

const hasExpectedStatus = ({ subject, checks }: SubjectReport): boolean =>
  checks.some(({ id, outcome }) => id === `${subject}/status` && outcome.kind === 'held')

/** The operations that the service does not have, with the status that they answer instead of a success. */
export function findNotBuilt(subjects: readonly SubjectReport[]): ReadonlyMap<SubjectId, string> {
  const found = subjects.flatMap((report) => {
    const { subject, checks } = report
    const blocker = findOwnBlocker(subject, checks.flatMap(findingsOf))
    const isBuilt = blocker === undefined || hasExpectedStatus(report) || !NOT_BUILT.has(blocker.actual)
    return isBuilt ? [] : [[subject, blocker.actual] as const]
  })
  return new Map(found)
}

/** `a, b and 3 more` */
export function toList(names: readonly string[], most = names.length): string {
  const shown = names.length <= most ? names : [...names.slice(0, most - 1), `${names.length - most + 1} more`]
  return shown.join(', ').replace(/, ([^,]+)$/, ' and $1')
}

const count = (many: number): string => `${many} check${many === 1 ? '' : 's'}`

/** `52 checks wait`: usually, the checks that wait are most of the reason to fix a response. */
function toCounts(failed: number, waiting: number): string {
  const waits = waiting === 1 ? 'waits' : 'wait'
  const fails = `${count(failed)} ${failed === 1 ? 'fails' : 'fail'}`
  if (waiting === 0) return fails
  return waiting < failed ? `${fails}, ${waiting} ${waits}` : `${count(waiting)} ${waits}`
}

/** Groups failed and untried checks by cause. A check may have several. */
function findCauses(
  subjects: readonly SubjectReport[],
  notBuilt: ReadonlyMap<SubjectId, string>,
): readonly FailureCause[] {
  const causes = new Map<string, FailureCause>()

  function toCause(key: string, describe: FailureCause['describe'], subject: SubjectId, weight = 1): FailureCause {
    const empty = { describe, weight, subjects: new Set<SubjectId>(), failed: new Map<string, Finding>() }
    const cause = causes.get(key) ?? { ...empty, waiting: new Set<string>() }
    causes.set(key, cause)
    cause.subjects.add(subject)
    return cause
  }

  function addFailed(subject: SubjectId, { id, says }: CheckReport, finding: Finding): void {
    const { expected, actual } = finding
    const isAccepted = isStatus(finding) && isSuccess(Number(actual)) && !hasValidToken(finding)
    const refused = isAccepted ? REFUSED[expected] : undefined
    const blocker = isOperation(subject) ? { operation: subject, expected, actual } : undefined
    const cause =
      refused !== undefined
        ? toCause(
            `refusal ${expected}`,
            (names) => `${names} answered ${actual}, not ${expected}, to ${refused}`,
            subject,
            REFUSAL_WEIGHT,
          )
        : isStatus(finding) && blocker !== undefined && !hasValidToken(finding)
          ? toCause(toKey(blocker), () => toProblem(blocker), subject)
          : toCause(`check ${says}`, (names) => `${names}: "${says}"`, subject)
    if (!cause.failed.has(id)) cause.failed.set(id, finding)
  }

  for (const { subject, checks } of subjects) {
    for (const check of checks) {
      const { id, outcome } = check
      const waitsFor = outcome.kind === 'untried' ? outcome.waitsFor : undefined
      // The operation that the check is waiting for may not be built: then it is what to build first.
      if (waitsFor !== undefined && (waitsFor.operation !== subject || !notBuilt.has(subject))) {
        toCause(toKey(waitsFor), () => toProblem(waitsFor), waitsFor.operation).waiting.add(id)
      }
      if (!notBuilt.has(subject)) for (const finding of findingsOf(check)) addFailed(subject, check, finding)
    }
  }
  return [...causes.values()]
}

/** Findings of an operation have its key too, so that a response without an id counts with its wrong status. */
const toKey = ({ operation, expected, actual }: Blocker): string => `${operation} ${expected} ${actual}`

const toScore = ({ failed, waiting, weight }: FailureCause): number => failed.size * weight + waiting.size

const toSentence = ({ describe, subjects, failed, waiting }: FailureCause): string =>
  `${describe(toList([...subjects], 3))} (${toCounts(failed.size, waiting.size)})`

const hasReason = (reason: string) => (one: Finding) => isStatus(one) && one.actual === reason

/**
 * What to fix first if the service stopped during the run; undefined if it refused no connection. The request whose
 * connection broke may be the one that stopped it.
 */
export function findStopped(subjects: readonly SubjectReport[]): FixFirst | undefined {
  const failed = subjects.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome.kind === 'failed'))
  const refused = failed.filter((check) => findingsOf(check).some(hasReason('ECONNREFUSED')))
  if (refused.length === 0) return undefined
  const findings = failed.flatMap(findingsOf)
  const example = findings.find(hasReason('ECONNRESET')) ?? findings.find(hasReason('ECONNREFUSED'))
  return {
    sentence: 'the service stopped during the run and refuses connections. Look at its output, and start it again',
    ...(example === undefined ? {} : { example }),
    failed: refused.map(({ id }) => id),
    waiting: [],
  }
}

/**
 * Finds the cause of most failed and untried checks. An operation that the service does not have counts only if several
 * others wait for it.
 */
export function findFixFirst(subjects: readonly SubjectReport[]): FixFirst | undefined {
  const notBuilt = findNotBuilt(subjects)
  const [status] = notBuilt.values()
  const operations = subjects.filter(({ subject }) => isOperation(subject))
  if (status !== undefined && notBuilt.size > 1 && !operations.some(hasExpectedStatus)) {
    const failed = operations.flatMap(({ checks }) => checks.filter((one) => findingsOf(one).length > 0))
    return {
      sentence: `every operation answered ${status}. Check the URL and --project`,
      failed: failed.map(({ id }) => id),
      waiting: [],
    }
  }
  const causes = findCauses(subjects, notBuilt).filter((cause) => {
    const waitingSubjects = new Set([...cause.waiting].map((id) => id.split('/')[0]))
    return waitingSubjects.size > 1 || ![...cause.subjects].every((subject) => notBuilt.has(subject))
  })
  const [worst] = causes.toSorted((a, b) => toScore(b) - toScore(a))
  if (worst === undefined) return undefined
  const [example] = worst.failed.values()
  return {
    sentence: toSentence(worst),
    ...(example === undefined ? {} : { example }),
    failed: [...worst.failed.keys()],
    waiting: [...worst.waiting],
  }
}
