import type { DecisionId } from '../../service/contract/decisions.ts'
import { decisions } from '../../service/contract/decisions.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import type { Cleanup } from './cleanup.ts'
import type { ProviderTokens } from './credentials.ts'
import type { Provider, ProviderAnswer, Sending } from './provider.ts'
import { findOwnBlocker } from './fix-first.ts'
import { toGoal } from './report.ts'
import type { CheckOutcome, CheckReport, Finding, SubjectReport } from './report.ts'
import type { OwnSamples, Resources, Sample } from './resources.ts'
import { describeSubject } from './subjects.ts'
import type { SubjectId } from './subjects.ts'
import { Stop } from './transport.ts'

/** The findings of a check; empty if it passes. */
export type Findings = readonly Finding[]

/** The source of a requirement: a section of the specification, if it differs from the subject's, and a decision. */
export type Basis = '' | DecisionId | `spec ${string}`

/** One requirement for a subject. */
export interface Check<Context> {
  /**
   * Completes a sentence that starts with the subject's name: `returns the documented status`. Describes exactly what is
   * tried.
   */
  readonly says: string
  readonly basis: Basis
  /**
   * Undefined if every response is checked for it.
   *
   * @throws {Stop} with the reason why it cannot be tried.
   */
  readonly try: ((context: Context) => Findings | Promise<Findings>) | undefined
}

/**
 * Creates a check.
 *
 * @example check('accepts JPEG, PNG and GIF', 'spec 8', ({ answers }) => answers.flatMap((one) => compareStatus(one, 200)))
 */
export const check = <Context>(says: string, basis: Basis = '', attempt?: Check<Context>['try']): Check<Context> => ({
  says,
  basis,
  try: attempt,
})

/** The reason why checks that depend on an earlier response of their operation were not tried. */
export const UNEXPECTED = 'it depends on a response that was not as expected'

/** The state that the checks of all subjects share. */
export interface VerifyContext {
  readonly provider: Provider
  readonly tokens: ProviderTokens
  readonly resources: Resources
  readonly cleanup: Cleanup
  readonly project: string
  /** Another project, which is only read. */
  readonly otherProject: string
  readonly allowsWrites: boolean
  /** Whether the provider rejects what others only warn about (D2, D4, D9); undefined if writes are not allowed. */
  readonly isStrict: boolean | undefined
  /** Up to three resources to read: created in this order, or found if writes are not allowed. */
  readonly samples: readonly Sample[]
  /** The samples, if they were created for this run. */
  readonly own: OwnSamples | undefined
  /** Why the provider has no samples; undefined if it has some. */
  readonly sampleless: Stop | undefined
  /** The unique run id. */
  readonly run: string
  /** Makes an id that no resource has. */
  newId(): string
}

/** Everything the checks of one subject need: the shared state, and methods that record results. */
export type SubjectContext = VerifyContext & ReturnType<typeof createResults>

/** Everything the checks of an operation need. */
export interface OperationContext extends SubjectContext {
  readonly operation: OperationId
  /** Sends a request to the operation; throws as {@link Provider.send} does. */
  send(sending?: Sending): Promise<ProviderAnswer>
}

/** The checks of one subject. */
export interface Subject<Context, Name extends string> {
  readonly checks: Readonly<Record<Name, Omit<Check<never>, 'try'>>>
  /**
   * Runs all checks in order.
   *
   * @throws {Stop} when the provider does not respond.
   */
  run(context: Context): Promise<void>
}

/**
 * Defines a subject by its checks.
 *
 * @param prepare creates what the checks share: a resource, or responses that several of them read
 */
export const defineSubject =
  <Context extends SubjectContext, Own>(prepare: (context: Context) => Own | Promise<Own>) =>
  <Checks extends Readonly<Record<string, Check<Context & Own>>>>(
    checks: Checks,
  ): Subject<Context, keyof Checks & string> => ({
    checks,
    async run(context) {
      const own = { ...context, ...(await prepare(context)) }
      for (const [name, { try: attempt }] of Object.entries(checks)) {
        if (attempt === undefined) continue
        try {
          context.add(name, await attempt(own))
        } catch (error) {
          if (!(error instanceof Stop) || error.finding !== undefined) throw error
          context.skip(name, error)
        }
      }
    },
  })

const isDecision = (name: string): name is DecisionId => Object.hasOwn(decisions, name)

/** Extracts the decision of a basis: `D21` from `spec 8, D21`. */
const findDecision = (basis: Basis): DecisionId | undefined => basis.split(', ').find(isDecision)

/** Records the results of one subject. */
export function createResults(subject: SubjectId, checks: Readonly<Record<string, Omit<Check<never>, 'try'>>>) {
  const { section: usualSection, decision: usualDecision, ...about } = describeSubject(subject)
  const known = Object.entries(checks)
  const found = new Map<string, Finding[]>(known.map(([name]) => [name, []]))
  const tried = new Set<string>()
  const reasons = new Map<string, Stop>()
  const notes = new Set<string>()

  /** The section and decision of a check, which default to those of its subject. */
  function toBasis(basis: Basis): Pick<CheckReport, 'section' | 'decision'> {
    const section = /^spec ([\d.]+)/.exec(basis)?.[1] ?? usualSection
    const decision = findDecision(basis) ?? usualDecision
    return { section, ...(decision === undefined ? {} : { decision }) }
  }

  /** The reason why a check was not reached: its operation's own response, or else `otherwise`. */
  function toMissed(otherwise: Stop): Stop {
    const blocker = findOwnBlocker(subject, [...found.values()].flat())
    return blocker === undefined ? otherwise : new Stop(`waits for: ${toGoal(blocker)}`, { blocker })
  }

  function toOutcome(name: string, missed: Stop): CheckOutcome {
    const findings = found.get(name) ?? []
    if (tried.has(name)) return findings.length === 0 ? { kind: 'held' } : { kind: 'failed', faults: findings }
    const known = reasons.get(name)
    const { message, blocker } = known === undefined || known.message === UNEXPECTED ? missed : known
    return { kind: 'untried', reason: message, ...(blocker === undefined ? {} : { waitsFor: blocker }) }
  }

  /** Records that a check was tried; it fails if there are findings. May be called repeatedly; ignored for unknown checks. */
  function add(name: string, findings: readonly Finding[]): void {
    found.get(name)?.push(...findings)
    tried.add(name)
  }

  return {
    add,
    /** Like `add`, for requirements on every response: keeps only the first finding per position. */
    addFirst(name: string, findings: readonly Finding[]): void {
      const known = found.get(name) ?? []
      add(
        name,
        findings.filter(({ at }) => !known.some((one) => one.at === at)),
      )
    },
    /** Records why a check cannot be tried. Results recorded with `add` take precedence. */
    skip: (name: string, reason: Stop): void => void reasons.set(name, reason),
    /** Adds a remark that is not a finding; duplicates are dropped. */
    note: (sentence: string): void => void notes.add(sentence),
    /** `otherwise` is the reason for checks that were never reached. */
    toReport(otherwise: Stop, milliseconds: number): SubjectReport {
      const missed = toMissed(otherwise)
      return {
        subject,
        ...about,
        checks: known.map(([name, { says, basis }]): CheckReport => ({
          id: `${subject}/${name}`,
          says,
          ...toBasis(basis),
          outcome: toOutcome(name, missed),
        })),
        notes: [...notes],
        milliseconds,
      }
    },
  }
}
