import { PROJECT } from '../settings.ts'
import { send } from './send.ts'

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

/** The cart in that locale (specification 4.16). */
export async function getCart(locale: string, signal: AbortSignal): Promise<Cart & { readonly isStale: boolean }> {
  const { body, isStale } = await send({
    path: `/${PROJECT}/resource/namespace-action-with-headers`,
    headers: { 'Storefront-Locale': locale },
    signal,
  })
  return { ...(body as Cart), isStale }
}
