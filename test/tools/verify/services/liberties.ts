import { isKnownPath, isObject, toCall } from './service.ts'
import type { Answer, Call, Handle, Inside, Switch } from './service.ts'

type Change = (answer: Answer, call: Call) => Answer
const liberty = (
  name: string,
  wrap: (next: Handle, inside: Inside) => Handle,
  only?: 'numbered' | 'terse',
): Switch => ({ name, wrap, ...(only === undefined ? {} : { only }) })

const answers =
  (change: Change) =>
  (next: Handle): Handle =>
  (call) =>
    call.endpoint === undefined && isTokenPath(call.path) ? next(call) : change(next(call), call)
const isTokenPath = (path: string): boolean => path.endsWith('/token')

const errors = (change: Change) => answers((answer, call) => (answer.status < 400 ? answer : change(answer, call)))
const swap = (from: number, to: number) =>
  errors((answer) => (answer.status === from ? { ...answer, status: to } : answer))
const header = (name: string, value: string) =>
  answers((answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }))

const objects = (change: (value: Readonly<Record<string, unknown>>) => unknown) =>
  answers((answer) =>
    answer.status < 400 && isObject(answer.json) ? { ...answer, json: change(answer.json) } : answer,
  )
/** Objects of the specification at any depth. */
const reverse = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reverse)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, part]) => [name, reverse(part)]),
        )
      : value

const refuseIf =
  (test: (call: Call) => boolean, status: number) =>
  (next: Handle, { refuse }: Inside): Handle =>
  (call) =>
    test(call) ? refuse(status) : next(call)

const etag = ({ json }: Answer): string | undefined =>
  isObject(json) && typeof json['version'] === 'number' ? `"v${json['version']}"` : undefined

/** What the specification leaves open, done otherwise by wrapping either service. */
export const LIBERTIES: readonly Switch[] = [
  liberty('Invalid requests answer 422', swap(400, 422), 'numbered'),
  liberty('Invalid requests answer 400', swap(422, 400), 'terse'),
  liberty('A missing or wrong token answers 403', swap(401, 403)),
  liberty('A token without the scope answers 401', swap(403, 401), 'numbered'),
  liberty('A token without the scope answers 404', swap(403, 404), 'numbered'),
  liberty('Unknown resources answer 410', swap(404, 410)),
  liberty(
    'Unknown ids answer 400',
    errors((answer, { endpoint = 0 }) =>
      [2, 10, 11].includes(endpoint) && answer.status === 404 ? { ...answer, status: 400 } : answer,
    ),
  ),
  liberty('Other methods answer 404', swap(405, 404), 'numbered'),
  liberty('Other methods answer 501', swap(405, 501), 'numbered'),
  liberty('Other images answer 400', swap(415, 400), 'terse'),
  liberty(
    'Other images answer 415',
    (next) => (call) => {
      const answer = next(call)
      return call.endpoint === 13 && answer.status === 400 ? { ...answer, status: 415 } : answer
    },
    'numbered',
  ),
  liberty(
    'Errors have no body',
    errors(({ status }) => ({ status })),
  ),
  liberty(
    'Errors are an object `error`',
    errors(({ status }) => ({ status, json: { error: { status } } })),
  ),
  liberty(
    'Errors are a list',
    errors(({ status }) => ({ status, json: [{ reason: status }] })),
  ),
  liberty(
    'Errors are HTML',
    errors(({ status }) => ({ status, type: 'text/html', text: '<h1>No</h1>' })),
  ),
  liberty('Refused tokens have WWW-Authenticate', header('WWW-Authenticate', 'Bearer')),
  liberty(
    'JSON names its charset',
    answers((answer) => (answer.json === undefined ? answer : { type: 'application/json; charset=utf-8', ...answer })),
  ),
  liberty(
    'Resources have an ETag',
    answers((answer) => {
      const tag = etag(answer)
      return tag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: tag } }
    }),
  ),
  liberty(
    'If-None-Match answers 304',
    answers((answer, { headers, endpoint }) =>
      endpoint === 2 && headers['if-none-match'] !== undefined && headers['if-none-match'] === etag(answer)
        ? { status: 304 }
        : answer,
    ),
  ),
  liberty('Answers may be cached', header('Cache-Control', 'max-age=60')),
  liberty('Answers vary', header('Vary', 'Accept, Authorization')),
  liberty('Answers name their server', header('Server', 'team/1')),
  liberty('Answers have a request id', header('X-Request-Id', '7')),
  liberty(
    'Creates have a Location',
    answers((answer, { path }) =>
      isObject(answer.json) && answer.status === 201 && typeof answer.json['id'] === 'number'
        ? { ...answer, headers: { Location: `${path}/${answer.json['id']}` } }
        : answer,
    ),
    'numbered',
  ),
  liberty(
    'Objects have further members',
    objects((value) => ({ ...value, links: { self: '/' }, kind: 'x' })),
  ),
  liberty(
    'Objects have members that are null',
    objects((value) => ({ ...value, deletedAt: null })),
  ),
  liberty(
    'Objects say when they were read, with an offset',
    objects((value) => ({
      ...value,
      readAt: '2024-05-01T10:00:00+02:00',
    })),
  ),
  liberty(
    'Members come in another order',
    objects((value) => reverse(value)),
  ),
  liberty(
    'OPTIONS answers 204',
    (next) => (call) => (call.method === 'OPTIONS' ? { status: 204, headers: { Allow: 'GET' } } : next(call)),
  ),
  liberty(
    'HEAD works wherever GET does',
    (next) => (call) =>
      call.method === 'HEAD' && call.endpoint === undefined
        ? next(toCall('GET', `${call.path}?${call.query}`, call.headers, call.body))
        : next(call),
  ),
  liberty(
    'A slash at the end of a path is ignored',
    (next) => (call) =>
      call.endpoint === undefined && call.path.endsWith('/') && isKnownPath(call.path.slice(0, -1))
        ? next(toCall(call.method, `${call.path.slice(0, -1)}?${call.query}`, call.headers, call.body))
        : next(call),
  ),
  liberty('If-Match is checked', (next, { refuse, tokens }) => (call) => {
    const { headers, endpoint, project } = call
    if (headers['if-match'] === undefined || (endpoint !== 10 && endpoint !== 11)) return next(call)
    const now = next({ ...tokens.callAs(call, [`manage_test:${project}`]), endpoint: 2, method: 'GET' })
    return now.status === 200 && headers['if-match'] !== etag(now) ? refuse(412) : next(call)
  }),
  liberty(
    'An Accept without JSON is refused',
    refuseIf(({ headers }) => /^(?:text|image)\/[a-z]+$/.test(headers['accept'] ?? ''), 406),
  ),
  liberty(
    'JSON that is declared as text is refused',
    refuseIf(
      ({ headers, endpoint = 0 }) =>
        endpoint >= 6 && endpoint <= 10 && headers['content-type']?.startsWith('text/') === true,
      415,
    ),
  ),
  liberty(
    'A Storefront-Locale that is not one is refused',
    refuseIf(
      ({ headers, endpoint }) =>
        endpoint === 16 && !/^[a-z]{2}([-_][A-Z]{2})?$/.test(headers['storefront-locale'] ?? ''),
      400,
    ),
  ),
  liberty(
    'A negative limit or offset is refused',
    refuseIf(
      ({ query, endpoint }) => endpoint === 12 && ['limit', 'offset'].some((name) => Number(query.get(name) ?? 0) < 0),
      400,
    ),
  ),
  liberty(
    'Upload names of more than 100 characters are refused',
    refuseIf(({ query, endpoint }) => endpoint === 13 && (query.get('filename') ?? '').length > 100, 400),
  ),
  liberty(
    'JSON bodies of more than 32 KB are refused',
    refuseIf(({ body, endpoint = 0 }) => endpoint >= 6 && endpoint <= 10 && body.length > 32_768, 413),
  ),
]
