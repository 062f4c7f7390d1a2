import type { Exact } from '../api/json.ts'
import type { Product, Property } from './product.ts'

/** The editable fields of a product, as text. */
export interface Fields {
  readonly name: string
  readonly price: string
  readonly stock: string
  readonly labels: string
  readonly note: string
}

export type FieldName = keyof Fields

/** The name of a field, and its input. */
interface FieldKind {
  readonly label: string
  readonly hint?: string
  readonly pattern?: string
  readonly isRequired?: boolean
}

/** The fields in the order of the form. */
export const fieldKinds: Readonly<Record<FieldName, FieldKind>> = {
  name: { label: 'Name', isRequired: true },
  price: { label: 'Price in euros', hint: 'Such as 24.90', pattern: '\\d+(\\.\\d{1,2})?', isRequired: true },
  stock: { label: 'Units in the shop', hint: 'A whole number', pattern: '-?\\d+', isRequired: true },
  labels: { label: 'Labels', hint: 'Separated by commas, German search words last and capitalised' },
  note: { label: 'Note to customers' },
}

// The compiler does not know an object's keys by name; they are written just above.
export const fieldNames = Object.keys(fieldKinds) as readonly FieldName[]

export const EMPTY: Fields = { name: '', price: '', stock: '', labels: '', note: '' }

/** With two decimals, unless the price has more. */
const toPrice = (price: number): string => (Number(price.toFixed(2)) === price ? price.toFixed(2) : String(price))

export function toFields({ objectTypeProperty, someProperty = '' }: Product): Fields {
  const {
    arrayOfStringExample: [name = '', ...labels] = [],
    arrayOfFloatExample: [price] = [],
    arrayOfIntExample: [stock] = [],
  } = objectTypeProperty
  return {
    name,
    price: price === undefined ? '' : toPrice(price),
    stock: stock?.toString() ?? '',
    labels: labels.join(', '),
    note: someProperty,
  }
}

function toExact(text: string): Exact {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

/** A property with the form's fields in it; everything else stays unchanged, digit for digit. */
export function toProperty({ name, price, stock, labels }: Fields, before: Property = {}): Property {
  const words = labels.split(',').map((label) => label.trim())
  const { arrayOfFloatExample: [, ...prices] = [], arrayOfIntExample: [, ...stocks] = [] } = before
  return {
    ...before,
    arrayOfIntExample: stock === '' ? stocks : [toExact(stock), ...stocks],
    arrayOfFloatExample: price === '' ? prices : [Number(price), ...prices],
    arrayOfStringExample: [name.trim(), ...words.filter((word) => word !== '')],
  }
}
