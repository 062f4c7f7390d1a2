/** An entry of the envelope's `errors`: a code, a message, and additional members that depend on the code. */
export interface ErrorItem {
  readonly code: string
  readonly message: string
  /** More for developers: the position of an error in the body, or how to get a token with the missing scope. */
  readonly detailedErrorMessage?: string
  readonly [member: string]: unknown
}

/**
 * A problem with a request. It can be thrown anywhere; the app renders it as an error response.
 *
 * @example throw problem.versionConflict({ id, expected: 1, actual: 2 })
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly errors: readonly [ErrorItem, ...ErrorItem[]]
  /** Response headers of the problem, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>
  /** Members of the envelope in addition to `statusCode`, `message` and `errors`, such as OAuth's `error`. */
  readonly members: Readonly<Record<string, unknown>>

  constructor({
    status,
    errors,
    headers = {},
    members = {},
  }: Pick<Problem, 'status' | 'errors'> & Partial<Pick<Problem, 'headers' | 'members'>>) {
    super(errors[0].message)
    this.status = status
    this.errors = errors
    this.headers = headers
    this.members = members
  }
}

/** The user and password of a URL (RFC 3986, section 3.2.1), also of one whose scheme was forgotten. */
const USER_INFO = /(\/\/(?!(?:user)?:password@)|(?<=["'\s=,])(?=[^\s"'/@:]+:[^\s"'/]+@))[^\s"'/?#]+@/g

/**
 * An error in the setup of the mock: in an option, a fixture or a scenario file. The command line prints the message and
 * exits with status 2.
 */
export class SetupError extends Error {
  override readonly name = 'SetupError'

  /** @param message may quote a URL: its user and password are removed */
  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(USER_INFO, '$1…@'), options)
  }
}

const one = (status: number, item: ErrorItem, more: Partial<Pick<Problem, 'headers' | 'members'>> = {}): Problem =>
  new Problem({ status, errors: [item], ...more })

/**
 * Percent-encodes characters that a quoted string in a header must not contain; a project key may contain any character.
 */
const toQuotable = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/gu, encodeURIComponent)

/** All problems that the mock responds with; listed in docs/decisions.md. */
export const problem = {
  /** 400: the body is not the JSON that the endpoint expects; `detail` starts with the path of the error. */
  invalidJson: (detail: string) =>
    one(400, {
      code: 'InvalidJsonInput',
      message: 'Request body does not contain valid JSON.',
      detailedErrorMessage: detail,
    }),

  /** 400: several problems with one request, in the order in which they were found. */
  invalidRequest: (errors: readonly [ErrorItem, ...ErrorItem[]]) => new Problem({ status: 400, errors }),

  requiredField: (field: string, message = `Field "${field}" is required.`) =>
    one(400, { code: 'RequiredField', message, field }),

  invalidField: ({
    message,
    ...about
  }: {
    readonly field: string
    readonly message: string
    readonly invalidValue?: unknown
    readonly allowedValues?: readonly unknown[]
  }) => one(400, { code: 'InvalidField', message, ...about }),

  invalidInput: (message: string, members: Readonly<Record<string, unknown>> = {}) =>
    one(400, { code: 'InvalidInput', message, ...members }),

  /** 401 (RFC 6750, section 3.1). */
  invalidToken: (projectKey: string, message: string) =>
    one(
      401,
      { code: 'invalid_token', message },
      {
        headers: { 'WWW-Authenticate': `Bearer realm="${toQuotable(projectKey)}", error="invalid_token"` },
        members: { error: 'invalid_token', error_description: message },
      },
    ),

  /** 403 (RFC 6750, section 3.1); `scopes` are full scopes, such as `manage_test:acme`. */
  insufficientScope: (projectKey: string, scopes: readonly string[]) => {
    const list = scopes.join(' ')
    const message = `Insufficient scope. One of the following scopes is missing: ${list}.`
    return one(
      403,
      {
        code: 'insufficient_scope',
        message,
        detailedErrorMessage: 'Get a token that has it from POST /oauth/token, such as with scope=manage_project:*.',
      },
      {
        headers: {
          'WWW-Authenticate': `Bearer realm="${toQuotable(projectKey)}", error="insufficient_scope", scope="${toQuotable(list)}"`,
        },
        members: { error: 'insufficient_scope', error_description: message },
      },
    )
  },

  /** 403: the client may not use the admin API. */
  forbidden: (message: string) => one(403, { code: 'Forbidden', message }),

  /** An error of the token endpoints (RFC 6749, section 5.2), in the mock's error envelope. */
  oauth: (status: 400 | 401, error: string, message: string) =>
    one(
      status,
      { code: error, message },
      {
        members: { error, error_description: message },
        headers: {
          'Cache-Control': 'no-store',
          Pragma: 'no-cache',
          ...(status === 401 ? { 'WWW-Authenticate': 'Basic realm="resource-mock", charset="UTF-8"' } : {}),
        },
      },
    ),

  resourceNotFound: (by: 'ID' | 'key', value: string) =>
    one(404, {
      code: 'ResourceNotFound',
      message:
        by === 'ID'
          ? `The Resource with ID '${value}' was not found.`
          : `The Resource with key '${value}' was not found.`,
    }),

  /** 404 with a custom message. */
  notFound: (message: string) => one(404, { code: 'ResourceNotFound', message }),

  methodNotAllowed: (method: string, path: string, allowed: readonly string[], remedy?: string) =>
    one(
      405,
      {
        code: 'MethodNotAllowed',
        message: `${method} is not allowed on ${path}. Allowed: ${allowed.join(', ')}.${remedy === undefined ? '' : ` ${remedy}`}`,
      },
      { headers: { Allow: allowed.join(', ') } },
    ),

  /** 405 for a method that Node's parser does not know; its path was not read. */
  unknownMethod: (allowed: readonly string[]) =>
    one(
      405,
      {
        code: 'MethodNotAllowed',
        message: `The request method is not known. Methods are case-sensitive: send PATCH, not patch. Allowed: ${allowed.join(', ')}.`,
      },
      { headers: { Allow: allowed.join(', ') } },
    ),

  notAcceptable: (accept: string, offered: readonly string[]) =>
    one(406, {
      code: 'InvalidInput',
      message: `The header Accept: ${accept} allows no media type that this endpoint returns. Supported: ${offered.join(', ')}.`,
      field: 'Accept',
      invalidValue: accept,
      allowedValues: offered,
    }),

  unsupportedMediaType: (contentType: string, accepted: readonly string[]) =>
    one(415, {
      code: 'InvalidInput',
      message: `Content-Type ${contentType} is not supported by this endpoint. Send one of: ${accepted.join(', ')}.`,
      field: 'Content-Type',
      invalidValue: contentType,
      allowedValues: accepted,
    }),

  /** 415 (the header with the supported encodings is defined in RFC 9110, section 12.5.3). */
  unsupportedContentEncoding: (encoding: string, accepted: readonly string[]) =>
    one(
      415,
      {
        code: 'InvalidInput',
        message: `Content-Encoding ${encoding} is not supported. Send one of: ${accepted.join(', ')}.`,
        field: 'Content-Encoding',
        invalidValue: encoding,
        allowedValues: accepted,
      },
      { headers: { 'Accept-Encoding': accepted.join(', ') } },
    ),

  /** 409: sections 7 and 9 of the specification. */
  versionConflict: (about: { readonly id: string; readonly expected: number | bigint; readonly actual: number }) =>
    one(409, {
      code: 'ConcurrentModification',
      message: `Object ${about.id} has a different version than expected. Expected: ${about.expected} - Actual: ${about.actual}.`,
      currentVersion: about.actual,
    }),

  /** 412 (RFC 9110, section 13.1); `id` and `actual` are absent if the resource does not exist. */
  preconditionFailed: (condition: string, id?: string, actual?: number) =>
    one(412, {
      code: 'PreconditionFailed',
      message: `The precondition ${condition} failed. ${actual === undefined ? 'The resource does not exist.' : `Object ${id} has the version "${actual}".`}`,
      ...(actual === undefined ? {} : { currentVersion: actual }),
    }),

  /** 409: a conflict in the admin API, with a custom message. */
  conflict: (message: string) => one(409, { code: 'Conflict', message }),

  /** 410 (RFC 9110, section 15.5.11). */
  gone: (message: string) => one(410, { code: 'Gone', message }),

  /** 413; `limit` in bytes. */
  contentTooLarge: (
    limit: number,
    message = `The request body exceeds the limit of ${limit} bytes. Send a smaller body. Only bodies without a fixed limit can be larger: raise --max-body.`,
  ) => one(413, { code: 'ContentTooLarge', message, limit }),

  /** 408: the request was not received completely in time. */
  requestTimeout: () =>
    one(408, {
      code: 'InvalidInput',
      message: 'The request was not received completely in time. Send it again without pausing.',
    }),

  /** 414 (RFC 9110, section 15.5.15). */
  uriTooLong: () =>
    one(414, {
      code: 'InvalidInput',
      message:
        'The request line exceeds 64 KiB. Shorten the URL, such as by splitting a long "in (…)" into several requests.',
    }),

  /** 431 (RFC 6585, section 5). */
  headersTooLarge: (what = 'The headers exceed 64 KiB in total.') =>
    one(431, {
      code: 'InvalidInput',
      message: `${what} Send fewer or shorter ones; cookies of localhost are shared by all ports.`,
    }),

  /** 429 (RFC 6585, section 4); `retryAfter` in seconds. */
  tooManyRequests: (limit: number, retryAfter: number) =>
    one(
      429,
      {
        code: 'TooManyRequests',
        message: `Too many requests: the limit is ${limit}. Try again in ${retryAfter} s.`,
      },
      { headers: { 'Retry-After': String(retryAfter) } },
    ),

  /** 501 (RFC 9110, section 15.6.2). */
  notImplemented: (message: string) => one(501, { code: 'NotImplemented', message }),

  badGateway: (message = 'The gateway received no valid response from the service.') =>
    one(502, { code: 'BadGateway', message }),

  /** 504 (RFC 9110, section 15.6.5). */
  gatewayTimeout: (message: string) => one(504, { code: 'GatewayTimeout', message }),

  overCapacity: (message: string, headers: Readonly<Record<string, string>> = {}) =>
    one(503, { code: 'OverCapacity', message }, { headers }),

  /** 500: the response that the mock was about to send violates the contract. */
  contractViolation: (errors: readonly [ErrorItem, ...ErrorItem[]]) => new Problem({ status: 500, errors }),

  /** 500: an error in the mock itself; the details are in the log only. */
  internal: () => one(500, { code: 'General', message: 'Internal error in the mock. See its log for details.' }),
}

/** Whether a value is an error. `fetch` may belong to another realm than this code, such as under jest, with other classes. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || ['[object Error]', '[object DOMException]'].includes(Object.prototype.toString.call(value))

/** Returns the code of a Node system error, such as `ENOENT`; undefined if it has none. */
export const findErrorCode = (fault: unknown): string | undefined =>
  isError(fault) && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined

/** The most specific message of whatever was thrown. */
export function toMessage(fault: unknown): string {
  if (fault instanceof Problem) return fault.errors[0].detailedErrorMessage ?? fault.message
  return isError(fault) ? fault.message : String(fault)
}

/**
 * The message of the system behind a failed connection, such as `connect ECONNREFUSED 127.0.0.1:9`. `fetch` of Node hides it
 * behind "fetch failed"; if no address of a host name responds, it is the one of the first address.
 */
export function toSystemMessage(fault: unknown): string {
  if (!isError(fault)) return toMessage(fault)
  // An AggregateError, of any realm.
  if ('errors' in fault && Array.isArray(fault.errors) && fault.errors.length > 0)
    return toSystemMessage(fault.errors[0])
  if (isError(fault.cause)) return toSystemMessage(fault.cause)
  return toMessage(fault) || (findErrorCode(fault) ?? 'unknown error')
}
