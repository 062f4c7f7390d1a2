import { actions, elsewhere } from './checks/actions.ts'
import type { Check } from './checks/common.ts'
import { reads } from './checks/reads.ts'
import { writes } from './checks/writes.ts'
import type { SubjectId } from './subjects.ts'

export type { Check } from './checks/common.ts'

/** Everything that `verify` asks of a provider, by subject and name. */
export const checks = { ...writes, ...reads, ...actions, ...elsewhere } as const satisfies Readonly<
  Record<SubjectId, Readonly<Record<string, Check>>>
>

/** A check of a subject: `updateResource/stale-version`. */
export type CheckId = { [Id in SubjectId]: `${Id}/${keyof (typeof checks)[Id] & string}` }[SubjectId]
/** The name of a check, whichever subjects have it. */
export type CheckName = { [Id in SubjectId]: keyof (typeof checks)[Id] & string }[SubjectId]
