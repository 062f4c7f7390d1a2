import type { Endpoint, ScopeName } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext } from '../context.ts'
import type { TokenScope } from '../credentials.ts'
import type { Sending } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { Results } from '../results.ts'

const SCOPES: readonly ScopeName[] = ['view_test', 'manage_test', 'manage_products']

/** Why nothing is known of scopes. */
const SCOPELESS =
  'it takes a token of one scope alone: give --client id:secret, of a client that may ask for each scope'

type Refusals = Results<'no-token' | 'bad-token' | 'forged-token' | 'envelope' | 'correlation-id'>

/** Section 5: an operation wants a token, and a good one. The request is one that would succeed. */
async function examineTokens(
  results: Refusals,
  operation: OperationId,
  sending: Sending,
  { provider, tokens }: VerifyContext,
): Promise<void> {
  const ask = (authorization: string | null) => provider.send(operation, { ...sending, authorization })
  checkRefusal(results, 'no-token', await ask(null), 401)
  for (const authorization of ['Basic YTpi', 'Bearer', `${tokens.usual} ${tokens.usual.replace('Bearer ', '')}`]) {
    checkRefusal(results, 'bad-token', await ask(authorization), 401)
  }
  if (tokens.forged === undefined) return results.skip('forged-token', 'the token that was given is not a JWT')
  checkRefusal(results, 'forged-token', await ask(tokens.forged), 401)
}

type Scoped = 'scope' | 'own-scope' | 'project-scope' | 'manage-project'

/** Section 5: who lacks the scope is refused, and whoever has one that is accepted is not. */
async function examineScopes(
  results: Results<Scoped | 'envelope' | 'correlation-id'>,
  operation: OperationId,
  sending: Sending,
  context: VerifyContext,
): Promise<void> {
  const { provider, tokens, otherProject } = context
  const { scopes }: Endpoint = endpoints[operation]
  const accepted: readonly ScopeName[] = scopes === 'anyToken' ? [] : scopes

  for (const scope of SCOPES.filter((name) => !accepted.includes(name))) {
    await withToken('scope', scope, undefined, (answer) => checkRefusal(results, 'scope', answer, 403))
  }
  const [first] = accepted
  if (first !== undefined) {
    await withToken('project-scope', first, otherProject, (answer) =>
      checkRefusal(results, 'project-scope', answer, 403),
    )
  }
  for (const scope of accepted) {
    await withToken('own-scope', scope, undefined, (answer) => results.add('own-scope', findRefused(answer)))
  }
  await withToken('manage-project', 'manage_project', undefined, (answer) =>
    results.add('manage-project', findRefused(answer)),
  )

  async function withToken(
    name: Scoped,
    scope: TokenScope,
    project: string | undefined,
    check: (answer: Awaited<ReturnType<typeof provider.send>>) => unknown,
  ): Promise<void> {
    const authorization = await tokens.only(scope, project)
    if (authorization === undefined) return results.skip(name, SCOPELESS)
    check(await provider.send(operation, { ...sending, authorization, label: `a token of ${scope} alone` }))
  }
}

/** Faults of an answer that refuses a good token, whatever else it may say. */
const findRefused = (answer: Parameters<typeof findStatusFaults>[0]): readonly Fault[] =>
  answer.status === 401 || answer.status === 403 ? findStatusFaults(answer, 200) : []

/** Section 5, of an operation that asks for a scope. */
export async function examineAccess(
  results: Refusals & Results<Scoped>,
  operation: OperationId,
  sending: Sending,
  context: VerifyContext,
): Promise<void> {
  await examineTokens(results, operation, sending, context)
  await examineScopes(results, operation, sending, context)
}

/** Section 5, of an operation that any valid token may use (D30). */
export async function examineAnyAccess(
  results: Refusals & Results<'own-scope'>,
  operation: OperationId,
  sending: Sending,
  context: VerifyContext,
): Promise<void> {
  await examineTokens(results, operation, sending, context)
  for (const scope of SCOPES) {
    const authorization = await context.tokens.only(scope)
    if (authorization === undefined) return results.skip('own-scope', SCOPELESS)
    const label = `a token of ${scope} alone`
    results.add('own-scope', findRefused(await context.provider.send(operation, { ...sending, authorization, label })))
  }
}
