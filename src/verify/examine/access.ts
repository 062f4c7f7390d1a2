import type { Endpoint, ScopeName } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { checkRefusal } from '../answers.ts'
import type { CheckName } from '../checks.ts'
import type { TokenScope } from '../credentials.ts'
import type { OperationExamination } from '../examination.ts'
import { findStatusFaults } from '../fault.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'

const SCOPES: readonly ScopeName[] = ['view_test', 'manage_test', 'manage_products']

/** Why nothing is known of scopes. */
const SCOPELESS =
  'it takes a token of one scope alone: give --client id:secret, of a client that may ask for each scope'

/**
 * Section 5: an operation wants a token, a good one, and one of its scopes; none where any valid token will do (D30).
 *
 * @param sending a request that would succeed
 */
export async function examineAccess(exam: OperationExamination, sending: Sending = {}): Promise<void> {
  const { tokens, otherProject } = exam
  const { scopes }: Endpoint = endpoints[exam.operation]
  const send = (authorization: string | null) => exam.send({ ...sending, authorization })
  checkRefusal(exam, 'no-token', await send(null), 401)
  for (const authorization of ['Basic YTpi', 'Bearer', `${tokens.usual} ${tokens.usual.replace('Bearer ', '')}`]) {
    checkRefusal(exam, 'bad-token', await send(authorization), 401)
  }
  if (tokens.forged === undefined) exam.skip('forged-token', 'the token that was given is not a JWT')
  else checkRefusal(exam, 'forged-token', await send(tokens.forged), 401)

  const accepted = scopes === 'anyToken' ? SCOPES : scopes
  for (const scope of accepted) await withScope('own-scope', scope, take)
  if (scopes === 'anyToken') return
  for (const scope of SCOPES.filter((name) => !scopes.includes(name))) await withScope('scope', scope, refuse)
  await withScope('project-scope', scopes[0], refuse, otherProject)
  await withScope('manage-project', 'manage_project', take)

  async function withScope(
    name: CheckName,
    scope: TokenScope,
    check: (name: CheckName, answer: ProviderAnswer) => void,
    project?: string,
  ): Promise<void> {
    const authorization = await tokens.only(scope, project)
    if (authorization === undefined) return exam.skip(name, SCOPELESS)
    check(name, await exam.send({ ...sending, authorization, label: `a token of ${scope} alone` }))
  }

  function refuse(name: CheckName, answer: ProviderAnswer): void {
    checkRefusal(exam, name, answer, 403)
  }

  /** A good token is not refused, whatever else the answer may say. */
  function take(name: CheckName, answer: ProviderAnswer): void {
    exam.add(name, [401, 403].includes(answer.status) ? findStatusFaults(answer, 200) : [])
  }
}
