import * as z from 'zod'
import { isIntegral } from '../contract/models.ts'
import { isJsonObject } from '../http/json.ts'

/** One of Pact's matchers, as a file of version 4 has it. */
export type PactMatcher =
  | { readonly match: 'type'; readonly min?: number }
  | { readonly match: 'integer' | 'number' | 'equality' }
  | { readonly match: 'regex'; readonly regex: string }

/** Matchers by the path of a body or the name of a header. */
export type MatchingRules = Readonly<
  Record<string, { readonly combine: 'AND'; readonly matchers: readonly PactMatcher[] }>
>

/** A body in a pact: an example, and the rules that another body has to match. */
export interface ExampleBody {
  readonly example: unknown
  readonly rules: MatchingRules
}

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'

export const toRule = (matcher: PactMatcher): MatchingRules[string] => ({ combine: 'AND', matchers: [matcher] })

/** One of these texts, and nothing else. */
const toChoice = (texts: readonly string[]): PactMatcher => ({
  match: 'regex',
  regex: `^(${[...new Set(texts)].map((text) => text.replaceAll(/[^\w]/g, '\\$&')).join('|')})$`,
})

/** `$.results[*].key`; other names are quoted in brackets. */
const toMemberPath = (path: string, name: string): string =>
  /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name.replaceAll(/['\\]/g, '\\$&')}']`

/** The rule for a scalar. A number may come without decimals (749), which Pact's `decimal` refuses. */
function toScalarMatcher(schema: z.ZodType, value: unknown): PactMatcher {
  if (schema instanceof z.ZodISODateTime) return { match: 'regex', regex: DATE_TIME }
  if (schema instanceof z.ZodLiteral) return { match: 'equality' }
  if (schema instanceof z.ZodEnum) return toChoice(schema.options.map(String))
  const { type } = schema.meta() ?? {}
  if (type === 'integer') return { match: isIntegral(value) ? 'integer' : 'type' }
  return { match: type === 'number' ? 'number' : 'type' }
}

/** The rules collected while a body is read. */
interface Collection {
  readonly rules: Map<string, PactMatcher>
  /** Whether arrays may be empty even if no example is. */
  readonly mayBeEmpty: boolean
}

function matchObject(
  schema: z.ZodType,
  all: readonly Readonly<Record<string, unknown>>[],
  path: string,
  collection: Collection,
) {
  const [first = {}, ...others] = all
  // A member that one of many entries lacks is optional.
  const names = Object.keys(first).filter((name) => others.every((other) => Object.hasOwn(other, name)))
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((one) => one[name])
      return [name, matchValues(memberOf(schema, name), values, toMemberPath(path, name), collection)]
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

/** Each entry has to match the rules for all of them. The array may be empty only if one of the examples is. */
function matchArray(schema: z.ZodType, all: readonly (readonly unknown[])[], path: string, collection: Collection) {
  const entries = all.flat()
  const mayBeEmpty = collection.mayBeEmpty || isCount(path) || all.some((one) => one.length === 0)
  collection.rules.set(path, { match: 'type', min: mayBeEmpty ? 0 : 1 })
  if (entries.length === 0) return []
  const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : z.unknown()
  return [matchValues(element, entries, `${path}[*]`, collection)]
}

/** Returns an example of values at one path, and collects the rules for them. */
function matchValues(schema: z.ZodType, values: readonly unknown[], path: string, collection: Collection): unknown {
  if (schema instanceof z.ZodOptional) return matchValues(schema.unwrap() as z.ZodType, values, path, collection)
  const [first] = values
  if (values.every(isJsonObject)) {
    collection.rules.set(path, { match: 'type' })
    return matchObject(schema, values, path, collection)
  }
  if (values.every((value) => Array.isArray(value))) return matchArray(schema, values, path, collection)
  collection.rules.set(path, toScalarMatcher(schema, first))
  return first
}

/** Consumers handle errors by their code, so codes are matched exactly. */
function keepCodes(body: unknown, rules: Collection['rules']): void {
  if (!isJsonObject(body) || !Array.isArray(body['errors'])) return
  const codes = body['errors'].filter(isJsonObject).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  if (codes.length > 0) rules.set('$.errors[*].code', toChoice(codes))
}

/**
 * Turns a body into an example with matching rules: types as in the schema, each array `eachLike` its entries.
 *
 * @param mayBeEmpty whether arrays may be empty although the example's are not
 */
export function toExampleBody(schema: z.ZodType, body: unknown, mayBeEmpty = false): ExampleBody {
  const collection: Collection = { rules: new Map(), mayBeEmpty }
  const example = matchValues(schema, [body], '$', collection)
  keepCodes(body, collection.rules)
  return {
    example,
    rules: Object.fromEntries(Array.from(collection.rules, ([path, matcher]) => [path, toRule(matcher)])),
  }
}
