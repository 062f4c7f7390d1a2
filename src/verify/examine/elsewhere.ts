import { checkRefusal, checkEcho, checkNosniff } from '../answers.ts'
import {
  compareHeader,
  finding,
  findUnless,
  compareStatus,
  show,
  idsOf,
  selectAll,
  findId,
  compareMember,
  findIfStatus,
  compareText,
  memberOf,
} from '../finding.ts'
import { expectOwn } from '../samples.ts'
import { Stop } from '../transport.ts'
import type { Examination } from '../examination.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Sample } from '../resources.ts'
import type { Finding } from '../report.ts'

/** What holds for no operation alone: paths, correlation ids, projects. */
export async function anyPath(exam: Examination): Promise<void> {
  const { provider, project, run } = exam
  const name = 'X-Correlation-ID'
  const base = `/${encodeURIComponent(project)}`
  for (const path of [`${base}/nothing`, `${base}/resources`, `${base}/resource/${run}/nothing`]) {
    checkRefusal(exam, 'unknown-path', await provider.request('GET', path), 404)
  }
  const send = (id: string | null) =>
    provider.send('getAction', { headers: { [name]: id }, label: id === null ? `no ${name}` : `${name}: ${id}` })
  for (const id of ['abcd-_09', 'c'.repeat(256)]) {
    const answer = await send(id)
    exam.add('correlation-id', [...compareStatus(answer, 200), ...compareHeader(answer, name, id)])
  }
  const without = await send(null)
  const made = without.headers.get(name) ?? ''
  const another = (await send(null)).headers.get(name)
  const isMade = /^[A-Za-z0-9_-]{8,256}$/.test(made) && another !== made
  exam.add(
    'correlation-id',
    findUnless(isMade, without, name, 'another 8 to 256 of [A-Za-z0-9_-] each time', show(made)),
  )
  const malformed = ['seven-7', 'c'.repeat(257), 'with a space', 'with.a.dot', 'with/slash', 'with:colon', 'with~tilde']
  for (const id of malformed) exam.add('correlation-id-refused', compareStatus(await send(id), 400))
  const headers = { [name]: 'with.a.dot' }
  const label = `${name}: with.a.dot`
  for (const operation of ['checkResources', 'sortedQuery', 'searchResources'] as const) {
    exam.add('correlation-id-refused', compareStatus(await provider.send(operation, { headers, label }), 400))
  }
  exam.add('status', [])
  if (exam.own !== undefined) {
    const [{ id, version }] = exam.own
    const sending = { path: { id }, json: { version, actions: [] }, headers, label }
    exam.add('correlation-id-refused', compareStatus(await provider.send('updateResource', sending), 400))
  }
  // Resources that others wrote may be in every project, as the fixtures of a mock are.
  await examineProjects(exam, expectOwn(exam)[0])
}

/** Section 1: a resource belongs to its project. */
async function examineProjects(exam: Examination, { id, key }: Sample): Promise<void> {
  const { provider, tokens, otherProject } = exam
  const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
  const path = { projectKey: otherProject, id, key: key ?? '' }
  const byId = await provider.send('getResourceById', { path, authorization })
  if (byId.status === 401 || byId.status === 403) {
    const reason = `the token does not reach the other project: ${byId.request} answered ${byId.status}`
    return exam.skip('projects', reason)
  }
  const expectOther = (answer: ProviderAnswer) => {
    const isOne = answer.status === 200 && (findId(answer) ?? id) === id
    exam.add('projects', isOne ? finding(answer, 'body', 'nothing of another project', `the resource ${id}`) : [])
  }
  expectOther(byId)
  if (key !== undefined) expectOther(await provider.send('getResourceByKey', { path, authorization }))
  for (const operation of ['sortedQuery', 'queryResources'] as const) {
    const page = await provider.send(operation, { path, query: selectAll([{ id }]), authorization })
    const isFound = idsOf(page).includes(id)
    exam.add('projects', isFound ? finding(page, 'results', 'nothing of another project', show(id)) : [])
  }
}

/** Two days, in seconds (D31). */
const LIFETIME = 172_800

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const

/** Faults of an answer that gives no token (RFC 6749, section 5.1). */
const findTokenFindings = (answer: ProviderAnswer): readonly Finding[] =>
  findIfStatus(answer, 200, () => {
    const token = memberOf(answer.body, 'access_token')
    return [
      ...findUnless(typeof token === 'string' && token !== '', answer, 'access_token', 'a text', show(token)),
      ...compareMember(answer, 'token_type', 'Bearer'),
      ...compareMember(answer, 'expires_in', LIFETIME),
      ...compareText(answer, 'scope'),
    ]
  })

/** D31: how tokens are obtained. Only where they come from the provider itself. */
export async function tokenEndpoints(exam: Examination): Promise<void> {
  const { provider, tokens, project, run } = exam
  const { client } = tokens
  if (client === undefined) throw new Stop('it takes an OAuth client: give --client id:secret')
  if (!client.isUsualPlace) throw new Stop('tokens come from elsewhere: --token-url')
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
  exam.add('status', [])
  exam.add('token', findTokenFindings(usual))
  checkEcho(exam, usual)
  checkNosniff(exam, usual)
  const scope = `view_test:${project}`
  const scoped = await post('token', { ...grant, scope })
  exam.add('asked-scope', [...findTokenFindings(scoped), ...compareMember(scoped, 'scope', scope)])
  const queried = await provider.request('POST', '/oauth/token', { query: grant, authorization })
  exam.add('any-form', findTokenFindings(queried))
  exam.add('any-form', findTokenFindings(await post('token', grant, { 'Content-Type': 'text/plain' })))

  const anonymous = await post(`${encodeURIComponent(project)}/anonymous/token`, { ...grant, scope })
  const refreshToken = memberOf(anonymous.body, 'refresh_token')
  exam.add('anonymous', [...findTokenFindings(anonymous), ...compareText(anonymous, 'refresh_token')])
  if (typeof refreshToken === 'string') await examineRefresh(refreshToken)
  await examineIntrospection()
  await examineCustomer()

  const nobody = await provider.request('POST', '/oauth/token', {
    headers: FORM,
    body: 'grant_type=client_credentials',
    authorization: null,
    label: 'no client',
  })
  checkRefusal(exam, 'client', nobody, 401, 'invalid_client')
  for (const [form, code] of [
    [{}, 'invalid_request'],
    [{ grant_type: 'telepathy' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: run }, 'invalid_grant'],
    [{ ...grant, scope: `${run} ${run}` }, 'invalid_scope'],
  ] as const) {
    checkRefusal(exam, 'refused', await post('token', form), 400, code)
  }

  /** A service of its own customers knows none of this name. */
  async function examineCustomer(): Promise<void> {
    const form = { grant_type: 'password', username: `${run}@example.com`, password: run, scope }
    const answer = await post(`${encodeURIComponent(project)}/customers/token`, form)
    if (answer.status === 400) return void checkRefusal(exam, 'customer', answer)
    exam.add('customer', [...findTokenFindings(answer), ...compareText(answer, 'refresh_token')])
  }

  async function examineRefresh(refreshToken: string): Promise<void> {
    const refreshed = await post('token', { grant_type: 'refresh_token', refresh_token: refreshToken })
    exam.add('refresh', [...findTokenFindings(refreshed), ...compareMember(refreshed, 'scope', scope)])
    const token = memberOf(refreshed.body, 'access_token')
    if (typeof token !== 'string') return
    const used = await provider.send('queryResources', { query: { limit: '0' }, authorization: `Bearer ${token}` })
    exam.add('refresh', compareStatus(used, 200))
  }

  async function examineIntrospection(): Promise<void> {
    const token = String(memberOf(scoped.body, 'access_token'))
    const known = await post('introspect', { token })
    const exp = memberOf(known.body, 'exp')
    // Seconds have ten digits until the year 2286, milliseconds have thirteen.
    const isSeconds = typeof exp === 'number' && exp > 0 && exp < 1e10
    exam.add('introspect', [
      ...compareStatus(known, 200),
      ...compareMember(known, 'active', true),
      ...compareMember(known, 'scope', scope),
      ...findUnless(isSeconds, known, 'exp', 'seconds since 1970', show(exp)),
    ])
    if (tokens.forged === undefined) return exam.skip('introspect-bad', 'tokens of the provider are not JWTs')
    const bad = await post('introspect', { token: tokens.forged.replace('Bearer ', '') })
    exam.add('introspect-bad', [...compareStatus(bad, 200), ...compareMember(bad, 'active', false)])
  }
}
