/** What can go wrong, by what a person can do about it. */
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
  503: 'unavailable',
}

interface FailureParts {
  readonly kind: FailureKind
  /** What the service said, for those who can use it. */
  readonly detail: string
  /** What the service calls the exchange: a person can name it when they ask for help. */
  readonly reference?: string | undefined
  readonly cause?: unknown
}

/** A call that did not end well. */
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

/** Whether it is a failure, of one of these kinds if any are named. */
export const isFailure = (fault: unknown, ...only: readonly FailureKind[]): fault is Failure =>
  fault instanceof Failure && (only.length === 0 || only.includes(fault.kind))

/** Whether a call was given up because nobody waits for it any more. */
export const isAbort = (fault: unknown): boolean => fault instanceof DOMException && fault.name === 'AbortError'

/** The failure that an answer with an error status tells of. */
export async function toFailure(response: Response): Promise<Failure> {
  const { status, statusText, headers } = response
  // Whatever stands between shop and service may answer too, and not in JSON.
  const body: { readonly message?: unknown } = await response.json().catch(() => ({}))
  return new Failure({
    kind: kinds[status] ?? 'fault',
    detail: typeof body.message === 'string' ? body.message : `${status} ${statusText}`,
    reference: headers.get('X-Correlation-ID') ?? undefined,
  })
}
