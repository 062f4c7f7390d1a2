import { checkEcho, checkRefusal, findStatusFaults } from '../answers.ts'
import type { Examine } from '../context.ts'
import { compare, fault, show } from '../fault.ts'
import type { ProviderAnswer } from '../provider.ts'
import { memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'

/** Two days, in seconds (D31). */
const LIFETIME = 172_800

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const

/** Faults of an answer that gives no token (RFC 6749, section 5.1). */
function findTokenFaults(answer: ProviderAnswer): readonly Fault[] {
  if (answer.status !== 200) return findStatusFaults(answer, 200)
  const { body } = answer
  const [token, scope] = [memberOf(body, 'access_token'), memberOf(body, 'scope')]
  return [
    ...(typeof token === 'string' && token !== '' ? [] : fault(answer, 'access_token', 'a text', show(token))),
    ...compare(answer, 'token_type', 'Bearer', memberOf(body, 'token_type')),
    ...compare(answer, 'expires_in', LIFETIME, memberOf(body, 'expires_in')),
    ...(typeof scope === 'string' ? [] : fault(answer, 'scope', 'a text', show(scope))),
  ]
}

/** D31: how tokens are obtained. Only where they come from the provider itself. */
export const tokenEndpoints: Examine<'tokenEndpoints'> = async (results, { provider, tokens, project, run }) => {
  const { client } = tokens
  if (client === undefined) return skip('it takes an OAuth client: give --client id:secret')
  if (!client.isUsualPlace) return skip('tokens come from elsewhere: --token-url')
  const { authorization } = client
  const post = (path: string, form: Readonly<Record<string, string>>, headers: object = FORM) =>
    provider.request('POST', `/oauth/${path}`, {
      headers: { ...headers },
      body: new URLSearchParams(form).toString(),
      authorization,
      label: Object.keys(form).join(', ') || 'no parameter',
    })
  const grant = { grant_type: 'client_credentials' }

  const usual = await post('token', grant)
  results.add('status', [])
  results.add('token', findTokenFaults(usual))
  checkEcho(results, usual)
  const scope = `view_test:${project}`
  const scoped = await post('token', { ...grant, scope })
  results.add('asked-scope', [
    ...findTokenFaults(scoped),
    ...compare(scoped, 'scope', scope, memberOf(scoped.body, 'scope')),
  ])
  const queried = await provider.request('POST', '/oauth/token', { query: Object.entries(grant), authorization })
  results.add('any-form', findTokenFaults(queried))
  results.add('any-form', findTokenFaults(await post('token', grant, { 'Content-Type': 'text/plain' })))

  const anonymous = await post(`${encodeURIComponent(project)}/anonymous/token`, { ...grant, scope })
  const refreshToken = memberOf(anonymous.body, 'refresh_token')
  results.add('anonymous', [
    ...findTokenFaults(anonymous),
    ...(typeof refreshToken === 'string' ? [] : fault(anonymous, 'refresh_token', 'a text', show(refreshToken))),
  ])
  if (typeof refreshToken === 'string') await examineRefresh(refreshToken)
  await examineIntrospection()

  const nobody = await provider.request('POST', '/oauth/token', {
    headers: FORM,
    body: 'grant_type=client_credentials',
    authorization: null,
    label: 'no client',
  })
  checkRefusal(results, 'client', nobody, 401, 'invalid_client')
  for (const [form, code] of [
    [{}, 'invalid_request'],
    [{ grant_type: 'telepathy' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: run }, 'invalid_grant'],
    [{ ...grant, scope: `${run} ${run}` }, 'invalid_scope'],
  ] as const) {
    checkRefusal(results, 'refused', await post('token', form), 400, code)
  }

  function skip(reason: string): void {
    for (const name of [
      'status',
      'token',
      'asked-scope',
      'any-form',
      'anonymous',
      'refresh',
      'introspect',
      'introspect-bad',
      'client',
      'refused',
      'correlation-id',
      'envelope',
    ] as const) {
      results.skip(name, reason)
    }
  }

  async function examineRefresh(refreshToken: string): Promise<void> {
    const refreshed = await post('token', { grant_type: 'refresh_token', refresh_token: refreshToken })
    results.add('refresh', findTokenFaults(refreshed))
    const token = memberOf(refreshed.body, 'access_token')
    if (typeof token !== 'string') return
    const used = await provider.send('queryResources', { query: [['limit', '0']], authorization: `Bearer ${token}` })
    results.add('refresh', findStatusFaults(used, 200))
  }

  async function examineIntrospection(): Promise<void> {
    const token = String(memberOf(scoped.body, 'access_token'))
    const known = await post('introspect', { token })
    const exp = memberOf(known.body, 'exp')
    // Seconds have ten digits until the year 2286, milliseconds have thirteen.
    const isSeconds = typeof exp === 'number' && exp > 0 && exp < 1e10
    results.add('introspect', [
      ...findStatusFaults(known, 200),
      ...compare(known, 'active', true, memberOf(known.body, 'active')),
      ...compare(known, 'scope', scope, memberOf(known.body, 'scope')),
      ...(isSeconds ? [] : fault(known, 'exp', 'seconds since 1970', show(exp))),
    ])
    if (tokens.forged === undefined) return results.skip('introspect-bad', 'tokens of the provider are not JWTs')
    const bad = await post('introspect', { token: tokens.forged.replace('Bearer ', '') })
    results.add('introspect-bad', [
      ...findStatusFaults(bad, 200),
      ...compare(bad, 'active', false, memberOf(bad.body, 'active')),
    ])
  }
}
