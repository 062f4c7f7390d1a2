import { isSuccessStatus } from './transport.ts'
import { isOperation } from '../../service/contract/endpoints.ts'
import { toCause } from './mismatch.ts'
import type { Finding } from './mismatch.ts'
import { listNames } from './report.ts'
import type { FixFirst, VerifyReport } from './report.ts'
import type { RunResults } from './run-conversations.ts'
import type { SubjectId } from './subjects.ts'

/** Statuses of a service that does not have an operation. */
const NOT_BUILT: ReadonlySet<number> = new Set([404, 405, 501])

/** What a service accepted instead of refusing it. Such a service lets strangers in, or loses updates. */
const MUST_REFUSE: Readonly<Partial<Record<string, string>>> = {
  401: 'a request without a valid token',
  403: 'a token without the scope for the request',
  409: 'a write with a stale version',
}

/** An accepted request that must be refused counts as much as ten others. */
const REFUSAL_WEIGHT = 10

/** The operations that the service does not have: where the mock succeeds, it never does. */
export function findNotFound({ results }: RunResults): VerifyReport['notFound'] {
  const statuses = new Map<SubjectId, Set<number>>()
  for (const { result } of results) {
    const { sent, operation } = result
    if (sent === undefined || !isOperation(operation) || !isSuccessStatus(sent.mock.status)) continue
    statuses.set(operation, (statuses.get(operation) ?? new Set()).add(sent.service.status))
  }
  return [...statuses].flatMap(([operation, all]) => {
    const [status = 0] = all
    return all.size === 1 && NOT_BUILT.has(status) ? [{ operation, status }] : []
  })
}

interface MismatchCause {
  readonly describe: (names: string) => string
  readonly weight: number
  readonly findings: Finding[]
}

function toMismatchCause(finding: Finding): Pick<MismatchCause, 'describe' | 'weight'> & { readonly key: string } {
  const { difference, result } = finding
  const { at, mock, service } = difference
  const refused = at === 'status' && isSuccessStatus(service) ? MUST_REFUSE[String(mock)] : undefined
  if (refused !== undefined) {
    const describe = (names: string) =>
      `${names}: ${refused} is accepted with ${String(service)}, not refused with ${String(mock)}`
    return { key: `accepted ${String(mock)}`, describe, weight: REFUSAL_WEIGHT }
  }
  if (at === 'status') {
    const describe = () => `${result.operation} answers ${String(service)}, not ${String(mock)}`
    return { key: `${result.operation} ${String(mock)} ${String(service)}`, describe, weight: 1 }
  }
  const cause = toCause({
    conversation: { name: '', about: '', decision: '', steps: [] },
    at: 0,
    before: [],
    result,
    difference,
  })
  return { key: cause, describe: (names) => `${names}: ${at} differs`, weight: 1 }
}

const toNames = (all: readonly Finding[]) => [...new Set(all.map(({ conversation }) => conversation.name))]

/** What to fix first: the cause of most mismatches; undefined without mismatches. */
export function findFixFirst(
  { findings, results }: RunResults,
  notFound: VerifyReport['notFound'],
): FixFirst | undefined {
  const [first] = findings
  if (first === undefined) return undefined
  const refused = findings.filter(
    ({ difference }) => difference.at === 'connection' && difference.service === 'ECONNREFUSED',
  )
  if (refused.length > 0) {
    const sentence =
      'the service stopped during the run and refuses connections. Look at its output, and start it again'
    return { sentence, failed: toNames(refused) }
  }
  const built = results.some(
    ({ result }) => isOperation(result.operation) && isSuccessStatus(result.sent?.service.status),
  )
  if (!built && notFound.length > 1) {
    return {
      sentence: `every operation answers ${notFound[0]?.status}. Check the URL and --project`,
      failed: toNames(findings),
    }
  }
  const causes = new Map<string, MismatchCause>()
  for (const finding of findings) {
    if (notFound.some(({ operation }) => operation === finding.result.operation)) continue
    const { key, ...problem } = toMismatchCause(finding)
    const cause = causes.get(key) ?? { ...problem, findings: [] }
    cause.findings.push(finding)
    causes.set(key, cause)
  }
  // A cause that shows in many conversations is nearer to the root than one that many similar queries show.
  const toScore = ({ findings: all, weight }: MismatchCause): number =>
    (toNames(all).length + all.length / 10_000) * weight
  const [worst] = [...causes.values()].toSorted((one, other) => toScore(other) - toScore(one))
  if (worst === undefined) return undefined
  const operations = [...new Set(worst.findings.map(({ result }) => result.operation))]
  const many = worst.findings.length
  return {
    sentence: `${worst.describe(listNames(operations, 3))} (${many} mismatch${many === 1 ? '' : 'es'})`,
    failed: toNames(worst.findings),
  }
}
