import type { Cart, Money } from '../../contract/types.ts'
import { parseJson } from '../../http/json.ts'
import type { ViewContext } from '../view-context.ts'

/** `12.50 EUR` of an amount in minor units. */
function toAmount({ centAmount, currencyCode, fractionDigits }: Money): string {
  const digits = Number(fractionDigits)
  return `${(Number(centAmount) / 10 ** digits).toFixed(digits)} ${currencyCode}`
}

/** The cart that the action endpoints answer, by locale (D23). */
export const CartCard = ({ context }: { readonly context: ViewContext }) => {
  const { carts } = context.parts.fixtures()
  const asked = context.param('locale')
  const locale = carts.has(asked) ? asked : ''
  // Fixtures are validated when they are loaded.
  const cart = parseJson(carts.get(locale) ?? '{}') as Cart
  return (
    <section class="card stack-wide" aria-label="Cart">
      <div class="head-line">
        <h2>Cart</h2>
        <ul class="tabs tools">
          {[...carts.keys()].map((name) => (
            <li>
              <a
                href={context.place.to('data', {
                  project: context.param('project'),
                  base: context.param('base'),
                  locale: name,
                })}
                aria-current={name === locale ? 'true' : undefined}
              >
                {name === '' ? 'default' : name}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <ul class="lines cart">
        {cart.lineItems.map(({ name, count, totalPrice, isGift }) => (
          <li>
            <span class="line-name">
              {String(count)} × {name}
              {isGift && <span class="tag">gift</span>}
            </span>
            <span class="number">{toAmount(totalPrice)}</span>
          </li>
        ))}
        <li class="sum">
          <b class="line-name">Sum</b>
          <b class="number">{toAmount(cart.sum)}</b>
        </li>
      </ul>
    </section>
  )
}
