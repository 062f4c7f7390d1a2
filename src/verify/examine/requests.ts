import { endpoints, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { checkRefusal, findTakenFindings } from '../answers.ts'
import { compareHeader, findUnless, compareStatus } from '../finding.ts'
import { stringifyJson } from '../../http/json.ts'
import type { Endpoint, ScopeName } from '../../contract/endpoint.ts'
import type { CheckName } from '../checks.ts'
import type { OperationExamination } from '../examination.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { TokenScope } from '../credentials.ts'

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
  exam.add('unknown-parameter', findTakenFindings(answer, ...toUnknownStatuses(exam)))
}

export const findBodyFindings = (answer: ProviderAnswer): readonly Finding[] =>
  findUnless(answer.text === '', answer, 'body', 'none', `${answer.text.length} characters`)

/** RFC 9110, section 9.3.2: HEAD answers as GET does, without content. */
export async function examineHead(exam: OperationExamination, sending: Sending, got: ProviderAnswer): Promise<void> {
  const answer = await exam.send({ ...sending, method: 'HEAD' })
  const { responses }: Endpoint = endpoints[exam.operation]
  exam.add('head', [
    ...compareStatus(answer, got.status),
    ...findBodyFindings(answer),
    ...(responses[200]?.headers ?? []).flatMap((name) =>
      compareHeader(answer, name, got.headers.get(name) ?? undefined),
    ),
  ])
}

/** What an answer of 405 must name in `Allow`, and must not. */
function findAllowFindings(answer: ProviderAnswer, operation: OperationId, method: string): readonly Finding[] {
  const allowed = (answer.headers.get('Allow') ?? '').toUpperCase().split(/\s*,\s*/)
  const path: string = endpoints[operation].path
  const known = operationIds.filter((id) => endpoints[id].path === path).map((id) => endpoints[id].method)
  const isRight = known.every((name) => allowed.includes(name)) && !allowed.includes(method)
  return findUnless(isRight, answer, 'Allow', known.join(', '), allowed.join(', ') || 'nothing')
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
    if (checkRefusal(exam, 'method', answer, 405)) exam.add('method', findAllowFindings(answer, exam.operation, method))
  }
}

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
    exam.add(name, [401, 403].includes(answer.status) ? compareStatus(answer, 200) : [])
  }
}

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

/** The same text with the first member of an object inside it twice; the text itself where it has no such object. */
const toInnerDuplicate = (text: string): string => text.replace(/(?<=.)\{("\w+":)/, '{$1null,$1')

/** A request with a good body, whose JSON is an object. */
interface Good extends Sending {
  readonly json: object
}

const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/**
 * How an operation reads a body in JSON (D4, D9).
 *
 * @param toGood makes a request that the operation takes, perhaps another one each time
 * @param statuses what it may answer to that
 * @param isObject whether bodies that are empty or not an object are tried, too
 */
export async function examineJsonBody(
  exam: OperationExamination,
  toGood: () => Promise<Good>,
  statuses: readonly number[],
  isObject: boolean,
): Promise<void> {
  const { json, ...good } = await toGood()
  const text = stringifyJson(json)
  const toSending = (body: string, label: string): Sending => ({ ...good, headers: JSON_TYPE, body, label })
  const whole = [
    toSending(text.slice(0, -1), 'a body without its last brace'),
    toSending(`${text} x`, 'text after the JSON'),
    toSending(text + text, 'the same JSON twice'),
  ]
  await examineRefusals(exam, 'broken-json', whole, 400, 'InvalidJsonInput')
  const bodies = isObject ? ['', 'null', '[]', '"text"', '5', '{"a":'] : ['{"a":']
  const broken = bodies.map((body) => toSending(body, `the body ${body || '""'}`))
  const accepted = await examineRefusals(exam, 'broken-json', broken)
  if (endpoints[exam.operation].purpose === 'draft') {
    // What has no key and none of the run's words cannot be told from somebody else's.
    for (const { request } of accepted) exam.cleanup.undo(async () => `What ${request} made may be left.`)
  }
  const duplicates = [
    toSending(toDuplicate(json), 'a member twice'),
    toSending(toInnerDuplicate(text), 'a member inside twice'),
  ]
  await examineRefusals(exam, 'duplicate-member', duplicates)
  const types = [
    'text/plain',
    'text/json',
    'application/xml',
    'application/vnd.x+json',
    'application/x-www-form-urlencoded',
  ]
  const typed = types.map((type) => ({ ...good, headers: { 'Content-Type': type }, body: text, label: type }))
  await examineRefusals(exam, 'media-type', typed, 415)

  async function take(
    name: CheckName,
    label: string,
    headers: Readonly<Record<string, string>>,
    expected = statuses,
    encode: (text: string) => Sending['body'] | Promise<Sending['body']> = (body) => body,
  ): Promise<void> {
    const { json: taken, ...sending } = await toGood()
    const body = (await encode(stringifyJson(taken))) ?? ''
    exam.add(name, compareStatus(await exam.send({ ...sending, headers, body, label }), ...expected))
  }
  await take('gzip', 'gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, statuses, toGzip)
  const type = 'Application/JSON; charset=UTF-8'
  await take('charset', type, { 'Content-Type': type })
  await take('no-media-type', 'no Content-Type', {}, exam.isStrict === true ? [400] : statuses)
}
