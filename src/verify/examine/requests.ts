import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { checkRefusal, findStatusFaults, findTakenFaults } from '../answers.ts'
import type { VerifyContext } from '../context.ts'
import { compare, fault } from '../fault.ts'
import type { RequestQuery } from '../pages.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { Results } from '../results.ts'

/** Sends requests that are all to be refused with a status, and perhaps a code. Resolves with the answers of success. */
export async function examineRefusals<Name extends string>(
  results: Results<Name | 'envelope' | 'correlation-id'>,
  name: Name,
  operation: OperationId,
  sendings: readonly Sending[],
  { provider }: VerifyContext,
  { status = 400, code }: { readonly status?: number; readonly code?: string } = {},
): Promise<readonly ProviderAnswer[]> {
  const answers = await Promise.all(sendings.map((sending) => provider.send(operation, sending)))
  for (const answer of answers) checkRefusal(results, name, answer, status, code)
  return answers.filter((answer) => answer.status < 300)
}

/** Sends queries that are all to be refused. */
export const examineQueries = async <Name extends string>(
  results: Results<Name | 'envelope' | 'correlation-id'>,
  name: Name,
  operation: OperationId,
  queries: readonly RequestQuery[],
  context: VerifyContext,
  base: Sending = {},
): Promise<unknown> =>
  examineRefusals(
    results,
    name,
    operation,
    queries.map((query) => ({ ...base, query: [...(base.query ?? []), ...query] })),
    context,
  )

/** A parameter that nobody documents is ignored, and refused by a strict provider (D4). */
export async function examineUnknownParameter(
  results: Results<'unknown-parameter'>,
  operation: OperationId,
  sending: Sending,
  { provider, isStrict }: VerifyContext,
): Promise<void> {
  const query = [...(sending.query ?? []), ['verifyUnknown', 'a'] as const]
  const answer = await provider.send(operation, { ...sending, query })
  const expected = isStrict === undefined ? [200, 201, 400] : isStrict ? [400] : [200, 201]
  results.add('unknown-parameter', findTakenFaults(answer, ...expected))
}

/** RFC 9110, section 9.3.2: HEAD answers as GET does, without content. */
export async function examineHead(
  results: Results<'head'>,
  operation: OperationId,
  sending: Sending,
  got: ProviderAnswer,
  { provider }: VerifyContext,
): Promise<void> {
  const answer = await provider.send(operation, { ...sending, method: 'HEAD' })
  const { responses }: Endpoint = endpoints[operation]
  results.add('head', [
    ...findStatusFaults(answer, got.status),
    ...(answer.text === '' ? [] : fault(answer, 'body', 'none', `${answer.text.length} characters`)),
    ...(responses[200]?.headers ?? []).flatMap((name) =>
      compare(answer, name, got.headers.get(name), answer.headers.get(name)),
    ),
  ])
}

/** What an answer of 405 must name in `Allow`, and must not. */
function findAllowFaults(answer: ProviderAnswer, operation: OperationId, method: string): readonly Fault[] {
  const allowed = (answer.headers.get('Allow') ?? '').toUpperCase().split(/\s*,\s*/)
  const path: string = endpoints[operation].path
  const known = operationIds.filter((id) => endpoints[id].path === path).map((id) => endpoints[id].method)
  const isRight = known.every((name) => allowed.includes(name)) && !allowed.includes(method)
  return isRight ? [] : fault(answer, 'Allow', known.join(', '), allowed.join(', ') || 'nothing')
}

/** D24: a path refuses the methods that it does not have. Only where writing is allowed: a faulty provider may obey. */
export async function examineMethods(
  results: Results<'method' | 'envelope' | 'correlation-id'>,
  operation: OperationId,
  wrong: readonly string[],
  sending: Sending,
  { provider, allowsWrites }: VerifyContext,
): Promise<void> {
  if (!allowsWrites)
    return results.skip('method', 'it sends methods that could write, and --allow-writes was not given')
  for (const method of wrong) {
    const answer = await provider.send(operation, { ...sending, method })
    if (checkRefusal(results, 'method', answer, 405)) results.add('method', findAllowFaults(answer, operation, method))
  }
}
