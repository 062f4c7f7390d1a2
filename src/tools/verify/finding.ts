import { lastSegmentOf } from '../../service/http/request-head.ts'
import { show } from '../../service/contract/check-response.ts'
import type { Violation } from '../../service/contract/check-response.ts'
import { readPage } from '../../service/contract/results.ts'
import { toPath } from '../../service/http/json.ts'
import { isEqualContent } from '../../service/query/fields.ts'
import type { Provider, ProviderAnswer, RequestQuery } from './provider.ts'
import type { Finding } from './report.ts'
import { toGoal } from './report.ts'
import { Stop } from './transport.ts'

/** A member of a JSON value; undefined if the value is not an object or has no such member. */
export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? // An object with this member can be read by name.
      (body as Readonly<Record<string, unknown>>)[name]
    : undefined

/** The id of the resource in a response: from its headers, or from its body with `--identity body` (D5). */
export function findId({ headers, body }: ProviderAnswer): string | undefined {
  const location = headers.get('Location') ?? headers.get('Content-Location')
  const id = location === null ? memberOf(body, 'id') : lastSegmentOf(location)
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The version in a response: from its body, or else from its ETag (D5). */
export function findVersion({ headers, body }: ProviderAnswer): number | undefined {
  const version = memberOf(body, 'version')
  if (Number.isSafeInteger(version)) return Number(version)
  const tag = /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '')?.[1]
  return tag === undefined ? undefined : Number(tag)
}

/** The arrays of the resource in a response. */
export const findContent = ({ body }: ProviderAnswer): unknown => memberOf(body, 'objectTypeProperty')

/** Whether a value has members: an object or an array. */
export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null

interface ContentDifference {
  readonly path: readonly PropertyKey[]
  readonly expected: unknown
  readonly actual: unknown
}

/** The deepest path at which two JSON values first differ. */
function findDifference(
  expected: unknown,
  actual: unknown,
  path: readonly PropertyKey[],
): ContentDifference | undefined {
  if (isEqualContent(expected, actual)) return undefined
  if (!isObject(expected) || !isObject(actual)) return { path, expected, actual }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const step = Array.isArray(expected) ? Number(name) : name
    const found = findDifference(expected[name], actual[name], [...path, step])
    if (found !== undefined) return found
  }
  return { path, expected, actual }
}

/** Creates a finding for a response. */
export const finding = (
  { request }: ProviderAnswer,
  at: string,
  expected: string,
  actual: string,
): readonly Finding[] => [{ request, at, expected, actual }]

/** Converts violations of the contract; positions in the body and headers are reported without that prefix. */
export const toFindings = ({ request }: ProviderAnswer, violations: readonly Violation[]): readonly Finding[] =>
  violations.map(({ path, expected, actual }) => ({
    request,
    at: path.replace(/^(?:body|headers)\./, ''),
    expected,
    actual,
  }))

/** Looks for findings in one item after the other. */
export async function findInTurn<Item>(
  items: Iterable<Item>,
  find: (item: Item) => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const item of items) findings.push(...(await find(item)))
  return findings
}

/** Creates a finding unless a condition holds. */
export const findUnless = (isRight: boolean, ...about: Parameters<typeof finding>): readonly Finding[] =>
  isRight ? [] : finding(...about)

/** Compares two JSON values. A finding names the path of the first difference; `at` is a path in the body. */
export function compare(
  { request }: ProviderAnswer,
  at: string | readonly PropertyKey[],
  expected: unknown,
  actual: unknown,
): readonly Finding[] {
  const found = findDifference(expected, actual, typeof at === 'string' ? [at] : at)
  if (found === undefined) return []
  return [{ request, at: toPath(found.path), expected: show(found.expected), actual: show(found.actual) }]
}

/** Compares parts of a response: its headers, members of its body, and the arrays and version of its resource. */
export const compareParts = (
  answer: ProviderAnswer,
  { headers = {}, members = {}, ...resource }: ExpectedParts,
): readonly Finding[] => [
  ...Object.entries(headers).flatMap(([name, value]) =>
    compare(answer, name, value, answer.headers.get(name) ?? undefined),
  ),
  ...Object.entries(members).flatMap(([name, value]) => compare(answer, name, value, memberOf(answer.body, name))),
  ...('content' in resource ? compare(answer, 'objectTypeProperty', resource.content, findContent(answer)) : []),
  ...('version' in resource ? compare(answer, 'version', resource.version, findVersion(answer)) : []),
]

interface ExpectedParts {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly members?: Readonly<Record<string, unknown>>
  readonly content?: unknown
  readonly version?: number
}

/** Compares the status of a response, and if it is right, parts of the response. */
export const compareAnswer = (answer: ProviderAnswer, status: number, parts: ExpectedParts): readonly Finding[] =>
  findIfStatus(answer, status, () => compareParts(answer, parts))

/** A finding if a member of the body is not a string. */
export function compareText(answer: ProviderAnswer, name: string): readonly Finding[] {
  const value = memberOf(answer.body, name)
  return findUnless(typeof value === 'string', answer, name, 'a text', show(value))
}

/** A finding if the status differs. */
export const compareStatus = (answer: ProviderAnswer, ...statuses: readonly number[]): readonly Finding[] =>
  findUnless(statuses.includes(answer.status), answer, 'status', statuses.join(' or '), String(answer.status))

/** A finding if the status differs; otherwise the findings of `find`. */
export const findIfStatus = (
  answer: ProviderAnswer,
  status: number,
  find: () => readonly Finding[],
): readonly Finding[] => (answer.status === status ? find() : compareStatus(answer, status))

/** The label of a request with a valid token and another one in one header. */
export const TWO_TOKENS = 'two tokens'

/** Whether a status is a success (RFC 9110, section 15.3). */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The reason why a check cannot be tried without another response: the operation that must be fixed first. */
export function toStop(
  { operation, request, status }: ProviderAnswer,
  expected: number | string,
  lacks?: string,
): Stop {
  if (operation === undefined) return new Stop(`${request} returned ${status}, not ${expected}`)
  const actual = String(status)
  const blocker = { operation, expected: String(expected), actual, ...(lacks === undefined ? {} : { lacks }) }
  return new Stop(`waits for: ${toGoal(blocker)}`, { blocker })
}

/** The results of a page; empty if the body is not a page. */
export const resultsOf = ({ body }: ProviderAnswer) => readPage(body)?.results ?? []

/**
 * Finds a resource in the results of queries, for a provider whose other responses give no id (D5). The second query is for
 * a provider without `where`, whose results are told apart by key or content.
 */
export async function findListedId(
  provider: Provider,
  { key, content }: { readonly key: string; readonly content: unknown },
): Promise<string | undefined> {
  for (const [operation, query] of [
    ['sortedQuery', { where: `key = ${JSON.stringify(key)}` }],
    ['queryResources', { limit: '500' }],
  ] as const) {
    const found = resultsOf(await provider.send(operation, { query })).find(
      (result) =>
        result['key'] === key ||
        (result['key'] === undefined &&
          content !== undefined &&
          isEqualContent(memberOf(result, 'objectTypeProperty'), content)),
    )
    if (typeof found?.id === 'string') return found.id
  }
  return undefined
}

export const idsOf = (answer: ProviderAnswer): readonly unknown[] => resultsOf(answer).map(({ id }) => id)

/** A predicate that matches exactly these resources. Its literals are JSON. */
export const toSelection = (samples: readonly { readonly id: string }[]): string =>
  `id in (${samples.map(({ id }) => JSON.stringify(id)).join(', ')})`

/** The query parameters for that predicate. */
export const selectAll = (samples: readonly { readonly id: string }[]): RequestQuery => ({
  where: toSelection(samples),
})

/** Findings if a page does not have exactly these results, in any order. */
export const findOthers = (answer: ProviderAnswer, samples: readonly { readonly id: string }[]): readonly Finding[] =>
  findIfStatus(answer, 200, () => {
    const ids = idsOf(answer)
    const missing = samples.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
    const others = ids.filter((id) => !samples.some((sample) => sample.id === id))
    const wrong = [
      ...(missing.length === 0 ? [] : [`without ${missing.join(', ')}`]),
      ...(others.length === 0 ? [] : [`with ${others.length} that do not match, such as ${show(others[0])}`]),
    ]
    const actual = `${ids.length} ${wrong.join(' and ')}`
    return findUnless(wrong.length === 0, answer, 'results', `the ${samples.length} that match`, actual)
  })
