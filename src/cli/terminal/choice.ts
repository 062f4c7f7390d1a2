import { didYouMean } from '../../util/did-you-mean.ts'

/** What was typed where scenarios are asked for. */
export type Choice =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'chosen'; readonly names: readonly string[] }
  | { readonly kind: 'unclear'; readonly sentence: string }

/** The names that a number, a name or a part of a name may mean. */
export function findMeant(part: string, names: readonly string[]): readonly string[] {
  const numbered = /^\d+$/.test(part) ? names[Number(part) - 1] : undefined
  if (numbered !== undefined) return [numbered]
  if (names.includes(part)) return [part]
  return names.filter((name) => name.toLowerCase().includes(part.toLowerCase()))
}

const isNone = (part: string | undefined): boolean => part === '0' || part === 'none'

/** Numbers, names or parts of names, in the order in which they stack; `0` and `none` are no scenario at all. */
export const toParts = (typed: string): readonly string[] => typed.split(/[\s,]+/).filter((part) => part !== '')

/** Reads what was typed. */
export function parseChoice(typed: string, names: readonly string[]): Choice {
  const parts = toParts(typed)
  if (parts.length === 0) return { kind: 'unchanged' }
  if (parts.length === 1 && isNone(parts[0])) return { kind: 'chosen', names: [] }
  const chosen: string[] = []
  for (const part of parts) {
    const [name, ...others] = findMeant(part, names)
    if (name === undefined) {
      return { kind: 'unclear', sentence: `No scenario is called ${JSON.stringify(part)}.${didYouMean(part, names)}` }
    }
    if (others.length > 0) {
      const sentence = `${JSON.stringify(part)} may be ${[name, ...others].join(', ')}. Type more of it, or its number.`
      return { kind: 'unclear', sentence }
    }
    chosen.push(name)
  }
  return { kind: 'chosen', names: chosen }
}
