import { checks } from './checks.ts'
import type { Check, CheckName } from './checks.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Cleanup } from './cleanup.ts'
import type { ProviderTokens } from './credentials.ts'
import type { Provider, ProviderAnswer, Sending } from './provider.ts'
import type { CheckOutcome, CheckReport, Finding, SubjectReport } from './report.ts'
import type { OwnSamples, Resources, Sample } from './resources.ts'
import { describeSubject } from './subjects.ts'
import type { SubjectId } from './subjects.ts'

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
  /** Whether the provider refuses what others only warn of (D2, D4, D9); undefined where nothing may be written. */
  readonly isStrict: boolean | undefined
  /** Resources to read, at most three: created in this order, or found where nothing may be written. */
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

/** The examination of one subject: what it may use, and where it records what it finds. */
export interface Examination extends VerifyContext {
  /** A check was tried: with findings it failed. May be called several times; ignored if the subject has no such check. */
  add(name: CheckName, findings: readonly Finding[]): void
  /** As {@link add}, for what every answer must be: of the findings at one place, the first one alone is recorded. */
  addFirst(name: CheckName, findings: readonly Finding[]): void
  /** A check cannot be tried; findings or none that were added to it count more. */
  skip(name: CheckName, reason: string): void
  /** A sentence about what is not a finding; repetitions are dropped. */
  note(sentence: string): void
}

/** The examination of an operation. */
export interface OperationExamination extends Examination {
  readonly operation: OperationId
  /** Sends a request to the operation; fails as {@link Provider.send} does. */
  send(sending?: Sending): Promise<ProviderAnswer>
}

/** Where the examination of a subject records what it finds. */
interface Results extends Pick<Examination, 'add' | 'addFirst' | 'skip' | 'note'> {
  /** `otherwise` is why checks that were never reached were not tried. */
  toReport(otherwise: string, milliseconds: number): SubjectReport
}

/** Creates the empty results of one subject. */
export function createResults(subject: SubjectId): Results {
  const { section: usualSection, decision: usualDecision, ...about } = describeSubject(subject)
  const known = Object.entries<Check>(checks[subject])
  const found = new Map<string, Finding[]>(known.map(([name]) => [name, []]))
  const tried = new Set<string>()
  const reasons = new Map<string, string>()
  const notes = new Set<string>()

  function toOutcome(name: string, otherwise: string): CheckOutcome {
    const findings = found.get(name) ?? []
    if (!tried.has(name)) return { kind: 'untried', reason: reasons.get(name) ?? otherwise }
    return findings.length === 0 ? { kind: 'held' } : { kind: 'failed', faults: findings }
  }

  function add(name: CheckName, findings: readonly Finding[]): void {
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
      checks: known.map(([name, { says, section = usualSection, decision = usualDecision }]): CheckReport => ({
        id: `${subject}/${name}`,
        says,
        section,
        ...(decision === undefined ? {} : { decision }),
        outcome: toOutcome(name, otherwise),
      })),
      notes: [...notes],
      milliseconds,
    }),
  }
}
