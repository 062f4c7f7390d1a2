import { calledOperations, endpoints, isCalledOperation, TOKEN_OPERATION } from '../../service/contract/endpoints.ts'
import type { Endpoint } from '../../service/contract/endpoint.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import { isOfKind } from '../../service/contract/operation-kinds.ts'
import type { OperationKind } from '../../service/contract/operation-kinds.ts'
import { SetupError } from '../../errors.ts'
import type { ScenarioDefinition } from '../../service/scenarios/schema.ts'
import { didYouMean } from '../../util/did-you-mean.ts'

type FailureRule = ScenarioDefinition['rules'][number]

/** A way in which an operation can fail. */
interface FailureEntry {
  readonly summary: string
  readonly applies: (endpoint: Endpoint) => boolean
  /** Whether token requests can fail like that, too. */
  readonly appliesToToken?: true
  readonly effect: FailureRule['effect']
  /** Later calls fail, too: a retry cannot help. */
  readonly lasts?: true
}

const isAny = (): boolean => true
const isSome =
  (...kinds: readonly OperationKind[]) =>
  (endpoint: Endpoint): boolean =>
    kinds.some((kind) => isOfKind(endpoint, kind))

/** The service refuses a request, or a gateway does so before it arrives. */
const refuse = (status: number, code: string, message: string, more: object = {}): FailureRule['effect'] => ({
  answer: { status, error: { code, message, ...more } },
})
const refuseEarly = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  ({ answer: { status, stage: 'gateway', headers, error: { code, message } } }) as const
const later = { 'Retry-After': '1' }

const FORMATS = ['image/jpeg', 'image/png', 'image/gif']
const WRONG_FORMAT = `Content-Type of the image is not supported here. Send one of: ${FORMATS.join(', ')}.`
const TOO_LARGE = 'The request body is larger than the limit of 10485760 bytes. Send a smaller one.'

const entries = {
  conflict: {
    summary: 'another writer updates first: 409 with the current version',
    applies: ({ responses }) => 409 in responses,
    effect: { advanceVersion: 1 },
  },
  'expired-token': { summary: 'the token has expired: 401', applies: isAny, effect: { expireToken: true } },
  'missing-scope': {
    summary: 'the token lacks the scope: 403',
    applies: ({ scopes }) => scopes !== 'anyToken',
    effect: { dropScopes: ['*'] },
    lasts: true,
  },
  'not-found': {
    summary: 'the resource is gone: 404',
    applies: isSome('byId', 'byKey'),
    effect: { hideResources: true },
    lasts: true,
  },
  'upload-rejected': {
    summary: 'the image has the wrong format: 415',
    applies: isSome('uploads'),
    effect: refuse(415, 'InvalidInput', WRONG_FORMAT, { field: 'Content-Type', allowedValues: FORMATS }),
    lasts: true,
  },
  'upload-too-large': {
    summary: 'the image is too large: 413',
    applies: isSome('uploads'),
    effect: refuse(413, 'ContentTooLarge', TOO_LARGE, { limit: 10_485_760 }),
    lasts: true,
  },
  'login-rejected': {
    summary: 'the client or its secret is wrong: 400 invalid_client',
    applies: () => false,
    appliesToToken: true,
    effect: refuse(400, 'invalid_client', 'The client is unknown, or its secret is wrong.'),
    lasts: true,
  },
  'rate-limited': {
    summary: 'too many requests: 429 with Retry-After: 1',
    applies: isAny,
    appliesToToken: true,
    effect: refuseEarly(429, 'TooManyRequests', 'Too many requests. Try again in 1 s.', later),
  },
  unavailable: {
    summary: 'the service is down: 503 with Retry-After: 1',
    applies: isAny,
    appliesToToken: true,
    effect: refuseEarly(503, 'OverCapacity', 'The service is unavailable. Try again in 1 s.', later),
  },
  error: {
    summary: 'the service has an error: 500',
    applies: isAny,
    appliesToToken: true,
    effect: refuseEarly(500, 'General', 'Something went wrong.'),
  },
  slow: {
    summary: 'the response takes three seconds longer',
    applies: isAny,
    appliesToToken: true,
    effect: { delay: { fixedDelayMilliseconds: 3000 } },
  },
  'reset-before': {
    summary: 'the connection is reset before the operation',
    applies: isAny,
    appliesToToken: true,
    effect: { fault: 'CONNECTION_RESET_BEFORE_OPERATION' },
  },
  'reset-after': {
    summary: 'the connection is reset after the operation took effect',
    applies: isSome('writes'),
    effect: { fault: 'CONNECTION_RESET_AFTER_OPERATION' },
  },
  truncated: {
    summary: 'the response breaks off',
    applies: ({ method }) => method === 'GET',
    appliesToToken: true,
    effect: { fault: 'TRUNCATED_BODY' },
  },
  empty: {
    summary: 'nothing is found',
    applies: isSome('lists'),
    effect: { hideResources: true },
    lasts: true,
  },
} as const satisfies Readonly<Record<string, FailureEntry>>

/** The name of a failure, such as `conflict`. */
export type FailureName = keyof typeof entries

export const failures: Readonly<Record<FailureName, FailureEntry>> = entries
// Object.keys() loses the key type.
export const failureNames = Object.keys(entries) as readonly FailureName[]

/** A cell of the matrix: `updateResource:conflict`. */
export interface CellName {
  readonly operation: CalledOperation
  readonly failure: FailureName
}

/** The names of the failures that the contract allows for an operation. */
export const failureNamesOf = (operation: CalledOperation): readonly FailureName[] =>
  failureNames.filter((name) =>
    operation === TOKEN_OPERATION
      ? failures[name].appliesToToken === true
      : failures[name].applies(endpoints[operation]),
  )

/** The name of the scenario that causes a failure. It differs from those of the built-in scenarios, which a test may use. */
export const toScenarioName = (failure: FailureName): string => `failure-${failure}`

/** The name of the scenario of a control run. */
export const CONTROL = 'failure-control'

/**
 * The scenario that makes one call of an operation fail, and all later ones if a retry cannot help.
 *
 * @param call which call fails: 1 for the first
 */
export function toFailureScenario(
  operation: CalledOperation,
  failure: FailureName,
  call = 1,
): ScenarioDefinition & { readonly name: string } {
  const { effect, lasts } = failures[failure]
  // Without its optional version, a delete cannot conflict.
  const isVersioned = failure === 'conflict' && operation !== TOKEN_OPERATION && 'version' in endpoints[operation].query
  const query = isVersioned ? { query: { version: '*' } } : {}
  return {
    name: toScenarioName(failure),
    description: failures[failure].summary,
    rules: [{ match: { operation, ...query }, after: call - 1, ...(lasts === true ? {} : { times: 1 }), effect }],
  }
}

/** What makes the response to an operation useless for good, so that a test that checks what the app does with it must fail. */
function toControlEffect(operation: CalledOperation): FailureRule['effect'] {
  if (operation === TOKEN_OPERATION) return failures['login-rejected'].effect
  const { method } = endpoints[operation]
  if (method === 'HEAD') return { hideResources: true }
  // Not an error, after which an app may fall back to earlier data.
  if (method === 'GET') return { answer: { status: 200, body: {} } }
  return refuse(400, 'InvalidInput', 'The request was refused to see whether the test notices.')
}

/**
 * The scenario that shows whether a test looks at an operation at all.
 *
 * @param call the first call without a useful response: 1 for the first
 */
export const toControlScenario = (
  operation: CalledOperation,
  call = 1,
): ScenarioDefinition & { readonly name: string } => ({
  name: CONTROL,
  rules: [{ match: { operation }, after: call - 1, effect: toControlEffect(operation) }],
})

/** A failure of an operation, for `test.each`. */
export interface OperationFailure {
  /** Such as `conflict`. */
  readonly name: FailureName
  /** What happens, in a few words. */
  readonly summary: string
  /** Makes the first call of the operation fail, for `use` of a session. */
  readonly scenario: ScenarioDefinition
}

/**
 * Lists the failures that the contract allows for an operation.
 *
 * @throws {SetupError} for an unknown operation ("did you mean").
 * @example
 * test.each(failuresOf('updateResource'))('keeps the input: $name', async ({ scenario }) => {
 *   await session.use(scenario)
 *   // … save, and check what the user sees …
 * })
 */
export function failuresOf(operation: CalledOperation): readonly OperationFailure[] {
  if (!isCalledOperation(operation)) {
    throw new SetupError(
      `Unknown operation ${JSON.stringify(operation)}.${didYouMean(operation, calledOperations)} Use one of ${calledOperations.join(', ')}.`,
    )
  }
  return failureNamesOf(operation).map((name) => ({
    name,
    summary: failures[name].summary,
    scenario: toFailureScenario(operation, name),
  }))
}
