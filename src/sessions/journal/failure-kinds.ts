/** What the status of a failure says about it. */
export interface FailureKind {
  readonly kind: string
  /** Undefined if there is nothing to correct. */
  readonly remedy?: string
  /** Whether a client should send the request again: changed, with a new token, or later. */
  readonly isRetryable: boolean
}

/** The kinds of failures by status; 0 is a broken connection. */
const FAILURE_KINDS: Readonly<Record<number, FailureKind>> = {
  0: { kind: 'broken-connection', remedy: 'Retry if it is safe to repeat the request.', isRetryable: true },
  400: {
    kind: 'invalid-request',
    remedy: 'Correct the request as described in the message. Do not send it again unchanged.',
    isRetryable: false,
  },
  401: {
    kind: 'rejected-token',
    remedy: 'Get a new token from POST /oauth/token, and send the request again once.',
    isRetryable: true,
  },
  403: { kind: 'missing-scope', remedy: 'Use a token with the scope named in the message.', isRetryable: false },
  404: { kind: 'not-found', isRetryable: false },
  409: {
    kind: 'conflict',
    remedy: 'Read the resource, reapply the change, and send it with the version just read.',
    isRetryable: true,
  },
  412: {
    kind: 'precondition-failed',
    remedy: 'Read the resource, and send the request with its current ETag.',
    isRetryable: true,
  },
  413: { kind: 'too-large', remedy: 'Send a smaller body.', isRetryable: false },
  415: {
    kind: 'unsupported-type',
    remedy: 'Send the Content-Type documented for the operation.',
    isRetryable: false,
  },
  429: { kind: 'rate-limit', remedy: 'Wait as long as Retry-After says, then retry.', isRetryable: true },
  502: { kind: 'unavailable', remedy: 'Wait, then retry a limited number of times.', isRetryable: true },
  503: {
    kind: 'unavailable',
    remedy: 'Wait as long as Retry-After says, then retry a limited number of times.',
    isRetryable: true,
  },
  504: { kind: 'unavailable', remedy: 'Wait, then retry a limited number of times.', isRetryable: true },
}

/** The kind of a failure by its status. */
export const findFailureKind = (status: number): FailureKind =>
  FAILURE_KINDS[status] ??
  (status >= 500
    ? { kind: 'server-error', remedy: 'Retry a limited number of times.', isRetryable: false }
    : { kind: 'refused', isRetryable: false })

/** Instead of the name of a fault: the client left before the response. */
export const CLIENT_DISCONNECTED = 'CLIENT_DISCONNECTED'

/** Whether a response is a failure: an error, or a broken connection, unless the client left. */
export const isFailed = ({
  status,
  fault,
}: {
  readonly status: number
  readonly fault?: string | undefined
}): boolean => status >= 400 || (status === 0 && fault !== CLIENT_DISCONNECTED)
