import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { checks } from './checks.ts'
import type { Check, CheckName } from './checks.ts'
import type { CheckReport, Fault, OperationReport, Outcome } from './report.ts'

/** Where the examiners of an operation put down what they find. */
export interface Bench<Name extends string> {
  /** A check was tried: with faults it failed. May be called several times a check. */
  hold(name: Name, faults: readonly Fault[]): void
  /** A check cannot be tried; what was found of it all the same counts more. */
  skip(name: Name, reason: string): void
  /** A sentence about what is no fault; said twice it is told once. */
  note(sentence: string): void
}

/** What ends the examination of an operation early: a reason, and the fault where the provider is to blame. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly fault: Fault | undefined

  constructor(reason: string, fault?: Fault) {
    super(reason)
    this.fault = fault
  }
}

/** A bench whose findings can be told. */
export interface OpenBench<Id extends OperationId> extends Bench<CheckName<Id>> {
  /** `otherwise` is why checks that nobody came to were not tried. */
  close(otherwise: string, milliseconds: number): OperationReport
}

/** Sets up the bench for one operation. */
export function createBench<Id extends OperationId>(operation: Id): OpenBench<Id> {
  const found = new Map<string, Fault[]>()
  const reasons = new Map<string, string>()
  const notes = new Set<string>()
  const { number, summary, method, path } = endpoints[operation]

  function toOutcome(name: string, otherwise: string): Outcome {
    const faults = found.get(name)
    if (faults === undefined) return { kind: 'untried', reason: reasons.get(name) ?? otherwise }
    return faults.length === 0 ? { kind: 'held' } : { kind: 'failed', faults }
  }

  return {
    hold(name, faults) {
      found.set(name, [...(found.get(name) ?? []), ...faults])
    },
    skip: (name, reason) => void reasons.set(name, reason),
    note: (sentence) => void notes.add(sentence),
    close: (otherwise, milliseconds) => ({
      operation,
      summary,
      method,
      path,
      checks: Object.entries<Check>(checks[operation]).map(([name, { says, section, decision }]): CheckReport => {
        const outcome = toOutcome(name, otherwise)
        const about = { id: `${operation}/${name}`, says, section: section ?? `4.${number}` }
        return { ...about, ...(decision === undefined ? {} : { decision }), outcome }
      }),
      notes: [...notes],
      milliseconds,
    }),
  }
}
