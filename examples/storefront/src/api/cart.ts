import type { Product } from '../product/product.ts'
import { germanNameOf, nameOf, priceOf } from '../product/product.ts'
import { PROJECT } from '../settings.ts'
import { send } from './send.ts'
import type { Staleness } from './send.ts'

export interface Money {
  readonly centAmount: number
  readonly fractionDigits: number
  readonly currencyCode: string
}

export interface LineItem {
  readonly lineItemId: string
  readonly name: string
  readonly count: number
  readonly price: Money
  readonly totalPrice: Money
  readonly discountTexts: readonly string[]
  readonly isGift: boolean
  readonly variant: {
    readonly sku: string
    readonly attributes: {
      readonly size?: string
      readonly colorFreeDefinition?: string
      readonly color?: { readonly key: string }
    }
  }
}

/** The members of the cart that the shop shows (specification 2). */
export interface Cart {
  readonly lineItems: readonly LineItem[]
  readonly sum: Money
}

/** A product that the visitor has added to the cart. */
interface Added {
  readonly id: string
  readonly sku: string
  readonly name: string
  readonly germanName: string
  readonly centAmount: number
  readonly count: number
}

const ACTION = `/${PROJECT}/resource/namespace-action`

/** The service has no endpoint to change its cart, so the shop keeps additions in the action's payload (specification 4.14). */
async function getAdded(
  signal?: AbortSignal,
): Promise<{ readonly added: readonly Added[]; readonly stale: Staleness }> {
  const { body, stale } = await send({ path: ACTION, signal })
  // What addToCart stored; before that, another payload without this member.
  const { added = [] } = body as { readonly added?: readonly Added[] }
  return { added, stale }
}

const toMoney = (centAmount: number): Money => ({ centAmount, fractionDigits: 2, currencyCode: 'EUR' })

function toLineItem({ id, sku, name, germanName, centAmount, count }: Added, locale: string): LineItem {
  return {
    lineItemId: id,
    name: locale.startsWith('de') ? germanName : name,
    count,
    price: toMoney(centAmount),
    totalPrice: toMoney(centAmount * count),
    discountTexts: [],
    isGift: false,
    variant: { sku, attributes: {} },
  }
}

/** The cart in that locale (specification 4.16), with what the visitor has added. */
export async function getCart(locale: string, signal: AbortSignal): Promise<Cart & { readonly stale: Staleness }> {
  const cart = send({ path: `${ACTION}-with-headers`, headers: { 'Storefront-Locale': locale }, signal })
  const [{ body, stale }, own] = await Promise.all([cart, getAdded(signal)])
  const { lineItems, sum } = body as Cart
  const items = own.added.map((added) => toLineItem(added, locale))
  const centAmount = items.reduce((total, { totalPrice }) => total + totalPrice.centAmount, sum.centAmount)
  return { lineItems: [...lineItems, ...items], sum: { ...sum, centAmount }, stale: stale ?? own.stale }
}

/** Adds one of a product to the cart. */
export async function addToCart(product: Product): Promise<void> {
  const { added } = await getAdded()
  const { id, key = id } = product
  const earlier = added.find((one) => one.id === id)
  const next: Added = {
    id,
    sku: key,
    name: nameOf(product),
    germanName: germanNameOf(product),
    centAmount: Math.round((priceOf(product) ?? 0) * 100),
    count: (earlier?.count ?? 0) + 1,
  }
  const others = added.filter((one) => one !== earlier)
  await send({ method: 'POST', path: ACTION, json: { added: [...others, next] } })
}
