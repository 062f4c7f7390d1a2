import * as z from 'zod'
import type { DecisionId } from './decisions.ts'

/** ISO 8601: an existing date, a time, and `Z` or an offset (D92). */
export const dateTime = z.iso.datetime({ offset: true, error: 'ISO 8601 date-time expected.' })

/** Whether a text is a valid date-time of the contract. */
export const isDateTime = (text: string): boolean => dateTime.safeParse(text).success

/** A language tag (RFC 5646, section 2.1) whose language has two or three letters, with `_` allowed for `-` (D23). */
export const localePattern = new RegExp(
  '^[A-Za-z]{2,3}' +
    '(?:[-_][A-Za-z]{4})?' + // script
    '(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?' + // region
    '(?:[-_](?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*' + // variants
    '(?:[-_][0-9A-WY-Za-wy-z](?:[-_][A-Za-z0-9]{2,8})+)*' + // extensions
    '(?:[-_][Xx](?:[-_][A-Za-z0-9]{1,8})+)?$', // private use
)

/** Creates zod metadata for a schema that is a named component of the OpenAPI document, with the decisions it implements. */
export const named = (id: string, description: string, ...decisions: readonly DecisionId[]) => ({
  id,
  description,
  decisions,
})

/** Number schemas of the contract: 32-bit and 64-bit integers, and any number; all digits are preserved (D3). */

type Bits = 32 | 64

const RANGE = {
  32: { low: -(2n ** 31n), high: 2n ** 31n - 1n },
  64: { low: -(2n ** 63n), high: 2n ** 63n - 1n },
} as const

/** Whether a JSON number is an integer, including a `bigint`, which represents integers that a double would round. */
export const isIntegral = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))

const isInteger = (value: unknown, bits: Bits): value is number | bigint => {
  // Fast path for most numbers, without a bigint comparison.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return bits === 64 || value === (value | 0)
  return isIntegral(value) && value >= RANGE[bits].low && value <= RANGE[bits].high
}

const integer = (bits: Bits) =>
  z
    .custom<number | bigint>((value) => isInteger(value, bits), {
      error: ({ input }) =>
        // A number too large for a double is parsed as Infinity.
        isIntegral(input) || input === Infinity || input === -Infinity
          ? `integer between ${RANGE[bits].low} and ${RANGE[bits].high} expected.`
          : 'JSON Integer expected.',
    })
    .meta({ type: 'integer', format: `int${bits}` })

/** A 64-bit integer with all digits preserved (D3). */
export const int64 = integer(64)
/** A 32-bit integer. */
export const int32 = integer(32)
/** Any JSON number; a `bigint` if a double would round the integer (D3). */
export const decimal = z
  .custom<number | bigint>(
    (value) => typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)),
    {
      // RFC 8259, section 6, sets no bounds, but a double does: 1e400 is a valid JSON number that cannot be stored.
      error: ({ input }) => {
        if (typeof input !== 'number') return 'JSON Number expected.'
        // A fraction that no double can tell from an integer is parsed as NaN.
        if (Number.isNaN(input)) return 'number with fewer digits expected.'
        return `number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE} expected.`
      },
    },
  )
  .meta({ type: 'number' })

/**
 * The shapes of the specification's section 2, with its exact field names and spelling, in the order of its tables. Objects
 * are strict so that undocumented members are detected; D4 defines whether they are ignored or rejected.
 */

/** A resource's version: an integer of at least 1. */
const versionNumber = z
  .custom<number>((value) => typeof value === 'number' && Number.isSafeInteger(value), {
    error: 'JSON Integer expected.',
  })
  .meta({ type: 'integer', format: 'int64' })

export const objectEntry = z
  .strictObject({ integerExample: int64.optional(), integerExampleInt32: int32.optional() })
  .meta(named('ObjectEntry', 'An entry of `arrayOfObjectType`', 'D3', 'D9'))

export const arrayTestType = z
  .strictObject({
    arrayOfIntExample: z.array(int64).optional(),
    arrayOfUniqueIntExample: z.array(int64).optional(),
    arrayOfTwonumbersExample: z.array(int64).optional(),
    arrayOfFloatExample: z.array(decimal).optional(),
    arrayOfNumberNoDefaultsExample: z.array(decimal).optional(),
    arrayOfStringExample: z.array(z.string()).optional(),
    arrayOfObjectType: z.array(objectEntry).optional(),
  })
  .meta(named('ArrayTestType', 'Seven arrays, all optional', 'D1', 'D2', 'D3'))

export type ObjectEntry = Readonly<z.output<typeof objectEntry>>
type ArrayTestTypeFields = z.output<typeof arrayTestType>
/** Section 2, ArrayTestType: seven optional arrays (D2). Integers beyond 2^53 are `bigint`. */
export type ArrayTestType = {
  readonly [Name in keyof ArrayTestTypeFields]: readonly NonNullable<ArrayTestTypeFields[Name]>[number][]
}
export type ArrayName = keyof ArrayTestType

/** The names of the seven arrays, in the order of the specification's table. */
export const arrayNames = Object.keys(arrayTestType.shape) as readonly ArrayName[]

/** Members that `--identity body` adds before `version` (D5). */
const identityBefore = { id: z.string(), key: z.string() }
/** Members that `--identity body` adds after `objectTypeProperty` (D5). */
const identityAfter = { someProperty: z.string(), createdAt: dateTime, lastModifiedAt: dateTime }

const documentedObject = { version: versionNumber, objectTypeProperty: arrayTestType }

/** Section 2, ObjectTestType, with the optional members of D5. */
export const objectTestType = z
  .strictObject({
    ...z.object(identityBefore).partial().shape,
    ...documentedObject,
    ...z.object(identityAfter).partial().shape,
  })
  .meta(named('ObjectTestType', 'A resource', 'D5', 'D8'))

/** Section 2, ObjectTestType, exactly as documented. */
export const plainObjectTestType = z.strictObject(documentedObject)

/** An entry of `results`, which always includes its identity (D5). */
export const resultEntry = z
  .strictObject({
    id: identityBefore.id,
    key: identityBefore.key.optional(),
    ...documentedObject,
    someProperty: identityAfter.someProperty.optional(),
    createdAt: identityAfter.createdAt,
    lastModifiedAt: identityAfter.lastModifiedAt,
  })
  .meta(named('ResultEntry', 'A resource with its identity, as an entry of `results`', 'D5'))

/** The characters and length allowed for keys (D6). */
export const resourceKey = z.string().regex(/^[A-Za-z0-9_-]{2,256}$/, {
  error: '2 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.',
})

/** Section 2, ObjectTestTypeDraft, with the optional key of D6. */
export const objectTestTypeDraft = z
  .strictObject({ key: resourceKey.optional(), objectTypeProperty: arrayTestType })
  .meta(named('ObjectTestTypeDraft', 'The draft of a resource', 'D2', 'D4', 'D6'))

/** The draft under `--strict`: all seven arrays are required (D2). */
export const strictDraft = z.strictObject({ key: resourceKey.optional(), objectTypeProperty: arrayTestType.required() })

const person = z
  .strictObject({ firstName: z.string().optional(), lastName: z.string().optional() })
  .meta(named('Person', 'Who did something'))

/** Section 2, OutOfOrderPropertiesTestType, including its misspellings; every member is optional (D17). */
export const outOfOrderPropertiesTestType = z
  .strictObject({
    id: z.string().optional(),
    version: z.string().optional(),
    key: z.string().optional(),
    createdAt: dateTime.optional(),
    createdBy: person.optional(),
    lastModifiedAt: dateTime.optional(),
    lastModifiedBy: person.optional(),
    custom: z.string().optional(),
    eigthProperty: z.string().optional(),
    ninthProperty: z.string().optional(),
    tenthProperty: z.string().optional(),
    eleventhPropery: z.string().optional(),
    twelthProperty: z.string().optional(),
    thirteenthProperty: z.string().optional(),
    fourteenthProperty: z.string().optional(),
    fifteenthProperty: z.string().optional(),
  })
  .meta(
    named(
      'OutOfOrderPropertiesTestType',
      'The body of the complex POST; the order of its members is not significant',
      'D4',
      'D17',
      'D92',
    ),
  )

const ada = { firstName: 'Ada', lastName: 'Example' }

/** A body of the complex POST with all sixteen members of section 2, in their exact spelling. */
export const complexExample: z.input<typeof outOfOrderPropertiesTestType> = {
  id: 'order-17',
  version: '3',
  key: 'order',
  createdAt: '2024-05-02T14:03:09.000Z',
  createdBy: ada,
  lastModifiedAt: '2024-06-18T07:45:30.250Z',
  lastModifiedBy: ada,
  custom: 'gift wrapping',
  eigthProperty: 'eight',
  ninthProperty: 'nine',
  tenthProperty: 'ten',
  eleventhPropery: 'eleven',
  twelthProperty: 'twelve',
  thirteenthProperty: 'thirteen',
  fourteenthProperty: 'fourteen',
  fifteenthProperty: 'fifteen',
}

/** The complex body under `--strict`: all sixteen members are required (D17). */
export const strictOutOfOrder = z
  .strictObject({
    ...outOfOrderPropertiesTestType.shape,
    createdBy: person.required(),
    lastModifiedBy: person.required(),
  })
  .required()

/** Section 2, the known update actions. */
export const updateAction = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('doSomeThing') }),
    z.strictObject({ action: z.literal('changeSomeProperty'), someProperty: z.string() }),
  ])
  .meta(named('ExampleResourceUpdateAction', 'An update action', 'D18'))

/** The names of the known update actions, in the order of the specification. */
export const actionNames: readonly z.output<typeof updateAction>['action'][] = updateAction.options.map(
  (option) => option.shape.action.value,
)

/** Maximum number of actions per update (D18). */
export const MAX_ACTIONS = 500

/**
 * An action as checked before the version is compared (D18): it has a name, and no member of a known action has the wrong
 * type. A later check rejects unknown and incomplete actions.
 */
const shapedAction = z
  .looseObject({ action: z.string() })
  .superRefine((action, context) => {
    const known = updateAction.options.find((option) => option.shape.action.value === action.action)
    for (const issue of known?.safeParse(action).error?.issues ?? []) {
      const [member] = issue.path
      if (member !== undefined && Object.hasOwn(action, member)) context.addIssue({ ...issue })
    }
  })
  .meta({ documentedAs: updateAction })

/** Section 2, update request. */
export const updateRequest = z
  .strictObject({
    version: int64,
    actions: z.array(shapedAction).max(MAX_ACTIONS, { error: `at most ${MAX_ACTIONS} actions expected.` }),
  })
  .meta(named('UpdateRequest', 'Update actions, and the version that they apply to', 'D7', 'D18'))

export const money = z
  .strictObject({ fractionDigits: int32, centAmount: int64, currencyCode: z.string() })
  .meta(named('Money', 'An amount in minor units'))

const labelled = z
  .strictObject({ key: z.string(), label: z.string() })
  .meta(named('LabelledValue', 'A value and its display label'))

export const variantAttributes = z
  .strictObject({
    articleNumberManufacturer: z.string().optional(),
    articleNumberMax: z.string().optional(),
    matrixId: z.string().optional(),
    baseId: z.string().optional(),
    size: z.string().optional(),
    colorFreeDefinition: z.string().optional(),
    season: z.string().optional(),
    designer: labelled.optional(),
    madeInItaly: labelled.optional(),
    commonSize: labelled.optional(),
    color: labelled.optional(),
    style: labelled.optional(),
    gender: labelled.optional(),
  })
  .meta(named('VariantAttributes', 'The attributes of a variant'))

export const variant = z
  .strictObject({
    id: z.string(),
    sku: z.string(),
    images: z.array(z.string()),
    groupId: z.string(),
    attributes: variantAttributes,
    price: money,
    isOnStock: z.boolean(),
  })
  .meta(named('Variant', 'The product variant of a line item'))

export const lineItem = z
  .strictObject({
    lineItemId: z.string(),
    productId: z.string(),
    name: z.string(),
    type: z.string(),
    count: int32,
    price: money,
    discountTexts: z.array(z.unknown()),
    discounts: z.array(z.unknown()),
    totalPrice: money,
    variant,
    isGift: z.boolean(),
    _url: z.string(),
  })
  .meta(named('LineItem', 'A line item of a cart'))

/** Section 2, the cart-shaped object. */
export const cart = z
  .strictObject({
    cartId: z.string(),
    cartVersion: z.string(),
    lineItems: z.array(lineItem),
    sum: money,
    shippingAddress: z.looseObject({}),
    billingAddress: z.looseObject({}),
    payments: z.array(z.unknown()),
    discountCodes: z.array(z.unknown()),
  })
  .meta(named('Cart', 'The cart-shaped object', 'D23'))

/** Any JSON value (D22). */
export const anyJson = z.unknown().meta(named('ActionPayload', 'Any JSON', 'D22'))
