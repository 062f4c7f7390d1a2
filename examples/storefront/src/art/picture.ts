import type { LineItem } from '../api/cart.ts'
import { labelsOf, nameOf } from '../product/product.ts'
import type { Product } from '../product/product.ts'
import { element } from '../ui/element.ts'
import { ANYTHING, drawings } from './drawings.ts'
import { toTone } from './tones.ts'

function toDrawing(text: string): string {
  // The longer name is more specific: a table lamp is not a table.
  const [first] = Object.keys(drawings)
    .filter((name) => text.includes(name))
    .toSorted((a, b) => b.length - a.length)
  return (first === undefined ? undefined : drawings[first]) ?? ANYTHING
}

/** A decorative picture: the text next to it describes its content. */
function drawThing(text: string, words: readonly string[]): HTMLElement {
  const frame = element('div', { class: 'picture', 'data-tone': toTone(words), 'aria-hidden': 'true' })
  // All of it is written in this project: no external content becomes markup.
  frame.innerHTML = `<svg viewBox="0 0 200 200">${toDrawing(text)}</svg>`
  return frame
}

/** The product's photo, or a drawing of its kind. */
export function pictureOf(product: Product, photo?: string): HTMLElement {
  if (photo === undefined) return drawThing(nameOf(product).toLowerCase(), labelsOf(product))
  const name = nameOf(product)
  return element('div', { class: 'picture' }, element('img', { src: photo, alt: `Photo of ${name}` }))
}

/** Uses the name that is the same in every language. */
export const pictureOfItem = ({ variant: { sku, attributes } }: LineItem): HTMLElement => {
  const words = sku.replaceAll('-', ' ')
  return drawThing(words, [...words.split(' '), attributes.color?.key ?? ''])
}
