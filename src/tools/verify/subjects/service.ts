import { checkEcho, checkNosniff, compareRefusal } from '../answers.ts'
import {
  compareAnswer,
  compareParts,
  compareStatus,
  compareText,
  findId,
  findIfStatus,
  findInTurn,
  findUnless,
  finding,
  idsOf,
  memberOf,
  selectAll,
} from '../finding.ts'
import { show } from '../../../service/contract/check-response.ts'
import { expectOwn } from '../samples.ts'
import { check, defineSubject, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import { answered, bearer } from './common.ts'
import type { SubjectContext, Findings } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'

const CORRELATION = 'X-Correlation-ID'
/** Seven characters, 257, and others with an invalid character. */
const MALFORMED = [
  'seven-7',
  'c'.repeat(257),
  'with a space',
  'with.a.dot',
  'with/slash',
  'with:colon',
  'with~tilde',
] as const

/** Checks that span operations: paths, correlation ids, projects. */
export const anyPath = defineSubject((context: SubjectContext) => {
  context.add('status', [])
  const { provider } = context
  return {
    correlate: (id: string | null) => {
      const label = id === null ? `no ${CORRELATION}` : `${CORRELATION}: ${id}`
      return provider.send('getAction', { headers: { [CORRELATION]: id }, label })
    },
  }
})({
  status: check('responds to every request'),
  'unknown-path': check('returns 404 for undocumented paths', 'D24', (context) => {
    const base = `/${encodeURIComponent(context.project)}`
    const paths = [`${base}/nothing`, `${base}/resources`, `${base}/resource/${context.run}/nothing`]
    return findInTurn(paths, async (path) => compareRefusal(context, await context.provider.request('GET', path), 404))
  }),
  envelope: bearer.envelope,
  nosniff: answered.nosniff,
  'correlation-id': check(
    'accepts an X-Correlation-ID of 8 and of 256 characters, and generates a new one if none is sent',
    'spec 7, D33',
    async ({ correlate }) => {
      const findings = await findInTurn(['abcd-_09', 'c'.repeat(256)], async (id) =>
        compareAnswer(await correlate(id), 200, { headers: { [CORRELATION]: id } }),
      )
      const without = await correlate(null)
      const made = without.headers.get(CORRELATION) ?? ''
      const another = (await correlate(null)).headers.get(CORRELATION)
      const isMade = /^[A-Za-z0-9_-]{8,256}$/.test(made) && another !== made
      const expected = 'a new id of 8 to 256 characters [A-Za-z0-9_-] each time'
      return [...findings, ...findUnless(isMade, without, CORRELATION, expected, show(made))]
    },
  ),
  'correlation-id-refused': check(
    'returns 400 for an X-Correlation-ID of 7 or 257 characters, or with a space, a dot, a slash, a colon or a tilde, also for an update and HEAD',
    'spec 7, D33',
    async ({ provider, own, correlate }) => {
      const refused = { headers: { [CORRELATION]: 'with.a.dot' }, label: `${CORRELATION}: with.a.dot` }
      const answers: ProviderAnswer[] = []
      for (const id of MALFORMED) answers.push(await correlate(id))
      for (const operation of ['checkResources', 'sortedQuery', 'searchResources'] as const) {
        answers.push(await provider.send(operation, refused))
      }
      if (own !== undefined) {
        const [{ id, version }] = own
        answers.push(
          await provider.send('updateResource', { ...refused, path: { id }, json: { version, actions: [] } }),
        )
      }
      return answers.flatMap((answer) => compareStatus(answer, 400))
    },
  ),
  projects: check(
    'does not return resources from another project by id, by key or in a query',
    'spec 1',
    async (context) => {
      // Only our own: other resources may exist in every project, such as a mock's fixtures.
      const [{ id, key }] = expectOwn(context)
      const { provider, tokens, otherProject } = context
      const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
      const path = { projectKey: otherProject, id, key }
      const byId = await provider.send('getResourceById', { path, authorization })
      if (byId.status === 401 || byId.status === 403) {
        throw new Stop(`the token has no access to the other project: ${byId.request} returned ${byId.status}`)
      }
      const byKey = await provider.send('getResourceByKey', { path, authorization })
      const found = [byId, byKey]
        .filter((answer) => answer.status === 200 && (findId(answer) ?? id) === id)
        .flatMap((answer) => finding(answer, 'body', 'nothing from another project', `the resource ${id}`))
      const listed = await findInTurn(['sortedQuery', 'queryResources'] as const, async (operation) => {
        const page = await provider.send(operation, { path, query: selectAll([{ id }]), authorization })
        return findUnless(!idsOf(page).includes(id), page, 'results', 'nothing from another project', show(id))
      })
      return [...found, ...listed]
    },
  ),
})

/** Two days, in seconds (D31). */
const LIFETIME = 172_800

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const

/** Findings for a response that must contain a token (RFC 6749, section 5.1). */
const findTokenless = (answer: ProviderAnswer): Findings =>
  findIfStatus(answer, 200, () => {
    const token = memberOf(answer.body, 'access_token')
    return [
      ...findUnless(typeof token === 'string' && token !== '', answer, 'access_token', 'a text', show(token)),
      ...compareParts(answer, { members: { token_type: 'Bearer', expires_in: LIFETIME } }),
      ...compareText(answer, 'scope'),
    ]
  })

const grant = { grant_type: 'client_credentials' } as const

/** Returns a string member of a response; without it, the checks that depend on it cannot be tried. */
function expectText(answer: ProviderAnswer, name: string): string {
  const text = memberOf(answer.body, name)
  if (typeof text !== 'string') throw new Stop(UNEXPECTED)
  return text
}

/** D31: getting tokens. Only tried if the provider issues them itself. */
export const tokenEndpoints = defineSubject(async (context: SubjectContext) => {
  const { provider, tokens, project } = context
  const { client } = tokens
  if (client === undefined) throw new Stop('it needs an OAuth client: pass --client id:secret')
  if (!client.isUsualPlace) throw new Stop('tokens come from another server: --token-url')
  const { authorization } = client
  const post = (path: string, form: Readonly<Record<string, string>>, headers: object = FORM) =>
    provider.request('POST', `/oauth/${path}`, {
      headers: { ...headers },
      body: new URLSearchParams(form).toString(),
      authorization,
      label: Object.keys(form).join(', ') || 'no parameter',
    })
  const ofProject = encodeURIComponent(project)
  const scope = `view_test:${project}`
  context.add('status', [])
  const usual = await post('token', grant)
  checkEcho(context, usual)
  checkNosniff(context, usual)
  const scoped = await post('token', { ...grant, scope })
  const anonymous = await post(`${ofProject}/anonymous/token`, { ...grant, scope })
  return { authorization, post, ofProject, scope, usual, scoped, anonymous }
})({
  status: check('responds to every request'),
  token: check('issues a token for client_credentials: Bearer, 172800 seconds, with its scope', 'D31', ({ usual }) =>
    findTokenless(usual),
  ),
  'asked-scope': check('issues a token with the requested scope', 'D31', ({ scoped, scope }) => [
    ...findTokenless(scoped),
    ...compareParts(scoped, { members: { scope } }),
  ]),
  'any-form': check(
    'reads parameters from the query, and a form whatever its Content-Type',
    'D31',
    async ({ provider, authorization, post }) => [
      ...findTokenless(await provider.request('POST', '/oauth/token', { query: grant, authorization })),
      ...findTokenless(await post('token', grant, { 'Content-Type': 'text/plain' })),
    ],
  ),
  anonymous: check('issues an anonymous token with a refresh token', 'D31', ({ anonymous }) => [
    ...findTokenless(anonymous),
    ...compareText(anonymous, 'refresh_token'),
  ]),
  // A service with a customer database does not know this one.
  customer: check(
    'issues a customer token with a refresh token, or returns 400 for an unknown password',
    'D31',
    async (context) => {
      const { run, scope, ofProject } = context
      const form = { grant_type: 'password', username: `${run}@example.com`, password: run, scope }
      const answer = await context.post(`${ofProject}/customers/token`, form)
      if (answer.status === 400) return compareRefusal(context, answer)
      return [...findTokenless(answer), ...compareText(answer, 'refresh_token')]
    },
  ),
  refresh: check('issues a valid token with the same scope for a refresh token', 'D31', async (context) => {
    const refreshToken = expectText(context.anonymous, 'refresh_token')
    const answer = await context.post('token', { grant_type: 'refresh_token', refresh_token: refreshToken })
    const findings = [...findTokenless(answer), ...compareParts(answer, { members: { scope: context.scope } })]
    const token = memberOf(answer.body, 'access_token')
    if (typeof token !== 'string') return findings
    const authorization = `Bearer ${token}`
    const used = await context.provider.send('queryResources', { query: { limit: '0' }, authorization })
    return [...findings, ...compareStatus(used, 200)]
  }),
  introspect: check('returns active, scope, and exp in seconds for a token', 'D31', async ({ post, scoped, scope }) => {
    const answer = await post('introspect', { token: String(memberOf(scoped.body, 'access_token')) })
    const exp = memberOf(answer.body, 'exp')
    // Until the year 2286, seconds have ten digits and milliseconds thirteen.
    const isSeconds = typeof exp === 'number' && exp > 0 && exp < 1e10
    return [
      ...compareAnswer(answer, 200, { members: { active: true, scope } }),
      ...findUnless(isSeconds, answer, 'exp', 'seconds since 1970', show(exp)),
    ]
  }),
  'introspect-bad': check('reports a token with an invalid signature as inactive', 'D31', async ({ post, tokens }) => {
    if (tokens.forged === undefined) throw new Stop('the provider does not issue JWTs')
    const answer = await post('introspect', { token: tokens.forged.replace('Bearer ', '') })
    return compareAnswer(answer, 200, { members: { active: false } })
  }),
  client: check('returns 401 invalid_client for a request without a client', 'D31', async (context) => {
    const answer = await context.provider.request('POST', '/oauth/token', {
      headers: FORM,
      body: 'grant_type=client_credentials',
      authorization: null,
      label: 'no client',
    })
    return compareRefusal(context, answer, 401, 'invalid_client')
  }),
  refused: check(
    'returns 400 for a missing grant_type (invalid_request), an unknown one (unsupported_grant_type), a bad refresh token (invalid_grant) and a bad scope (invalid_scope)',
    'D31',
    (context) => {
      const { run, post } = context
      const forms = [
        [{}, 'invalid_request'],
        [{ grant_type: 'telepathy' }, 'unsupported_grant_type'],
        [{ grant_type: 'refresh_token', refresh_token: run }, 'invalid_grant'],
        [{ ...grant, scope: `${run} ${run}` }, 'invalid_scope'],
      ] as const
      return findInTurn(forms, async ([form, code]) => compareRefusal(context, await post('token', form), 400, code))
    },
  ),
  'correlation-id': answered['correlation-id'],
  nosniff: answered.nosniff,
  envelope: check('returns errors in the common envelope, with error and error_description', 'spec 7, D31'),
})
