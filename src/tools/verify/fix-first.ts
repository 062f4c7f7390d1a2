import { groupBy } from '../../util/collections.ts'
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
/** A status or a version says more than a member. */
const STATUS_WEIGHT = 3

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

/** What was accepted, if it had to be refused. */
const findAccepted = ({ difference: { at, mock, service } }: Finding): string | undefined =>
  at === 'status' && isSuccessStatus(service) ? MUST_REFUSE[String(mock)] : undefined

/** The cause, in a sentence with the names of its operations. */
function toCauseSentence(finding: Finding, names: string): string {
  const { at, mock, service } = finding.difference
  const accepted = findAccepted(finding)
  if (accepted !== undefined)
    return `${names}: ${accepted} is accepted with ${String(service)}, not refused with ${String(mock)}`
  return at === 'status' ? `${names} answers ${String(service)}, not ${String(mock)}` : `${names}: ${at} differs`
}

const toNames = (all: readonly Finding[]) => [...new Set(all.map(({ conversation }) => conversation.name))]

/** What to fix first: the cause of most violations; undefined without violations. */
export function findFixFirst(
  { findings: all, results }: RunResults,
  notFound: VerifyReport['notFound'],
): FixFirst | undefined {
  const findings = all.filter(({ difference }) => difference.ground.kind === 'violation')
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
  const causes = groupBy(
    findings.filter(({ result }) => !notFound.some(({ operation }) => operation === result.operation)),
    (one) => findAccepted(one) ?? toCause({ ...one, conversation: { ...one.conversation, about: '' } }),
  )
  // A cause that shows in many conversations is nearer to the root than one that many similar queries show.
  const toScore = (ones: (typeof causes)[number]): number =>
    (toNames(ones).length + ones.length / 10_000) *
    (findAccepted(ones[0]) === undefined ? 1 : REFUSAL_WEIGHT) *
    (['status', 'version'].includes(ones[0].difference.at) ? STATUS_WEIGHT : 1)
  const [worst] = causes.toSorted((one, other) => toScore(other) - toScore(one))
  if (worst === undefined) return undefined
  const operations = [...new Set(worst.map(({ result }) => result.operation))]
  const many = worst.length
  return {
    sentence: `${toCauseSentence(worst[0], listNames(operations, 3))} (${many} violation${many === 1 ? '' : 's'})`,
    failed: toNames(worst),
  }
}
