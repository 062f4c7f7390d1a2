import { getCart } from '../api/cart.ts'
import type { LineItem, Money } from '../api/cart.ts'
import { pictureOfItem } from '../art/picture.ts'
import type { Language, Page } from '../page.ts'
import { toCart } from '../route.ts'
import { element } from '../ui/element.ts'
import { toStale } from './states.ts'

interface Words {
  readonly language: string
  readonly languages: string
  /** The locale of the cart: in euros, like the catalogue. */
  readonly cart: string
  readonly title: string
  readonly total: string
  readonly gift: string
}

const locales: Readonly<Record<Language, Words>> = {
  // Not the cart without a locale: the one of en-GB is in pounds.
  'en-GB': {
    language: 'English',
    languages: 'Language',
    cart: 'und',
    title: 'Your cart',
    total: 'Total',
    gift: 'Free',
  },
  'de-DE': {
    language: 'Deutsch',
    languages: 'Sprache',
    cart: 'de-DE',
    title: 'Ihr Warenkorb',
    total: 'Summe',
    gift: 'Geschenk',
  },
}

const isLanguage = (text: string): text is Language => Object.hasOwn(locales, text)

/** An amount in the locale's format. */
function toText({ centAmount, fractionDigits, currencyCode }: Money, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currencyCode })
  return format.format(centAmount / 10 ** fractionDigits)
}

function toRow(item: LineItem, locale: string, { gift }: Words): HTMLElement {
  const { name, count, price, totalPrice, discountTexts, isGift, variant } = item
  const { size, colorFreeDefinition } = variant.attributes
  const details = [colorFreeDefinition, size].filter((text) => text !== undefined).join(', ')
  return element(
    'li',
    {},
    pictureOfItem(item),
    element(
      'div',
      {},
      element('h2', {}, name),
      element('p', { class: 'hint' }, details),
      ...discountTexts.map((text) => element('p', { class: 'discount' }, text)),
    ),
    element('p', { class: 'count' }, isGift ? `${count} ×` : `${count} × ${toText(price, locale)}`),
    element('p', { class: 'price' }, isGift ? gift : toText(totalPrice, locale)),
  )
}

function toLanguages(current: Language): HTMLElement {
  const links = Object.entries(locales).map(([locale, { language }]) =>
    element(
      'a',
      { href: toCart(locale), lang: locale, 'aria-current': locale === current ? 'true' : undefined },
      language,
    ),
  )
  return element('nav', { class: 'rooms', 'aria-label': locales[current].languages }, ...links)
}

/** The cart, in the language of a locale. */
export async function showCart(asked: string, { show, signal, reload }: Page): Promise<void> {
  const locale = isLanguage(asked) ? asked : 'en-GB'
  const words = locales[locale]
  const { lineItems, sum, stale } = await getCart(words.cart, signal)
  show(
    { title: words.title, lang: locale },
    ...toStale(stale, reload, locale),
    toLanguages(locale),
    element(
      'div',
      { class: 'cart' },
      element('ul', {}, ...lineItems.map((item) => toRow(item, locale, words))),
      element('p', { class: 'total' }, element('span', {}, words.total), element('strong', {}, toText(sum, locale))),
    ),
  )
}
