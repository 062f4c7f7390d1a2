import type { Fault } from './report.ts'

/** What ends an examination early: a reason, and the fault where the provider is to blame. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly fault: Fault | undefined

  constructor(reason: string, fault?: Fault) {
    super(reason)
    this.fault = fault
  }
}
