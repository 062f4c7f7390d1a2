import type { Input } from '../contract/handler.ts'
import { problem } from '../errors.ts'
import { admitsType } from '../http/accept.ts'
import type { Operation } from './operation.ts'

/** Specification 4.14: any JSON, kept as the project's action payload and answered; none is `{}` (D22). */
export const postAction: Operation<'postAction'> = ({ text }, { project }) => {
  project.action = text === '' ? '{}' : text
  return { status: 200, body: project.action }
}

/** Specification 4.14: the last payload (D22). */
export const getAction: Operation<'getAction'> = (_input, { project }) => ({ status: 200, body: project.action })

/** Specification 4.15: the cart, as the fixture has it (D23). */
export const getActionWithExample: Operation<'getActionWithExample'> = (_input, { fixtures }) => ({
  status: 200,
  body: fixtures.carts.get('') ?? '{}',
})

/** The languages of a locale are those of ISO 639, of two or three letters. */
const LOCALE = /^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i

/** `de-DE` for `de_de`; undefined for what is no locale (BCP 47, with `_` for `-`). */
function findLocale(text: string): Intl.Locale | undefined {
  if (!LOCALE.test(text)) return undefined
  try {
    return new Intl.Locale(text.replaceAll('_', '-'))
  } catch {
    return undefined
  }
}

/** The cart by locale, then by language, then the default one, which has no language of its own (D23). */
function findCart(carts: ReadonlyMap<string, string>, locale: Intl.Locale): { name: string; text: string } {
  const { language } = locale
  const names = [locale.toString(), language, [...carts.keys()].find((name) => name.startsWith(`${language}-`)) ?? '']
  const name = names.find((one) => carts.has(one)) ?? ''
  return { name, text: carts.get(name) ?? '{}' }
}

/**
 * The locale that a cart is asked for in.
 *
 * @throws {Problem} 400 if it is not a locale, 406 if the client does not accept JSON (D23).
 */
export function parseCartHeaders(headers: Input<'getActionWithHeaders'>['headers']): Intl.Locale {
  const asked = headers['Storefront-Locale']
  const locale = findLocale(asked)
  if (locale === undefined) {
    throw problem.invalidField({
      field: 'Storefront-Locale',
      invalidValue: asked,
      message: `The header Storefront-Locale: ${JSON.stringify(asked.slice(0, 100))} is not a locale. Send one such as de-DE, de_DE or de.`,
    })
  }
  if (!admitsType(headers.Accept, 'application/json')) {
    throw problem.notAcceptable(headers.Accept, ['application/json'])
  }
  return locale
}

/** Specification 4.16: the cart in the locale of the request (D23). */
export const getActionWithHeaders: Operation<'getActionWithHeaders'> = ({ headers }, { fixtures }) => {
  const { name, text } = findCart(fixtures.carts, parseCartHeaders(headers))
  const language: Readonly<Record<string, string>> = name === '' ? {} : { 'Content-Language': name }
  return { status: 200, body: text, headers: { ...language, Vary: 'Storefront-Locale' } }
}
