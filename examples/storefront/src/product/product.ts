import type { Exact } from '../api/json.ts'

/** The service's ArrayTestType: seven arrays, each of which is optional. */
export interface Property {
  readonly arrayOfIntExample?: readonly Exact[]
  readonly arrayOfUniqueIntExample?: readonly Exact[]
  readonly arrayOfTwonumbersExample?: readonly Exact[]
  readonly arrayOfFloatExample?: readonly number[]
  readonly arrayOfNumberNoDefaultsExample?: readonly number[]
  readonly arrayOfStringExample?: readonly string[]
  readonly arrayOfObjectType?: readonly { readonly integerExample?: Exact; readonly integerExampleInt32?: number }[]
}

/** The service's ObjectTestType with its identity, as lists and `Prefer: identity=body` show it. */
export interface Product {
  readonly id: string
  readonly key?: string
  readonly version: number
  readonly objectTypeProperty: Property
  readonly someProperty?: string
}

// The values that the shop reads from the arrays: the service has no names for them.

export function nameOf({ key, objectTypeProperty: { arrayOfStringExample: [first] = [] } }: Product): string {
  const name = first ?? key ?? 'Unnamed product'
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A German noun starts with a capital letter: from there on, the labels are German words for the search. */
const isGermanNoun = (label: string): boolean => /^\p{Lu}/u.test(label)

/** Material, colour, room, and the German words for them. */
export const labelsOf = ({ objectTypeProperty: { arrayOfStringExample = [] } }: Product): readonly string[] =>
  arrayOfStringExample.slice(1)

/** The labels in the language of the shop. */
export function englishLabelsOf(product: Product): readonly string[] {
  const labels = labelsOf(product)
  const end = labels.findIndex(isGermanNoun)
  return end === -1 ? labels : labels.slice(0, end)
}

/** The first German word is the product's name in that language. */
export const germanNameOf = (product: Product): string => labelsOf(product).find(isGermanNoun) ?? nameOf(product)

/** The price of one; the following entries are prices for larger quantities. */
export const priceOf = ({ objectTypeProperty: { arrayOfFloatExample: [first] = [] } }: Product): number | undefined =>
  first

/** In the shop and the warehouses together. */
export const stockOf = ({ objectTypeProperty: { arrayOfIntExample = [] } }: Product): bigint =>
  arrayOfIntExample.reduce((sum: bigint, units) => sum + BigInt(units), 0n)

const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' })
const count = new Intl.NumberFormat('en-GB')

export function toPriceText(product: Product): string {
  const price = priceOf(product)
  return price === undefined ? 'Price on request' : money.format(price)
}

/** Below this number, the stock is low. */
const FEW = 5n

/** The stock in words, and what it means to a buyer. */
export function toStock(product: Product): { readonly kind: 'many' | 'few' | 'none'; readonly text: string } {
  const units = stockOf(product)
  if (units <= 0n) return { kind: 'none', text: 'Sold out' }
  return units < FEW ? { kind: 'few', text: `Only ${units} left` } : { kind: 'many', text: 'In stock' }
}

/** All facts except name, price and stock, as terms and descriptions; staff also see its numbers. */
export function toFacts(product: Product, isForStaff: boolean): readonly (readonly [string, string])[] {
  const {
    arrayOfTwonumbersExample: size = [],
    arrayOfNumberNoDefaultsExample: [weight] = [],
    arrayOfUniqueIntExample: numbers = [],
    arrayOfIntExample: [here] = [],
  } = product.objectTypeProperty
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Size', size.length > 0 ? `${size.join(' × ')} cm` : undefined],
    ['Weight', weight === undefined ? undefined : `${weight} kg`],
  ]
  const staffFacts: typeof facts = [
    ['In the shop', here === undefined ? undefined : `${count.format(here)} of ${count.format(stockOf(product))}`],
    ['Article number', numbers.length > 0 ? numbers.join(', ') : undefined],
    ['Key', product.key],
  ]
  const shown = isForStaff ? [...facts, ...staffFacts] : facts
  return shown.flatMap(([term, text]) => (text === undefined ? [] : [[term, text] as const]))
}
