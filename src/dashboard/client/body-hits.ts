import { compileBodyFilter, hasBodyTerm } from '../filter-terms.ts'
import type { ServeEvent } from '../row.ts'
import { readFilter } from './filter-form.ts'

/** Which requests have the bodies that the filter asks for. The rows have no bodies, so the mock is asked. */
export interface BodyHits {
  has(id: string): boolean
  /** The filter was changed. */
  refilter(): void
  /** A request arrived. */
  hear(event: ServeEvent): void
  /** Takes over what the mock has found, for a list with these further requests. */
  load(found: readonly string[] | undefined, meanwhile: readonly { readonly id: string }[]): void
}

/** How long to wait for the next key before the mock is asked, in milliseconds. */
const TYPING = 200

/**
 * Keeps the hits of the filter.
 *
 * @param reload loads the list again, and with it the hits
 */
export function createBodyHits(filter: HTMLFormElement, reload: () => void): BodyHits {
  const readText = (): string => readFilter(filter).text
  /** Undefined if the filter says nothing of bodies. */
  let hits: Set<string> | undefined
  let asking: ReturnType<typeof setTimeout> | undefined
  return {
    has: (id) => hits?.has(id) ?? true,
    refilter() {
      clearTimeout(asking)
      if (hasBodyTerm(readText())) asking = setTimeout(reload, TYPING)
      else hits = undefined
    },
    hear({ id, request, response }) {
      if (compileBodyFilter(readText())([request.body, response.body])) hits?.add(id)
    },
    load(found, meanwhile) {
      const kept = meanwhile.filter(({ id }) => hits?.has(id) === true)
      hits = found && new Set([...found, ...kept.map(({ id }) => id)])
    },
  }
}
