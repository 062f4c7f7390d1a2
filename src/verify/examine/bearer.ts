import type { Endpoint, ScopeName } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { findStatusFaults, holdRefusal } from '../answers.ts'
import type { Bench } from '../bench.ts'
import type { Sending } from '../provider.ts'
import type { World } from '../world.ts'

const SCOPES: readonly ScopeName[] = ['view_test', 'manage_products', 'manage_test']

/** Why nothing is known of scopes. */
export const SCOPELESS =
  'it takes a token of one scope alone: give --client id:secret, of a client that may ask for each scope'

/** A header with a scope that the operation does not accept; undefined where none can be had. */
export async function findLacking(operation: OperationId, { keyring }: World): Promise<string | undefined> {
  const { scopes }: Endpoint = endpoints[operation]
  const lacking = SCOPES.find((scope) => scopes !== 'anyToken' && !scopes.includes(scope))
  return lacking === undefined ? undefined : keyring.only(lacking)
}

/** Section 5: an operation wants a token, and a good one. The request is one that would succeed. */
export async function examineBearer(
  bench: Bench<'no-token' | 'bad-token' | 'envelope'>,
  operation: OperationId,
  sending: Sending,
  { provider, keyring }: World,
): Promise<void> {
  const without = await provider.send(operation, { ...sending, authorization: null })
  holdRefusal(bench, 'no-token', without, 401)
  const bad = await provider.send(operation, { ...sending, authorization: keyring.bad })
  holdRefusal(bench, 'bad-token', bad, 401)
}

/** Section 5: a token without the operation's scope is refused, and for what only reads each of its scopes suffices. */
export async function examineScope(
  bench: Bench<'scope' | 'envelope'>,
  operation: OperationId,
  sending: Sending,
  world: World,
): Promise<void> {
  const { provider, keyring } = world
  const lacking = await findLacking(operation, world)
  if (lacking === undefined) return bench.skip('scope', SCOPELESS)
  holdRefusal(bench, 'scope', await provider.send(operation, { ...sending, authorization: lacking }), 403)
  const { scopes, method }: Endpoint = endpoints[operation]
  if (scopes === 'anyToken' || method !== 'GET') return
  for (const scope of scopes) {
    const authorization = await keyring.only(scope)
    if (authorization === undefined) continue
    const answer = await provider.send(operation, { ...sending, authorization })
    const isRefused = answer.status === 401 || answer.status === 403
    bench.hold('scope', isRefused ? findStatusFaults(answer, 200) : [])
  }
}
