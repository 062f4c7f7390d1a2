import { compareRefusal, findTakenFindings } from '../answers.ts'
import { compareHeader, compareStatus, findUnless } from '../finding.ts'
import { Stop } from '../transport.ts'
import { endpoints, operationIds } from '../../contract/endpoints.ts'
import { stringifyJson } from '../../http/json.ts'
import type { DecisionId } from '../../contract/decisions.ts'
import type { Endpoint, ScopeName } from '../../contract/endpoint.ts'
import type { TokenScope } from '../credentials.ts'
import type { Examination, Findings, OperationExamination } from '../subject.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'
import { check, UNEXPECTED } from '../subject.ts'
import type { Finding } from '../report.ts'

/** An examination that knows a request that the operation takes. */
export interface ValidExamination extends OperationExamination {
  /** Makes a valid request, perhaps another one each time. */
  valid(): Sending | Promise<Sending>
}

/** A request whose body is a JSON object. */
export interface JsonSending extends Sending {
  readonly json: object
}

/** An examination that knows a valid request with a JSON object. */
export interface JsonExamination extends OperationExamination {
  valid(): JsonSending | Promise<JsonSending>
  /** What the operation may answer to that. */
  readonly accepted: readonly number[]
}

/** Sends requests that all must be refused with a status, and perhaps a code; finds those that are not. */
export async function findAccepted(
  exam: OperationExamination,
  sendings: readonly Sending[],
  status = 400,
  code?: string,
): Promise<Findings> {
  const answers = await Promise.all(sendings.map((sending) => exam.send(sending)))
  return answers.flatMap((answer) => compareRefusal(exam, answer, status, code))
}

/** Sends queries that all must be refused. */
export const findAcceptedQueries = (
  exam: OperationExamination,
  queries: readonly RequestQuery[],
  base: Sending = {},
): Promise<Findings> =>
  findAccepted(
    exam,
    queries.map((query) => ({ ...base, query: { ...base.query, ...query } })),
  )

/** An answer, if it has a status: otherwise the checks that look at it cannot be tried. */
export function expectStatus(answer: ProviderAnswer, status: number): ProviderAnswer {
  if (answer.status !== status) throw new Stop(UNEXPECTED)
  return answer
}

/** What every answer is checked for. */
export const answered = {
  status: check('answers the documented status'),
  'content-type': check('answers application/json', 'spec 1'),
  shape: check('answers the documented shape, every member of its type', 'spec 2'),
  nosniff: check('answers with X-Content-Type-Options: nosniff, in errors too', 'spec 7, D33'),
  'correlation-id': check('echoes X-Correlation-ID, in errors too', 'spec 7, D33'),
}

/** `names`: the headers that the endpoint table documents of the operation's answers. */
export const located = (names: string) => ({
  headers: check(`has ${names}`, 'D5'),
  etag: check('has the version of the body, in quotes, as its ETag', 'D5'),
})

/** An answer that leads to the resource it wrote. */
export const written = {
  ...answered,
  ...located('the headers ETag and Location'),
  location: check('has a Location that ends with /{projectKey}/resource/{id}', 'D5'),
}

/** The members of a resource. */
export const ordered = {
  order: check('lists version, objectTypeProperty and its arrays in the order of the specification', 'spec 2, D8'),
}

/** Results list their members as a resource does. */
export const listed = {
  order: check('lists the members of each result in the order of the specification', 'spec 2, D8'),
}

const sendWith = async (exam: ValidExamination, authorization: string | null, label?: string) =>
  exam.send({ ...(await exam.valid()), authorization, ...(label === undefined ? {} : { label }) })

const refuseTokens = async (exam: ValidExamination, tokens: readonly (string | null)[]): Promise<Findings> => {
  const findings: Finding[] = []
  for (const token of tokens) findings.push(...compareRefusal(exam, await sendWith(exam, token), 401))
  return findings
}

export const bearer = {
  'no-token': check('refuses a request without a token: 401', 'spec 5, D33', (exam: ValidExamination) =>
    refuseTokens(exam, [null]),
  ),
  'bad-token': check(
    'refuses Basic credentials, an empty token, and two tokens in one header: 401',
    'spec 5, D32',
    (exam: ValidExamination) => {
      const { usual } = exam.tokens
      return refuseTokens(exam, ['Basic YTpi', 'Bearer', `${usual} ${usual.replace('Bearer ', '')}`])
    },
  ),
  'forged-token': check('refuses the token with another signature: 401', 'spec 5, D32', (exam: ValidExamination) => {
    if (exam.tokens.forged === undefined) throw new Stop('the token that was given is not a JWT')
    return refuseTokens(exam, [exam.tokens.forged])
  }),
  challenge: check(
    'names its project as the realm, the error, and with 403 a scope that would do in WWW-Authenticate',
    'spec 5, D33',
  ),
  envelope: check('answers errors in the one envelope, with a code that belongs to the status', 'spec 7, D33'),
}

const SCOPES: readonly ScopeName[] = ['view_test', 'manage_test', 'manage_products']

/** Scopes of which each alone is enough. */
function scopesOf({ operation }: OperationExamination): readonly ScopeName[] {
  const { scopes }: Endpoint = endpoints[operation]
  return scopes === 'anyToken' ? SCOPES : scopes
}

/** Sends a valid request with tokens of one scope each. */
async function sendScopes(exam: ValidExamination, scopes: readonly TokenScope[], project?: string) {
  const answers: ProviderAnswer[] = []
  for (const scope of scopes) {
    const token = await exam.tokens.only(scope, project)
    if (token === undefined) {
      throw new Stop(
        'it takes a token of one scope alone: give --client id:secret, of a client that may ask for each scope',
      )
    }
    answers.push(await sendWith(exam, token, `a token of ${scope} alone`))
  }
  return answers
}

async function refuseScopes(exam: ValidExamination, scopes: readonly TokenScope[], project?: string) {
  const answers = await sendScopes(exam, scopes, project)
  return answers.flatMap((answer) => compareRefusal(exam, answer, 403))
}

/** A good token is not refused, whatever else the answer may say. */
async function takeScopes(exam: ValidExamination, scopes: readonly TokenScope[]) {
  const refused = (await sendScopes(exam, scopes)).filter(({ status }) => status === 401 || status === 403)
  return refused.flatMap((answer) => compareStatus(answer, 200))
}

/** `decision`: if the specification does not show the scopes of this operation. */
export const scoped = (decision?: DecisionId) => {
  const basis = decision === undefined ? 'spec 5' : (`spec 5, ${decision}` as const)
  return {
    scope: check('refuses a token that has none of its scopes: 403', basis, (exam: ValidExamination) =>
      refuseScopes(
        exam,
        SCOPES.filter((name) => !scopesOf(exam).includes(name)),
      ),
    ),
    'own-scope': check('takes a token that has one of its scopes alone', basis, (exam: ValidExamination) =>
      takeScopes(exam, scopesOf(exam)),
    ),
    'project-scope': check('refuses a token whose scope is for another project: 403', basis, (exam: ValidExamination) =>
      refuseScopes(exam, scopesOf(exam).slice(0, 1), exam.otherProject),
    ),
    'manage-project': check('takes a token with manage_project alone', 'spec 5, D30', (exam: ValidExamination) =>
      takeScopes(exam, ['manage_project']),
    ),
  }
}

/** Scopes of operations that any valid token may use. */
export const anyScope = {
  'own-scope': check('takes a token of any one scope', 'spec 5, D30', (exam: ValidExamination) =>
    takeScopes(exam, SCOPES),
  ),
}

export const findBody = (answer: ProviderAnswer): Findings =>
  findUnless(answer.text === '', answer, 'body', 'none', `${answer.text.length} characters`)

/** RFC 9110, section 9.3.2: HEAD answers as GET does, without content. */
export async function compareHead(
  exam: OperationExamination,
  sending: Sending,
  got: ProviderAnswer,
): Promise<Findings> {
  const answer = await exam.send({ ...sending, method: 'HEAD' })
  const { responses }: Endpoint = endpoints[exam.operation]
  return [
    ...compareStatus(answer, got.status),
    ...findBody(answer),
    ...(responses[200]?.headers ?? []).flatMap((name) =>
      compareHeader(answer, name, got.headers.get(name) ?? undefined),
    ),
  ]
}

/** HEAD, by default of the valid request. */
export const heads = <Exam extends ValidExamination>(
  attempt = async (exam: Exam): Promise<Findings> => {
    const valid = await exam.valid()
    return compareHead(exam, valid, expectStatus(await exam.send(valid), 200))
  },
) => check('answers HEAD with the status and the documented headers of GET', 'spec 4, D9', attempt)

/** `toSendings`: makes requests for what does not exist. */
export const missing = <Exam extends OperationExamination>(
  basis: DecisionId,
  what: string,
  toSendings: (exam: Exam) => readonly Sending[] | Promise<readonly Sending[]>,
) =>
  check(`answers ${what} with 404`, `spec 7, ${basis}`, async (exam: Exam) =>
    findAccepted(exam, await toSendings(exam), 404),
  )

/** What an answer of 405 must name in `Allow`, and must not. */
function compareAllow(answer: ProviderAnswer, { operation }: OperationExamination, method: string): Findings {
  const allowed = (answer.headers.get('Allow') ?? '').toUpperCase().split(/\s*,\s*/)
  const path: string = endpoints[operation].path
  const known = operationIds.filter((id) => endpoints[id].path === path).map((id) => endpoints[id].method)
  const isRight = known.every((name) => allowed.includes(name)) && !allowed.includes(method)
  return findUnless(isRight, answer, 'Allow', known.join(', '), allowed.join(', ') || 'nothing')
}

/** D24: methods that a path does not have. Only if writing is allowed: a faulty provider may obey. */
export const methods = <Exam extends OperationExamination>(
  wrong: readonly string[],
  toSending: (exam: Exam) => Sending | Promise<Sending> = () => ({}),
  what = '',
) => {
  const names = wrong.join(', ').replace(/, (\w+)$/, ' and $1')
  const says = `refuses ${names}${what} with 405, and names the methods it has in Allow`
  return check(says, 'D24', async (exam: Exam) => {
    if (!exam.allowsWrites) throw new Stop('it sends methods that could write, and --allow-writes was not given')
    const findings: Finding[] = []
    for (const method of wrong) {
      const answer = await exam.send({ ...(await toSending(exam)), method })
      findings.push(...compareRefusal(exam, answer, 405))
      if (answer.status === 405) findings.push(...compareAllow(answer, exam, method))
    }
    return findings
  })
}

/** What a service may answer to a parameter that nobody documents. */
const toUnknownStatuses = ({ isStrict }: Examination): readonly number[] =>
  isStrict === undefined ? [200, 201, 400] : isStrict ? [400] : [200, 201]

/** A parameter that nobody documents is ignored, and refused by a strict provider (D4). */
export const findUntolerated = async (exam: OperationExamination, query: RequestQuery, base: Sending = {}) =>
  findTakenFindings(await exam.send({ ...base, query: { ...base.query, ...query } }), ...toUnknownStatuses(exam))

export const unknownParameters = {
  'unknown-parameter': check(
    'ignores undocumented parameters; a strict service refuses them: 400',
    'D4',
    async (exam: ValidExamination) => findUntolerated(exam, { verifyUnknown: 'a' }, await exam.valid()),
  ),
}

/** What every query does: parameters of the wrong type, and parameters that are given twice. */
export const queried = (types: string, mistyped: readonly RequestQuery[], singles: string, twice: RequestQuery) => ({
  refused: check(`refuses ${types} of the wrong type: 400`, 'D9', async (exam: ValidExamination) =>
    findAcceptedQueries(exam, mistyped, await exam.valid()),
  ),
  'single-valued': check(`refuses ${singles} given twice: 400`, 'D9', async (exam: ValidExamination) => {
    const queries = Object.entries(twice).map(([name, values]) => ({ [name]: values }))
    return findAcceptedQueries(exam, queries, await exam.valid())
  }),
  ...unknownParameters,
})

/** Compresses a text (RFC 1952). */
async function toGzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The same object with its first member twice. */
function toDuplicate(json: object): string {
  const [[name, value] = ['a', 1]] = Object.entries(json)
  return `{${JSON.stringify(name)}:${stringifyJson(value)},${stringifyJson(json).slice(1)}`
}

/** The same text with the first member of an object inside it twice; the text itself if it has no such object. */
const toInnerDuplicate = (text: string): string => text.replace(/(?<=.)\{("\w+":)/, '{$1null,$1')

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/** Sends the text of a valid body, changed. */
const refuseBodies = async (
  exam: JsonExamination,
  change: (text: string, json: object) => readonly (readonly [body: string, label: string, type?: string])[],
  status?: number,
  code?: string,
): Promise<Findings> => {
  const { json, ...rest } = await exam.valid()
  const bodies = change(stringifyJson(json), json)
  const sendings = bodies.map(([body, label, type]) => ({
    ...rest,
    headers: type === undefined ? JSON_TYPE : { 'Content-Type': type },
    body,
    label,
  }))
  const findings = await findAccepted(exam, sendings, status, code)
  if (endpoints[exam.operation].purpose === 'draft') {
    // What has no key and none of the run's words cannot be distinguished from somebody else's.
    for (const { request, actual } of findings) {
      if (actual.startsWith('2')) exam.cleanup.undo(async () => `What ${request} made may be left.`)
    }
  }
  return findings
}

const takeBody = async (
  exam: JsonExamination,
  label: string,
  headers: Readonly<Record<string, string>>,
  statuses = exam.accepted,
  encode: (text: string) => Sending['body'] | Promise<Sending['body']> = (text) => text,
): Promise<Findings> => {
  const { json, ...rest } = await exam.valid()
  const body = (await encode(stringifyJson(json))) ?? ''
  return compareStatus(await exam.send({ ...rest, headers, body, label }), ...statuses)
}

const FORMS = [
  'text/plain',
  'text/json',
  'application/xml',
  'application/vnd.x+json',
  'application/x-www-form-urlencoded',
] as const

/** How a body in JSON is read (D4, D9): last, since a provider may break off. `isObject`: whether bodies that are empty or not an object are tried, too. */
export const jsonBody = (isObject: boolean) => {
  const bodies = isObject ? ['', 'null', '[]', '"text"', '5', '{"a":'] : ['{"a":']
  const others = isObject ? ', an empty body, null, an array, a string and a number' : ''
  const charset = 'Application/JSON; charset=UTF-8'
  return {
    'broken-json': check(
      `refuses broken JSON and text after JSON (InvalidJsonInput)${others}: 400`,
      'D9',
      async (exam: JsonExamination) => [
        ...(await refuseBodies(
          exam,
          (text) => [
            [text.slice(0, -1), 'a body without its last brace'],
            [`${text} x`, 'text after the JSON'],
            [text + text, 'the same JSON twice'],
          ],
          400,
          'InvalidJsonInput',
        )),
        ...(await refuseBodies(exam, () => bodies.map((body) => [body, `the body ${body || '""'}`]))),
      ],
    ),
    'duplicate-member': check(
      'refuses a body with a member name twice, at its top or inside: 400',
      'D4',
      (exam: JsonExamination) =>
        refuseBodies(exam, (text, json) => [
          [toDuplicate(json), 'a member twice'],
          [toInnerDuplicate(text), 'a member inside twice'],
        ]),
    ),
    'media-type': check(
      'refuses text/plain, text/json, application/xml, application/vnd.x+json and a form: 415',
      'spec 1, D9',
      (exam: JsonExamination) => refuseBodies(exam, (text) => FORMS.map((type) => [text, type, type]), 415),
    ),
    gzip: check('takes a body with Content-Encoding: gzip', 'D9', (exam: JsonExamination) =>
      takeBody(exam, 'gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, exam.accepted, toGzip),
    ),
    charset: check('takes Application/JSON with a charset', 'spec 1, D9', (exam: JsonExamination) =>
      takeBody(exam, charset, { 'Content-Type': charset }),
    ),
    'no-media-type': check(
      'takes a body without Content-Type as JSON; a strict service refuses it: 400',
      'D9',
      (exam: JsonExamination) => takeBody(exam, 'no Content-Type', {}, exam.isStrict === true ? [400] : exam.accepted),
    ),
  }
}
