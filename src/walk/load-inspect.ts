import type { Inspect } from './inspect.ts'
import type { FaultParts } from './respond.ts'

/** Loaded by whoever wants it: a start without it is not to be slower. */
export async function loadInspect(parts: FaultParts): Promise<Inspect> {
  const { createInspect } = await import('./inspect.ts')
  return createInspect(parts)
}
