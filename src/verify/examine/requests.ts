import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { checkRefusal, findTakenFaults } from '../answers.ts'
import type { CheckName } from '../checks.ts'
import type { OperationExamination } from '../examination.ts'
import { compareHeader, faultUnless, findStatusFaults } from '../fault.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'
import type { Fault } from '../report.ts'

/** Sends requests that are all to be refused with a status, and perhaps a code. Resolves with the answers of success. */
export async function examineRefusals(
  exam: OperationExamination,
  name: CheckName,
  sendings: readonly Sending[],
  status = 400,
  code?: string,
): Promise<readonly ProviderAnswer[]> {
  const answers = await Promise.all(sendings.map((sending) => exam.send(sending)))
  for (const answer of answers) checkRefusal(exam, name, answer, status, code)
  return answers.filter((answer) => answer.status < 300)
}

/** Sends queries that are all to be refused. */
export const examineQueries = (
  exam: OperationExamination,
  name: CheckName,
  queries: readonly RequestQuery[],
  base: Sending = {},
): Promise<unknown> =>
  examineRefusals(
    exam,
    name,
    queries.map((query) => ({ ...base, query: { ...base.query, ...query } })),
  )

/** What a service may answer to a parameter that nobody documents. */
export const toUnknownStatuses = ({ isStrict }: OperationExamination): readonly number[] =>
  isStrict === undefined ? [200, 201, 400] : isStrict ? [400] : [200, 201]

/** A parameter that nobody documents is ignored, and refused by a strict provider (D4). */
export async function examineUnknownParameter(exam: OperationExamination, sending: Sending = {}): Promise<void> {
  const answer = await exam.send({ ...sending, query: { ...sending.query, verifyUnknown: 'a' } })
  exam.add('unknown-parameter', findTakenFaults(answer, ...toUnknownStatuses(exam)))
}

export const findBodyFaults = (answer: ProviderAnswer): readonly Fault[] =>
  faultUnless(answer.text === '', answer, 'body', 'none', `${answer.text.length} characters`)

/** RFC 9110, section 9.3.2: HEAD answers as GET does, without content. */
export async function examineHead(exam: OperationExamination, sending: Sending, got: ProviderAnswer): Promise<void> {
  const answer = await exam.send({ ...sending, method: 'HEAD' })
  const { responses }: Endpoint = endpoints[exam.operation]
  exam.add('head', [
    ...findStatusFaults(answer, got.status),
    ...findBodyFaults(answer),
    ...(responses[200]?.headers ?? []).flatMap((name) =>
      compareHeader(answer, name, got.headers.get(name) ?? undefined),
    ),
  ])
}

/** What an answer of 405 must name in `Allow`, and must not. */
function findAllowFaults(answer: ProviderAnswer, operation: OperationId, method: string): readonly Fault[] {
  const allowed = (answer.headers.get('Allow') ?? '').toUpperCase().split(/\s*,\s*/)
  const path: string = endpoints[operation].path
  const known = operationIds.filter((id) => endpoints[id].path === path).map((id) => endpoints[id].method)
  const isRight = known.every((name) => allowed.includes(name)) && !allowed.includes(method)
  return faultUnless(isRight, answer, 'Allow', known.join(', '), allowed.join(', ') || 'nothing')
}

/** D24: a path refuses the methods that it does not have. Only where writing is allowed: a faulty provider may obey. */
export async function examineMethods(
  exam: OperationExamination,
  wrong: readonly string[],
  sending: Sending = {},
): Promise<void> {
  if (!exam.allowsWrites) {
    return exam.skip('method', 'it sends methods that could write, and --allow-writes was not given')
  }
  for (const method of wrong) {
    const answer = await exam.send({ ...sending, method })
    if (checkRefusal(exam, 'method', answer, 405)) exam.add('method', findAllowFaults(answer, exam.operation, method))
  }
}
