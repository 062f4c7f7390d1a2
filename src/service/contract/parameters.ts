import * as z from 'zod'
import { decision } from './decisions.ts'
import type { Parameter } from './endpoint.ts'
import { dateTime, decimal, int64, localePattern, plainObjectTestType } from './models.ts'
import { pageBounds } from './results.ts'

/** The query parameters and headers of the specification's section 4, by the endpoints that share them. */

/** A query parameter of type float: `20`, `20.0`, `-1.5e3`. */
export const float = decimal.meta({ type: 'number', format: 'float' })
/** A whole number with bounds, documented as a float; used for counts of results (D10, D20). */
export const counting = ({ least, most }: { readonly least: number; readonly most: number }) =>
  decimal.meta({ type: 'number', format: 'float', minimum: least, maximum: most, multipleOf: 1 })
export const anyText = z.string()
/**
 * Documented as `de-DE`, `de_DE` or `de`. The operation itself rejects other values, so that the error names the header
 * (D23).
 */
export const locale = anyText.meta({ pattern: localePattern.source })
const manyTexts = z.array(z.string())
export const flag = z.boolean()

/** The conditions shared by 4.1 and 4.5; D11 defines their meaning. */
export const conditions = {
  stringParameter: {
    schema: anyText,
    description: 'A string in `arrayOfStringExample`, or as `<number> in <arrayField>`, a number in that array',
  },
  floatParameter: { schema: float, description: 'A number in `arrayOfFloatExample`' },
  integerParameter: { schema: int64, description: 'A number in `arrayOfIntExample`' },
  withMarkdownDescription: { schema: float, description: 'A number in `arrayOfNumberNoDefaultsExample`' },
  arrayOfString: { schema: manyTexts, description: 'Strings, all of which `arrayOfStringExample` must contain' },
  arrayOfStringWithDescription: {
    schema: manyTexts,
    description: 'Strings, all of which `arrayOfStringExample` must contain',
  },
  objectParameter: {
    schema: z.strictObject({ arrayOfString: manyTexts.optional() }),
    values: { by: decision('D11') },
    description:
      'Same condition as `arrayOfString`, passed as `objectParameter[arrayOfString]=…`, `objectParameter.arrayOfString=…` or JSON',
  },
} as const satisfies Record<string, Parameter>

export const unionParameter = {
  schema: z.union([float, dateTime, plainObjectTestType]),
  values: { by: decision('D11'), except: /^(?:-?\d|\{"version":\d)/ },
  description:
    'A number in any array; the earliest modification date-time; or an ObjectTestType with the same content, as JSON',
} as const satisfies Parameter

/** The parameters of 4.12, which D10 also allows for 4.1. */
export const paging = {
  where: {
    schema: manyTexts,
    values: { by: decision('D20') },
    description: 'A predicate such as `version >= 2 and key = :wanted`; all must be true',
  },
  sort: {
    schema: manyTexts,
    values: { by: decision('D20') },
    description: '`<path> asc` or `<path> desc`, in order of precedence',
  },
  limit: {
    schema: counting(pageBounds.limit),
    values: { by: decision('D10'), except: /^(?:[1-9]|1\d|20)(?:\.0)?$/ },
    description: `The maximum number of results; default ${pageBounds.limit.standard}`,
  },
  offset: {
    schema: counting(pageBounds.offset),
    values: { by: decision('D10'), except: /^1?\d(?:\.0)?$/ },
    description: 'The number of results to skip',
  },
  withTotal: { schema: flag, description: '`false` omits `total`' },
  expand: {
    schema: manyTexts,
    values: { by: decision('D20') },
    description: 'Accepted, but ignored: resources have no references',
  },
} as const satisfies Record<string, Parameter>

/** The same parameters, marked as added by a decision. */
export const decided = <const P extends Readonly<Record<string, Parameter>>>(id: 'D10' | 'D14', parameters: P) =>
  Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, { ...one, decision: id }])) as unknown as P

/** A text parameter that a decision allows to be repeated, although the specification does not. */
export const repeatable = (description: string) =>
  ({
    schema: manyTexts,
    repeatable: decision('D9'),
    values: { by: decision('D14') },
    description,
  }) as const satisfies Parameter

export const variables = {
  var: {
    prefix: 'var.',
    pattern: /^var[.][a-zA-Z0-9]+$/,
    schema: manyTexts,
    values: { by: decision('D20') },
    description: 'Values for the `:<name>` variables in `where`; any number of `var.<name>` parameters',
  },
} as const
