import { endpoints } from '../contract/endpoints.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { SetupError } from '../errors.ts'

const { custom1, custom2 } = endpoints.postComplex.responses[203].examples

/** The files that are not named by a locale, by what they hold. */
export const fixtureFiles = {
  resources: 'resources.json',
  arrayTestType: 'array-test-type.json',
  custom1,
  custom2,
  cart: 'cart.json',
  action: 'action.json',
} as const

const names: readonly string[] = Object.values(fixtureFiles)
/** Some editors begin a file with it; JSON does not (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = /^\uFEFF/
const LOCALISED_CART = /^cart\.(.*)\.json$/

/** `de-DE` for `de-de`; undefined for what is no locale (BCP 47). */
function findLocale(text: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z\d]+)*$/i.test(text)) return undefined
  try {
    return new Intl.Locale(text).toString()
  } catch {
    return undefined
  }
}

/** The locale in the name of a cart's file, `''` for the default cart; undefined for the other files. */
export const findCartLocale = (file: string): string | undefined =>
  file === fixtureFiles.cart ? '' : LOCALISED_CART.exec(file)?.[1]

const isLocalisedCart = (file: string): boolean => LOCALISED_CART.test(file)

function checkName(file: string): void {
  if (names.includes(file)) return
  const written = findCartLocale(file)
  if (written === undefined) {
    throw new SetupError(
      `fixtures ${file}: not the name of a fixture file.${didYouMean(file, names)} The mock reads ${names.join(', ')} and cart.<locale>.json.`,
    )
  }
  const locale = findLocale(written.replaceAll('_', '-'))
  if (locale === undefined) {
    throw new SetupError(
      `fixtures ${file}: ${JSON.stringify(written)} is not a locale. Name the file like cart.de-DE.json or cart.de.json.`,
    )
  }
  if (locale !== written)
    throw new SetupError(`fixtures ${file}: rename it to cart.${locale}.json, as the locale is written.`)
}

/**
 * Puts the user's fixture texts over the built-in ones, by file name; what is not a `.json` file is not looked at. A cart of the
 * user's without localised ones replaces the built-in localised ones too: they are another shop's (D23).
 *
 * @throws {SetupError} for a `.json` file that is not one of the fixture files
 */
export function mergeFixtures(
  builtIn: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const isOnlyCart = Object.hasOwn(own, fixtureFiles.cart) && !Object.keys(own).some(isLocalisedCart)
  const merged = new Map(Object.entries(builtIn).filter(([file]) => !isOnlyCart || !isLocalisedCart(file)))
  for (const [file, text] of Object.entries(own)) {
    if (!file.endsWith('.json')) continue
    checkName(file)
    merged.set(file, text.replace(BYTE_ORDER_MARK, ''))
  }
  return merged
}
