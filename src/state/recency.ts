/**
 * Which resource was written last (D15), in constant time: a stack of ids whose topmost one that still exists is the answer.
 */
export interface Recency {
  /** Oldest first; an id may stand in it several times, and may be gone. */
  readonly stack: string[]
}

/** Past this many entries a resource the stack is made small again. */
const SLACK = 2

export const createRecency = (ids: Iterable<string>): Recency => ({ stack: [...ids] })

/** Notes that `id` was written just now. */
export function noteWrite({ stack }: Recency, id: string, exists: (id: string) => boolean, count: number): void {
  if (stack.at(-1) !== id) stack.push(id)
  if (stack.length <= SLACK * count + 64) return
  const latest = new Set<string>()
  for (const one of stack.toReversed()) if (exists(one)) latest.add(one)
  // One by one: a call takes only so many arguments.
  stack.length = 0
  for (const one of [...latest].toReversed()) stack.push(one)
}

/** The id written last of those that still exist; what is gone leaves the stack for good. */
export function findLatest({ stack }: Recency, exists: (id: string) => boolean): string | undefined {
  for (;;) {
    const top = stack.at(-1)
    if (top === undefined || exists(top)) return top
    stack.pop()
  }
}
