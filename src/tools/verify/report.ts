import type { SubjectId } from './subjects.ts'

/** A request as reported, without credentials. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** An answer as reported. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A difference between the answers of the mock and of the service. */
export interface Mismatch {
  /** The name of the conversation. */
  readonly conversation: string
  readonly operation: SubjectId
  /** The request, what both answer, and what the mock's answer rests on. */
  readonly sentence: string
  /** A path into the JSON body, `status`, `body`, `connection`, or the name of a header. */
  readonly at: string
  readonly request: RecordedRequest
  /** The requests that must be sent before it. */
  readonly before: readonly RecordedRequest[]
  readonly mock: RecordedAnswer
  readonly service: RecordedAnswer
  /** Whether the service contradicts the specification, or only a decision of this project. */
  readonly kind: 'violation' | 'difference'
  /** The section that a violation contradicts, or several: `4.1`, `2, 4.15`. */
  readonly section?: string
  /** The decision that a difference rests on; `Errors` for those on errors. */
  readonly decision?: string
  /** The number of other differences with the same cause. */
  readonly also: number
  /** The title of the test that sent the request. */
  readonly test?: string
}

/** The outcome of the conversations with one name. */
export interface ConversationReport {
  readonly name: string
  /** The number of requests whose answers were compared, and of those that contradict the specification. */
  readonly compared: number
  readonly otherwise: number
  /** Why some requests were not compared. */
  readonly reasons: readonly string[]
}

/** The cause of most violations. */
export interface FixFirst {
  /** `createResource answers 200, not 201 (52 violations)` */
  readonly sentence: string
  /** The sentence of a mismatch with this cause. */
  readonly example?: string
  /** The names of the conversations with violations of this cause. */
  readonly failed: readonly string[]
}

/** The names of conversations whose outcome differs from that of an earlier report. */
export interface ReportChanges {
  /** Alike now, and not before. */
  readonly better: readonly string[]
  /** Alike before, and not now. */
  readonly worse: readonly string[]
}

/** The requests of tests that were sent again. */
export interface ReplayReport {
  readonly requests: number
  readonly tests: number
  readonly alike: number
  readonly otherwise: number
  readonly leftOut: readonly { readonly why: string; readonly count: number }[]
}

/** The result of verifying a service. */
export interface VerifyReport {
  readonly url: string
  readonly project: string
  readonly allowsWrites: boolean
  /** The seed of the generated requests; undefined for a replay. */
  readonly seed?: number
  /** The number of requests to the service. */
  readonly requests: number
  readonly conversations: readonly ConversationReport[]
  readonly mismatches: readonly Mismatch[]
  /** Operations that the service does not have, with the status that it answers. */
  readonly notFound: readonly { readonly operation: SubjectId; readonly status: number }[]
  /** What the run found out about the service: that it is strict, or accepts any token, as a mock may. */
  readonly notes: readonly string[]
  /** One sentence for each written item that could not be removed. */
  readonly leftovers: readonly string[]
  /** What to fix first; undefined without violations. */
  readonly fixFirst?: FixFirst
  readonly replay?: ReplayReport
  /** The differences from an earlier report, if there was one to compare with. */
  readonly since?: ReportChanges
  readonly isInterrupted: boolean
  readonly milliseconds: number
}

/** Whether no answer of a conversation contradicts the specification; undefined if none was compared. */
export const isAlike = ({ compared, otherwise }: ConversationReport): boolean | undefined =>
  compared === 0 ? undefined : otherwise === 0

/** The violations and the differences of a report. */
export const split = ({ mismatches }: Pick<VerifyReport, 'mismatches'>) => ({
  violations: mismatches.filter(({ kind }) => kind === 'violation'),
  differences: mismatches.filter(({ kind }) => kind === 'difference'),
})

/** What the differences of a report mean. */
export const DIFFERENCES =
  'Where the mock differs from your service: tests that rely on it may pass here and fail there'

/** `3 requests`, `1 request` */
export const countOf = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`

/** `a, b and 3 more` */
export function listNames(names: readonly string[], most = names.length): string {
  const shown = names.length <= most ? names : [...names.slice(0, most - 1), `${names.length - most + 1} more`]
  return shown.join(', ').replace(/, ([^,]+)$/, ' and $1')
}
