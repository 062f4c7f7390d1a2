import { isObject } from './service.ts'

/** A type of section 2 or 4: whether a value is one. */
export type Is = (value: unknown) => boolean

const isInteger: Is = (value) =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)
const isNumber: Is = (value) => typeof value === 'number' || isInteger(value)
const isString: Is = (value) => typeof value === 'string'
const isArrayOf =
  (isItem: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(isItem)
/** An object whose members are of these types, if present. */
const isObjectOf =
  (types: Readonly<Record<string, Is>>): Is =>
  (value) =>
    isObject(value) && Object.entries(types).every(([name, is]) => value[name] === undefined || is(value[name]))
const isInt32: Is = (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
const isDate: Is = (value) =>
  isString(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
const person = isObjectOf({ firstName: isString, lastName: isString })

/** Section 2, ArrayTestType. */
export const ARRAYS: Readonly<Record<string, Is>> = {
  arrayOfIntExample: isArrayOf(isInteger),
  arrayOfUniqueIntExample: isArrayOf(isInteger),
  arrayOfTwonumbersExample: isArrayOf(isInteger),
  arrayOfFloatExample: isArrayOf(isNumber),
  arrayOfNumberNoDefaultsExample: isArrayOf(isNumber),
  arrayOfStringExample: isArrayOf(isString),
  arrayOfObjectType: isArrayOf(isObjectOf({ integerExample: isInteger, integerExampleInt32: isInt32 })),
}
export const isArrayTestType = isObjectOf(ARRAYS)

/** Section 2, OutOfOrderPropertiesTestType. */
export const isOutOfOrder = isObjectOf({
  ...Object.fromEntries(
    'id version key custom eigthProperty ninthProperty tenthProperty eleventhPropery twelthProperty thirteenthProperty fourteenthProperty fifteenthProperty'
      .split(' ')
      .map((name) => [name, isString]),
  ),
  createdAt: isDate,
  lastModifiedAt: isDate,
  createdBy: person,
  lastModifiedBy: person,
})

const text: Is = () => true
const float: Is = (value) => value !== '' && !Number.isNaN(Number(value))
const int: Is = (value) => /^[+-]?\d+$/.test(String(value))
const boolean: Is = (value) => value === 'true' || value === 'false'

interface Parameter {
  readonly name: RegExp | string
  readonly is: Is
  readonly many?: boolean
}

const condition: readonly Parameter[] = [
  { name: 'stringParameter', is: text },
  { name: 'floatParameter', is: float },
  { name: 'integerParameter', is: int },
  { name: 'withMarkdownDescription', is: float },
  { name: 'arrayOfString', is: text, many: true },
  { name: 'arrayOfStringWithDescription', is: text, many: true },
]

/** The query parameters of section 4, by endpoint. */
const PARAMETERS: Readonly<Record<number, readonly Parameter[]>> = {
  1: [...condition, { name: 'unionParameter', is: text }],
  2: [
    { name: 'optionalQueryParameter', is: text },
    { name: 'secondOptionalQueryParameter', is: text },
  ],
  4: [
    { name: 'fuzzy', is: boolean },
    { name: 'fuzzyLevel', is: float },
    { name: 'staged', is: boolean },
    { name: /^(?:filter|filter\.facets|filter\.query|facet)$/, is: text },
    { name: /^text\.[a-z]{2}(-[A-Z]{2})?$/, is: text },
  ],
  5: condition,
  9: [
    { name: 'queryParameterOne', is: float },
    { name: 'queryParameterTwo', is: text },
  ],
  12: [
    { name: /^(?:where|sort|expand)$/, is: text, many: true },
    { name: /^(?:limit|offset)$/, is: float },
    { name: 'withTotal', is: boolean },
    { name: /^var[.][a-zA-Z0-9]+$/, is: text, many: true },
  ],
  13: [
    { name: 'filename', is: text },
    { name: 'variant', is: int },
    { name: 'sku', is: text },
    { name: 'staged', is: boolean },
  ],
}

/** How a query differs from what section 4 documents. */
export function findQueryFaults(endpoint: number, query: URLSearchParams) {
  const known = PARAMETERS[endpoint] ?? []
  const names = [...new Set(query.keys())]
  const find = (name: string) => known.find((one) => new RegExp(one.name).exec(name)?.[0] === name)
  return {
    unknown: names.filter((name) => find(name) === undefined),
    mistyped: names.filter((name) => query.getAll(name).some((value) => find(name)?.is(value) === false)),
    repeated: names.filter((name) => find(name)?.many !== true && query.getAll(name).length > 1),
  }
}

/** What an image's first bytes say that it is. */
export const findImageType = (body: Buffer): string | undefined =>
  body.subarray(0, 3).toString('hex') === 'ffd8ff'
    ? 'image/jpeg'
    : body.subarray(0, 4).toString('hex') === '89504e47'
      ? 'image/png'
      : body.subarray(0, 4).toString('latin1') === 'GIF8'
        ? 'image/gif'
        : undefined
