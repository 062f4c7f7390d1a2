/** Kinds of failures, by what the user can do about them. */
export type FailureKind =
  | 'offline'
  | 'broken'
  | 'signed-out'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'refused'
  | 'too-large'
  | 'wrong-format'
  | 'rate-limited'
  | 'unavailable'
  | 'fault'

const kinds: Readonly<Record<number, FailureKind>> = {
  400: 'refused',
  401: 'signed-out',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  413: 'too-large',
  415: 'wrong-format',
  429: 'rate-limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

interface FailureParts {
  readonly kind: FailureKind
  /** The service's message, for users who can make use of it. */
  readonly detail: string
  /** The service's id of the exchange: users can quote it when they ask for help. */
  readonly reference?: string | undefined
  readonly cause?: unknown
}

/** A call that failed. */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly reference: string | undefined

  constructor({ kind, detail, reference, cause }: FailureParts) {
    super(detail, { cause })
    this.name = 'Failure'
    this.kind = kind
    this.reference = reference
  }
}

/** Whether it is a failure, and of one of these kinds if any are given. */
export const isFailure = (fault: unknown, ...only: readonly FailureKind[]): fault is Failure =>
  fault instanceof Failure && (only.length === 0 || only.includes(fault.kind))

/** Whether a call was aborted because its result is no longer needed. */
export const isAbort = (fault: unknown): boolean => fault instanceof DOMException && fault.name === 'AbortError'

/** The failure that an error response describes. */
export async function toFailure(response: Response): Promise<Failure> {
  const { status, statusText, headers } = response
  // Anything between shop and service may respond too, and not in JSON.
  const body: { readonly message?: unknown } = await response.json().catch(() => ({}))
  return new Failure({
    kind: kinds[status] ?? 'fault',
    detail: typeof body.message === 'string' ? body.message : `${status} ${statusText}`,
    reference: headers.get('X-Correlation-ID') ?? undefined,
  })
}
