import * as z from 'zod'
import { isIntegral } from '../contract/numbers.ts'
import { isJsonObject } from '../http/json.ts'

/** One of Pact's matchers, as a file of version 4 has it. */
export type Matcher =
  | { readonly match: 'type'; readonly min?: number }
  | { readonly match: 'integer' | 'number' | 'equality' }
  | { readonly match: 'regex'; readonly regex: string }

/** Matchers by where they act: a path of a body, the name of a header. */
export type MatchingRules = Readonly<Record<string, { readonly combine: 'AND'; readonly matchers: readonly Matcher[] }>>

/** What stands for a body in a pact: an example, and how close to it another one has to be. */
export interface Likeness {
  readonly example: unknown
  readonly rules: MatchingRules
}

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'

export const toRule = (matcher: Matcher): MatchingRules[string] => ({ combine: 'AND', matchers: [matcher] })

/** One of these texts, and nothing else. */
const toChoice = (texts: readonly string[]): Matcher => ({
  match: 'regex',
  regex: `^(${[...new Set(texts)].map((text) => text.replaceAll(/[^\w]/g, '\\$&')).join('|')})$`,
})

/** `$.results[*].key`; a name that is no word stands in brackets. */
const toMemberPath = (path: string, name: string): string =>
  /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name.replaceAll(/['\\]/g, '\\$&')}']`

/** How close a value of a scalar's schema has to be. A number may come without decimals (749), which `decimal` refuses. */
function toScalarMatcher(schema: z.ZodType, value: unknown): Matcher {
  if (schema instanceof z.ZodISODateTime) return { match: 'regex', regex: DATE_TIME }
  if (schema instanceof z.ZodLiteral) return { match: 'equality' }
  if (schema instanceof z.ZodEnum) return toChoice(schema.options.map(String))
  const { type } = schema.meta() ?? {}
  if (type === 'integer') return { match: isIntegral(value) ? 'integer' : 'type' }
  return { match: type === 'number' ? 'number' : 'type' }
}

/** What is gathered on the way through a body. */
interface Gathering {
  readonly rules: Map<string, Matcher>
  /** Whether arrays may be empty where none of the examples is. */
  readonly mayBeEmpty: boolean
}

function likenObject(
  schema: z.ZodType,
  all: readonly Readonly<Record<string, unknown>>[],
  path: string,
  gathering: Gathering,
) {
  const [first = {}, ...others] = all
  // What one of many entries lacks, none of them has to have.
  const names = Object.keys(first).filter((name) => others.every((other) => Object.hasOwn(other, name)))
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((one) => one[name])
      return [name, liken(memberOf(schema, name), values, toMemberPath(path, name), gathering)]
    }),
  )
}

function memberOf(schema: z.ZodType, name: string): z.ZodType {
  // The shapes and the values of the contract's models are schemas of zod's classic kind.
  if (schema instanceof z.ZodObject) return (schema.shape as Record<string, z.ZodType>)[name] ?? z.unknown()
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : z.unknown()
}

/** Facets count what is found, of which a state may hold less. */
const isCount = (path: string): boolean => path.startsWith('$.facets.') || path.startsWith('$.facets[')

/** Each entry is like all of them together: an array of any length, but empty only where one of the examples is. */
function likenArray(schema: z.ZodType, all: readonly (readonly unknown[])[], path: string, gathering: Gathering) {
  const entries = all.flat()
  const mayBeEmpty = gathering.mayBeEmpty || isCount(path) || all.some((one) => one.length === 0)
  gathering.rules.set(path, { match: 'type', min: mayBeEmpty ? 0 : 1 })
  if (entries.length === 0) return []
  const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : z.unknown()
  return [liken(element, entries, `${path}[*]`, gathering)]
}

/** The example of values that stand in the same place, and the rules for it. */
function liken(schema: z.ZodType, values: readonly unknown[], path: string, gathering: Gathering): unknown {
  if (schema instanceof z.ZodOptional) return liken(schema.unwrap() as z.ZodType, values, path, gathering)
  const [first] = values
  if (values.every(isJsonObject)) {
    gathering.rules.set(path, { match: 'type' })
    return likenObject(schema, values, path, gathering)
  }
  if (values.every((value) => Array.isArray(value))) return likenArray(schema, values, path, gathering)
  gathering.rules.set(path, toScalarMatcher(schema, first))
  return first
}

/** Consumers tell errors by their codes: those are no example. */
function keepCodes(body: unknown, rules: Gathering['rules']): void {
  if (!isJsonObject(body) || !Array.isArray(body['errors'])) return
  const codes = body['errors'].filter(isJsonObject).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  if (codes.length > 0) rules.set('$.errors[*].code', toChoice(codes))
}

/**
 * Makes of a body what another one like it has to match: of the types that its schema has, each array `eachLike` its
 * entries.
 *
 * @param mayBeEmpty whether the arrays of another one may be empty all the same
 */
export function toLikeness(schema: z.ZodType, body: unknown, mayBeEmpty = false): Likeness {
  const gathering: Gathering = { rules: new Map(), mayBeEmpty }
  const example = liken(schema, [body], '$', gathering)
  keepCodes(body, gathering.rules)
  return {
    example,
    rules: Object.fromEntries(Array.from(gathering.rules, ([path, matcher]) => [path, toRule(matcher)])),
  }
}
