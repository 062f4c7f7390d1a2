/** One entry of the envelope's `errors`: a code, a sentence, and what else the code carries. */
export interface ErrorItem {
  readonly code: string
  readonly message: string
  /** Of InvalidJsonInput: where in the body the fault is, and what was expected there. */
  readonly detailedErrorMessage?: string
  readonly [member: string]: unknown
}

/**
 * What a request did wrong, thrown wherever it is noticed and rendered once, by the app.
 *
 * @example throw problem.versionConflict({ id, expected: 1, actual: 2 })
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly errors: readonly [ErrorItem, ...ErrorItem[]]
  /** Response headers that belong to the problem, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>
  /** Members in addition to `statusCode`, `message` and `errors`, such as OAuth's `error`. */
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

/**
 * A fault of what the person who starts the mock gave it: an option, a fixture, a scenario file.
 * The command line prints the sentence and ends with exit status 2.
 */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}

const one = (status: number, item: ErrorItem, more: Partial<Pick<Problem, 'headers' | 'members'>> = {}): Problem =>
  new Problem({ status, errors: [item], ...more })

/** What may stand in a quoted string of a header: a project key is any text, so what may not is percent-encoded. */
const toQuotable = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/gu, encodeURIComponent)

/** Every problem the mock answers with, by name; the table in docs/decisions.md lists them. */
export const problem = {
  /** 400: the body cannot be read as the JSON the endpoint takes; `detail` starts with the path of the fault. */
  invalidJson: (detail: string) =>
    one(400, {
      code: 'InvalidJsonInput',
      message: 'Request body does not contain valid JSON.',
      detailedErrorMessage: detail,
    }),

  /** 400: several faults of one request, in the order they were found. */
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
      { code: 'insufficient_scope', message },
      {
        headers: {
          'WWW-Authenticate': `Bearer realm="${toQuotable(projectKey)}", error="insufficient_scope", scope="${toQuotable(list)}"`,
        },
        members: { error: 'insufficient_scope', error_description: message },
      },
    )
  },

  /** 403: the admin API is not for this client. */
  forbidden: (message: string) => one(403, { code: 'Forbidden', message }),

  /** An error of the token endpoints (RFC 6749, section 5.2), in the house's envelope. */
  oauth: (status: 400 | 401, error: string, message: string) =>
    one(
      status,
      { code: error, message },
      {
        members: { error, error_description: message },
        headers: {
          'Cache-Control': 'no-store',
          Pragma: 'no-cache',
          ...(status === 401 ? { 'WWW-Authenticate': 'Basic realm="resource-mock"' } : {}),
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

  /** 404 with a sentence of its own. */
  notFound: (message: string) => one(404, { code: 'ResourceNotFound', message }),

  methodNotAllowed: (method: string, path: string, allowed: readonly string[]) =>
    one(
      405,
      {
        code: 'MethodNotAllowed',
        message: `${method} is not allowed on ${path}. Allowed: ${allowed.join(', ')}.`,
      },
      { headers: { Allow: allowed.join(', ') } },
    ),

  notAcceptable: (accept: string, offered: readonly string[]) =>
    one(406, {
      code: 'InvalidInput',
      message: `The header Accept: ${accept} admits nothing that this endpoint answers. It answers ${offered.join(', ')}.`,
      field: 'Accept',
      invalidValue: accept,
      allowedValues: offered,
    }),

  unsupportedMediaType: (contentType: string, accepted: readonly string[]) =>
    one(415, {
      code: 'InvalidInput',
      message: `Content-Type ${contentType} is not supported here. Send one of: ${accepted.join(', ')}.`,
      field: 'Content-Type',
      invalidValue: contentType,
      allowedValues: accepted,
    }),

  /** 415 (RFC 9110, section 12.5.3 names the header that says what would be read). */
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

  /** 409: the specification, sections 7 and 9. */
  versionConflict: (about: { readonly id: string; readonly expected: number | bigint; readonly actual: number }) =>
    one(409, {
      code: 'ConcurrentModification',
      message: `Object ${about.id} has a different version than expected. Expected: ${about.expected} - Actual: ${about.actual}.`,
      currentVersion: about.actual,
    }),

  /** `limit` in bytes. */
  contentTooLarge: (
    limit: number,
    message = `The request body is larger than the limit of ${limit} bytes. Send a smaller one; --max-body sets the limit of JSON bodies, that of images is fixed.`,
  ) => one(413, { code: 'ContentTooLarge', message, limit }),

  /** 408: the rest of a request did not come in time. */
  requestTimeout: () =>
    one(408, {
      code: 'InvalidInput',
      message: 'The request did not come in whole in time. Send it again, without pausing.',
    }),

  /** 417 (RFC 9110, section 10.1.1). */
  expectationFailed: (expectation: string) =>
    one(417, {
      code: 'InvalidInput',
      message: `The header Expect: ${expectation} cannot be met. Send 100-continue, or leave it out.`,
      field: 'Expect',
      invalidValue: expectation,
      allowedValues: ['100-continue'],
    }),

  /** 431 (RFC 6585, section 5). */
  headersTooLarge: () =>
    one(431, {
      code: 'InvalidInput',
      message: 'The request line and headers are larger than 16 KiB in all. Send fewer or shorter ones.',
    }),

  /** 429 (RFC 6585, section 4); `retryAfter` in seconds. */
  tooManyRequests: (limit: number, retryAfter: number) =>
    one(
      429,
      {
        code: 'TooManyRequests',
        message: `More than ${limit} requests came too quickly. Try again in ${retryAfter} s.`,
      },
      { headers: { 'Retry-After': String(retryAfter) } },
    ),

  /** 501 (RFC 9110, section 15.6.2). */
  notImplemented: (message: string) => one(501, { code: 'NotImplemented', message }),

  badGateway: (message = 'The gateway got no valid answer from the service.') =>
    one(502, { code: 'BadGateway', message }),

  /** 504 (RFC 9110, section 15.6.5). */
  gatewayTimeout: (message: string) => one(504, { code: 'GatewayTimeout', message }),

  overCapacity: (message: string, headers: Readonly<Record<string, string>> = {}) =>
    one(503, { code: 'OverCapacity', message }, { headers }),

  /** 500: the answer that the mock was about to give breaks the contract. */
  contractViolation: (errors: readonly [ErrorItem, ...ErrorItem[]]) => new Problem({ status: 500, errors }),

  /** 500: a fault of the mock itself; what happened stands in the log, not here. */
  internal: () => one(500, { code: 'General', message: 'The mock itself failed on this request; its log says why.' }),
}

/** The code that Node gives an error of the system, such as `ENOENT`; undefined if it has none. */
export const findErrorCode = (fault: unknown): string | undefined =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
