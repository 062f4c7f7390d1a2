import type { DecisionId } from '../contract/decisions.ts'
import { decisions } from '../contract/decisions.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Cleanup } from './cleanup.ts'
import type { ProviderTokens } from './credentials.ts'
import type { Provider, ProviderAnswer, Sending } from './provider.ts'
import type { CheckOutcome, CheckReport, Finding, SubjectReport } from './report.ts'
import type { OwnSamples, Resources, Sample } from './resources.ts'
import { describeSubject } from './subjects.ts'
import type { SubjectId } from './subjects.ts'
import { Stop } from './transport.ts'

/** What is wrong, nothing if a check holds. */
export type Findings = readonly Finding[]

/** What a check rests on: a section of the specification, if it is not the subject's own, and a decision. */
export type Basis = '' | DecisionId | `spec ${string}`

/** One thing that a subject must do. */
export interface Check<Exam> {
  /** Completes a sentence that starts with the subject's name: `answers the documented status`. It says exactly what is tried. */
  readonly says: string
  readonly basis: Basis
  /**
   * Absent if every answer is checked for it.
   *
   * @throws {Stop} with the reason why it cannot be tried.
   */
  readonly try: ((exam: Exam) => Findings | Promise<Findings>) | undefined
}

/**
 * Creates a check.
 *
 * @example check('takes JPEG, PNG and GIF', 'spec 8', ({ answers }) => answers.flatMap((one) => compareStatus(one, 200)))
 */
export const check = <Exam>(says: string, basis: Basis = '', attempt?: Check<Exam>['try']): Check<Exam> => ({
  says,
  basis,
  try: attempt,
})

/** Why checks are not tried that look at an answer. */
export const UNEXPECTED = 'an answer that it follows from was not as expected'

/** What the examinations of all subjects share. */
export interface VerifyContext {
  readonly provider: Provider
  readonly tokens: ProviderTokens
  readonly resources: Resources
  readonly cleanup: Cleanup
  readonly project: string
  /** Another project, which is only read. */
  readonly otherProject: string
  readonly allowsWrites: boolean
  /** Whether the provider refuses what others only warn of (D2, D4, D9); undefined if nothing may be written. */
  readonly isStrict: boolean | undefined
  /** Resources to read, at most three: created in this order, or found if nothing may be written. */
  readonly samples: readonly Sample[]
  /** The samples if they were created for this run. */
  readonly own: OwnSamples | undefined
  /** Why samples are missing. */
  readonly sampleless: string
  /** A word that nobody else uses. */
  readonly run: string
  /** An id that names nothing. */
  newId(): string
}

/** The examination of one subject: what it may use, and how it records what it finds. */
export interface Examination extends VerifyContext {
  /** A check was tried: with findings it failed. May be called several times; ignored if the subject has no such check. */
  add(name: string, findings: readonly Finding[]): void
  /** As {@link add}, for what every answer must be: of the findings at one place, the first one alone is recorded. */
  addFirst(name: string, findings: readonly Finding[]): void
  /** A check cannot be tried; findings or none that were added to it count more. */
  skip(name: string, reason: string): void
  /** A sentence about what is not a finding; repetitions are dropped. */
  note(sentence: string): void
}

/** The examination of an operation. */
export interface OperationExamination extends Examination {
  readonly operation: OperationId
  /** Sends a request to the operation; fails as {@link Provider.send} does. */
  send(sending?: Sending): Promise<ProviderAnswer>
}

/** What is checked of one subject. */
export interface Subject<Exam, Name extends string> {
  readonly checks: Readonly<Record<Name, Omit<Check<never>, 'try'>>>
  /**
   * Tries all checks, in their order.
   *
   * @throws {Stop} when the provider does not answer.
   */
  examine(exam: Exam): Promise<void>
}

/**
 * Defines a subject by its checks.
 *
 * @param prepare makes what the checks share: a resource of their own, answers that several of them look at
 */
export const defineSubject =
  <Exam extends Examination, Own>(prepare: (exam: Exam) => Own | Promise<Own>) =>
  <Checks extends Readonly<Record<string, Check<Exam & Own>>>>(
    checks: Checks,
  ): Subject<Exam, keyof Checks & string> => ({
    checks,
    async examine(exam) {
      const own = { ...exam, ...(await prepare(exam)) }
      for (const [name, { try: attempt }] of Object.entries(checks)) {
        if (attempt === undefined) {
          // Of no resource is there an answer to check.
          if (exam.samples.length === 0) exam.skip(name, exam.sampleless)
          continue
        }
        try {
          exam.add(name, await attempt(own))
        } catch (error) {
          if (!(error instanceof Stop) || error.finding !== undefined) throw error
          exam.skip(name, error.message)
        }
      }
    },
  })

/** Where the examination of a subject records what it finds. */
interface Results extends Pick<Examination, 'add' | 'addFirst' | 'skip' | 'note'> {
  /** `otherwise` is why checks that were never reached were not tried. */
  toReport(otherwise: string, milliseconds: number): SubjectReport
}

const isDecision = (name: string): name is DecisionId => Object.hasOwn(decisions, name)

/** The decision of a basis: `D21` of `spec 8, D21`. */
const findDecision = (basis: Basis): DecisionId | undefined => basis.split(', ').find(isDecision)

/** Creates the empty results of one subject. */
export function createResults(
  subject: SubjectId,
  checks: Readonly<Record<string, Omit<Check<never>, 'try'>>>,
): Results {
  const { section: usualSection, decision: usualDecision, ...about } = describeSubject(subject)
  const known = Object.entries(checks)
  const found = new Map<string, Finding[]>(known.map(([name]) => [name, []]))
  const tried = new Set<string>()
  const reasons = new Map<string, string>()
  const notes = new Set<string>()

  /** The section and the decision of a check: those of the subject unless it names its own. */
  function toBasis(basis: Basis): Pick<CheckReport, 'section' | 'decision'> {
    const section = /^spec ([\d.]+)/.exec(basis)?.[1] ?? usualSection
    const decision = findDecision(basis) ?? usualDecision
    return { section, ...(decision === undefined ? {} : { decision }) }
  }

  function toOutcome(name: string, otherwise: string): CheckOutcome {
    const findings = found.get(name) ?? []
    if (!tried.has(name)) return { kind: 'untried', reason: reasons.get(name) ?? otherwise }
    return findings.length === 0 ? { kind: 'held' } : { kind: 'failed', faults: findings }
  }

  function add(name: string, findings: readonly Finding[]): void {
    found.get(name)?.push(...findings)
    tried.add(name)
  }

  return {
    add,
    addFirst(name, findings) {
      const known = found.get(name) ?? []
      add(
        name,
        findings.filter(({ at }) => !known.some((one) => one.at === at)),
      )
    },
    skip: (name, reason) => void reasons.set(name, reason),
    note: (sentence) => void notes.add(sentence),
    toReport: (otherwise, milliseconds) => ({
      subject,
      ...about,
      checks: known.map(([name, { says, basis }]): CheckReport => ({
        id: `${subject}/${name}`,
        says,
        ...toBasis(basis),
        outcome: toOutcome(name, otherwise),
      })),
      notes: [...notes],
      milliseconds,
    }),
  }
}
