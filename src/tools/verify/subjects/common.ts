import { compareRefusal, expectStatus } from '../answers.ts'
import { compareParts, compareStatus, findInTurn, findUnless, TWO_TOKENS } from '../finding.ts'
import { toList } from '../fix-first.ts'
import { Stop } from '../transport.ts'
import { endpoints, operationIds } from '../../../service/contract/endpoints.ts'
import { stringifyJson } from '../../../service/http/json.ts'
import type { DecisionId } from '../../../service/contract/decisions.ts'
import type { Endpoint, ScopeName } from '../../../service/contract/endpoint.ts'
import type { TokenScope } from '../credentials.ts'
import type { Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'
import { check } from '../subject.ts'

/** An operation with a valid request. */
export interface ValidContext extends OperationContext {
  /** Makes a valid request; may differ from call to call. */
  valid(): Sending | Promise<Sending>
}

/** A request with a JSON object as its body. */
export interface JsonSending extends Sending {
  readonly json: object
}

/** An operation with a valid JSON request. */
export interface JsonContext extends OperationContext {
  valid(): JsonSending | Promise<JsonSending>
  /** The valid statuses of the response. */
  readonly accepted: readonly number[]
}

/** Sends requests that must be rejected with a status, and optionally a code; returns a finding for each that was not. */
export async function findAccepted(
  context: OperationContext,
  sendings: readonly Sending[],
  status = 400,
  code?: string,
): Promise<Findings> {
  const answers = await Promise.all(sendings.map((sending) => context.send(sending)))
  return answers.flatMap((answer) => compareRefusal(context, answer, status, code))
}

/** Sends queries that must be rejected. */
export const findAcceptedQueries = (
  context: OperationContext,
  queries: readonly RequestQuery[],
  base: Sending = {},
): Promise<Findings> =>
  findAccepted(
    context,
    queries.map((query) => ({ ...base, query: { ...base.query, ...query } })),
  )

/** The checks of every response. */
export const answered = {
  status: check('returns the documented status'),
  'content-type': check('returns application/json', 'spec 1'),
  shape: check('returns the documented shape, with every member of the correct type', 'spec 2'),
  nosniff: check('returns X-Content-Type-Options: nosniff, also with errors', 'spec 7, D33'),
  'correlation-id': check('echoes X-Correlation-ID, also with errors', 'spec 7, D33'),
}

/** `names`: the headers that the endpoint table documents for the operation's responses. */
export const located = (names: string) => ({
  headers: check(`returns ${names}`, 'D5'),
  etag: check('returns the version of the body, in quotes, as the ETag', 'D5'),
})

/** The checks of a response that refers to the resource it wrote. */
export const written = {
  ...answered,
  ...located('the headers ETag and Location'),
  location: check('returns a Location that ends with /{projectKey}/resource/{id}', 'D5'),
}

/** The checks of a resource's member order. */
export const ordered = {
  order: check('returns version, objectTypeProperty and its arrays in the order of the specification', 'spec 2, D8'),
}

/** Checks that results use the same member order as a resource. */
export const listed = {
  order: check('returns the members of each result in the order of the specification', 'spec 2, D8'),
}

const sendWith = async (context: ValidContext, authorization: string | null, label?: string) =>
  context.send({ ...(await context.valid()), authorization, ...(label === undefined ? {} : { label }) })

/** Each token is labelled, since a report does not show it. */
const refuseTokens = (context: ValidContext, tokens: Readonly<Record<string, string | null>>): Promise<Findings> =>
  findInTurn(Object.entries(tokens), async ([label, token]) =>
    compareRefusal(context, await sendWith(context, token, label), 401),
  )

export const bearer = {
  'no-token': check('returns 401 for a request without a token', 'spec 5, D33', (context: ValidContext) =>
    refuseTokens(context, { 'no token': null }),
  ),
  'bad-token': check(
    'returns 401 for Basic credentials, an empty token, and two tokens in one header',
    'spec 5, D32',
    (context: ValidContext) => {
      const { usual } = context.tokens
      return refuseTokens(context, {
        'Basic credentials': 'Basic YTpi',
        'an empty token': 'Bearer',
        [TWO_TOKENS]: `${usual} ${usual.replace('Bearer ', '')}`,
      })
    },
  ),
  'forged-token': check('returns 401 for a token with an invalid signature', 'spec 5, D32', (context: ValidContext) => {
    if (context.tokens.forged === undefined) throw new Stop('the token is not a JWT')
    return refuseTokens(context, { 'an invalid signature': context.tokens.forged })
  }),
  challenge: check(
    'names the project as the realm, the error, and for 403 a sufficient scope in WWW-Authenticate',
    'spec 5, D33',
  ),
  envelope: check('returns errors in the common envelope, with a code that matches the status', 'spec 7, D33'),
}

const SCOPES: readonly ScopeName[] = ['view_test', 'manage_test', 'manage_products']

/** The scopes of an operation; any one of them is sufficient. */
function scopesOf({ operation }: OperationContext): readonly ScopeName[] {
  const { scopes }: Endpoint = endpoints[operation]
  return scopes === 'anyToken' ? SCOPES : scopes
}

/** Sends a valid request with a single-scope token for each scope. */
async function sendScopes(context: ValidContext, scopes: readonly TokenScope[], project?: string) {
  const answers: ProviderAnswer[] = []
  for (const scope of scopes) {
    const token = await context.tokens.only(scope, project)
    if (token === undefined) {
      throw new Stop(
        context.tokens.client === undefined
          ? 'it needs single-scope tokens: pass --client id:secret of a client that may request each scope'
          : `the token endpoint issued no token with only ${scope}:${project ?? context.project}; let the client request each scope alone`,
      )
    }
    answers.push(await sendWith(context, token, `a token with only ${scope}`))
  }
  return answers
}

async function refuseScopes(context: ValidContext, scopes: readonly TokenScope[], project?: string) {
  const answers = await sendScopes(context, scopes, project)
  return answers.flatMap((answer) => compareRefusal(context, answer, 403))
}

/** Expects valid tokens not to be rejected with 401 or 403; any other status passes. */
async function takeScopes(context: ValidContext, scopes: readonly TokenScope[]) {
  const refused = (await sendScopes(context, scopes)).filter(({ status }) => status === 401 || status === 403)
  return refused.flatMap((answer) => compareStatus(answer, 200))
}

/** `decision`: set if the specification does not define the scopes of this operation. */
export const scoped = (decision?: DecisionId) => {
  const basis = decision === undefined ? 'spec 5' : (`spec 5, ${decision}` as const)
  return {
    scope: check('returns 403 for a token without any of its scopes', basis, (context: ValidContext) =>
      refuseScopes(
        context,
        SCOPES.filter((name) => !scopesOf(context).includes(name)),
      ),
    ),
    'own-scope': check('accepts a token with only one of its scopes', basis, (context: ValidContext) =>
      takeScopes(context, scopesOf(context)),
    ),
    'project-scope': check(
      'returns 403 for a token whose scope is for another project',
      basis,
      (context: ValidContext) => refuseScopes(context, scopesOf(context).slice(0, 1), context.otherProject),
    ),
    'manage-project': check('accepts a token with only manage_project', 'spec 5, D30', (context: ValidContext) =>
      takeScopes(context, ['manage_project']),
    ),
  }
}

/** Scope check for operations that any valid token may use. */
export const anyScope = {
  'own-scope': check('accepts a token with any single scope', 'spec 5, D30', (context: ValidContext) =>
    takeScopes(context, SCOPES),
  ),
}

export const findBody = (answer: ProviderAnswer): Findings =>
  findUnless(answer.text === '', answer, 'body', 'none', `${answer.text.length} characters`)

/** RFC 9110, section 9.3.2: HEAD returns the same headers as GET, without content. */
export async function compareHead(context: OperationContext, sending: Sending, got: ProviderAnswer): Promise<Findings> {
  const answer = await context.send({ ...sending, method: 'HEAD' })
  const { responses }: Endpoint = endpoints[context.operation]
  const headers = (responses[200]?.headers ?? []).map((name) => [name, got.headers.get(name) ?? undefined] as const)
  return [
    ...compareStatus(answer, got.status),
    ...findBody(answer),
    ...compareParts(answer, { headers: Object.fromEntries(headers) }),
  ]
}

/** Checks HEAD; defaults to the valid request. */
export const heads = <Context extends ValidContext>(
  attempt = async (context: Context): Promise<Findings> => {
    const valid = await context.valid()
    return compareHead(context, valid, expectStatus(await context.send(valid), 200))
  },
) => check('returns the status and the documented headers of GET for HEAD', 'spec 4, D9', attempt)

/** `toSendings`: creates requests for resources that do not exist. */
export const missing = <Context extends OperationContext>(
  basis: DecisionId,
  what: string,
  toSendings: (context: Context) => readonly Sending[] | Promise<readonly Sending[]>,
) =>
  check(`returns 404 for ${what}`, `spec 7, ${basis}`, async (context: Context) =>
    findAccepted(context, await toSendings(context), 404),
  )

/** Checks that `Allow` in a 405 response names the path's methods, and not the rejected one. */
function compareAllow(answer: ProviderAnswer, { operation }: OperationContext, method: string): Findings {
  const allowed = (answer.headers.get('Allow') ?? '').toUpperCase().split(/\s*,\s*/)
  const path: string = endpoints[operation].path
  const known = operationIds.filter((id) => endpoints[id].path === path).map((id) => endpoints[id].method)
  const isRight = known.every((name) => allowed.includes(name)) && !allowed.includes(method)
  return findUnless(isRight, answer, 'Allow', known.join(', '), allowed.join(', ') || 'nothing')
}

/** D24: methods that a path does not support. Only if writes are allowed: a faulty provider may execute them. */
export const methods = <Context extends OperationContext>(
  wrong: readonly string[],
  toSending: (context: Context) => Sending | Promise<Sending> = () => ({}),
  what = '',
) => {
  const says = `returns 405 for ${toList(wrong)}${what}, and lists its methods in Allow`
  return check(says, 'D24', async (context: Context) => {
    if (!context.allowsWrites) throw new Stop('it sends methods that could write; pass --allow-writes to include it')
    return findInTurn(wrong, async (method) => {
      const answer = await context.send({ ...(await toSending(context)), method })
      return [
        ...compareRefusal(context, answer, 405),
        ...(answer.status === 405 ? compareAllow(answer, context, method) : []),
      ]
    })
  })
}

/** Compresses a text (RFC 1952). */
async function toGzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The JSON of an object, with its first member twice. */
function toDuplicate(json: object): string {
  const [[name, value] = ['a', 1]] = Object.entries(json)
  return `{${JSON.stringify(name)}:${stringifyJson(value)},${stringifyJson(json).slice(1)}`
}

/** Duplicates the first member of a nested object; returns the text unchanged if there is none. */
const toInnerDuplicate = (text: string): string => text.replace(/(?<=.)\{("\w+":)/, '{$1null,$1')

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/** Sends modified versions of a valid body, which must be rejected. */
const refuseBodies = async (
  context: JsonContext,
  change: (text: string, json: object) => readonly (readonly [body: string, label: string, type?: string])[],
  status?: number,
  code?: string,
): Promise<Findings> => {
  const { json, ...rest } = await context.valid()
  const bodies = change(stringifyJson(json), json)
  const sendings = bodies.map(([body, label, type]) => ({
    ...rest,
    headers: type === undefined ? JSON_TYPE : { 'Content-Type': type },
    body,
    label,
  }))
  const findings = await findAccepted(context, sendings, status, code)
  if (endpoints[context.operation].purpose === 'draft') {
    // A resource with neither key nor run id cannot be distinguished from someone else's.
    for (const { request, actual } of findings) {
      if (actual.startsWith('2')) context.cleanup.undo(async () => `A resource created by ${request} may remain.`)
    }
  }
  return findings
}

const takeBody = async (
  context: JsonContext,
  label: string,
  headers: Readonly<Record<string, string>>,
  statuses = context.accepted,
  encode: (text: string) => Sending['body'] | Promise<Sending['body']> = (text) => text,
): Promise<Findings> => {
  const { json, ...rest } = await context.valid()
  const body = (await encode(stringifyJson(json))) ?? ''
  return compareStatus(await context.send({ ...rest, headers, body, label }), ...statuses)
}

const FORMS = [
  'text/plain',
  'text/json',
  'application/xml',
  'application/vnd.x+json',
  'application/x-www-form-urlencoded',
] as const

/**
 * JSON body checks (D4, D9). They come last, since a provider may close the connection. `isObject`: whether to try empty
 * bodies and values other than objects, too.
 */
export const jsonBody = (isObject: boolean) => {
  const bodies = isObject ? ['', 'null', '[]', '"text"', '5', '{"a":'] : ['{"a":']
  const others = isObject ? ', an empty body, null, an array, a string and a number' : ''
  const charset = 'Application/JSON; charset=UTF-8'
  return {
    'broken-json': check(
      `returns 400 for broken JSON and text after JSON (InvalidJsonInput)${others}`,
      'D9',
      async (context: JsonContext) => [
        ...(await refuseBodies(
          context,
          (text) => [
            [text.slice(0, -1), 'a body without its closing brace'],
            [`${text} x`, 'text after the JSON'],
            [text + text, 'the same JSON twice'],
          ],
          400,
          'InvalidJsonInput',
        )),
        ...(await refuseBodies(context, () => bodies.map((body) => [body, `the body ${body || '""'}`]))),
      ],
    ),
    'duplicate-member': check(
      'returns 400 for duplicate member names, at the top level or nested',
      'D4',
      (context: JsonContext) =>
        refuseBodies(context, (text, json) => [
          [toDuplicate(json), 'a member twice'],
          [toInnerDuplicate(text), 'a member inside twice'],
        ]),
    ),
    'media-type': check(
      'returns 415 for text/plain, text/json, application/xml, application/vnd.x+json and a form',
      'spec 1, D9',
      (context: JsonContext) => refuseBodies(context, (text) => FORMS.map((type) => [text, type, type]), 415),
    ),
    gzip: check('accepts a body with Content-Encoding: gzip', 'D9', (context: JsonContext) =>
      takeBody(context, 'gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, context.accepted, toGzip),
    ),
    charset: check('accepts Application/JSON with a charset', 'spec 1, D9', (context: JsonContext) =>
      takeBody(context, charset, { 'Content-Type': charset }),
    ),
    'no-media-type': check(
      'reads a body without Content-Type as JSON; a strict service rejects it with 400',
      'D9',
      (context: JsonContext) =>
        takeBody(context, 'no Content-Type', {}, context.isStrict === true ? [400] : context.accepted),
    ),
  }
}
