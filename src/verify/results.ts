import { checks } from './checks.ts'
import type { Check, CheckName } from './checks.ts'
import type { CheckReport, Fault, CheckOutcome, SubjectReport } from './report.ts'
import { describeSubject } from './subjects.ts'
import type { SubjectId } from './subjects.ts'

/** Where the examination of a subject puts down what it finds. */
export interface Results<Name extends string> {
  /** A check was tried: with faults it failed. May be called several times a check. */
  add(name: Name, faults: readonly Fault[]): void
  /** A check cannot be tried; what was found of it all the same counts more. */
  skip(name: Name, reason: string): void
  /** A sentence about what is not a fault; said twice it is told once. */
  note(sentence: string): void
}

/** Results that can be told. */
export interface OpenResults<Id extends SubjectId> extends Results<CheckName<Id>> {
  /** `otherwise` is why checks that were never reached were not tried. */
  toReport(otherwise: string, milliseconds: number): SubjectReport
}

/** Creates the empty results of one subject. */
export function createResults<Id extends SubjectId>(subject: Id): OpenResults<Id> {
  const found = new Map<string, Fault[]>()
  const reasons = new Map<string, string>()
  const notes = new Set<string>()
  const { section: usualSection, decision: usualDecision, ...about } = describeSubject(subject)

  function toOutcome(name: string, otherwise: string): CheckOutcome {
    const faults = found.get(name)
    if (faults === undefined) return { kind: 'untried', reason: reasons.get(name) ?? otherwise }
    return faults.length === 0 ? { kind: 'held' } : { kind: 'failed', faults }
  }

  return {
    add(name, faults) {
      found.set(name, [...(found.get(name) ?? []), ...faults])
    },
    skip: (name, reason) => void reasons.set(name, reason),
    note: (sentence) => void notes.add(sentence),
    toReport: (otherwise, milliseconds) => ({
      subject,
      ...about,
      checks: Object.entries<Check>(checks[subject]).map(
        ([name, { says, section = usualSection, decision = usualDecision }]): CheckReport => ({
          id: `${subject}/${name}`,
          says,
          section,
          ...(decision === undefined ? {} : { decision }),
          outcome: toOutcome(name, otherwise),
        }),
      ),
      notes: [...notes],
      milliseconds,
    }),
  }
}
