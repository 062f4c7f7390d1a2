import { memoize } from '../util/memoize.ts'

/**
 * The one list of what is secret by its name. Names are compared without case and separators, and without a plural or a
 * number at their end: `X-Api-Key`, `apiKey` and `api_keys` are one. A name is secret where it ends with one of these, and
 * `tokenizer` or `token_type` do not.
 */
const ENDINGS = [
  'token',
  'tokenhint',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'credential',
  'assertion',
  'verifier',
  'authorization',
  'authorizationcode',
  'authcode',
  'devicecode',
  'sessionid',
  'apikey',
  'accesskey',
  'authkey',
  'encryptionkey',
  'functionskey',
  'masterkey',
  'privatekey',
  'secretkey',
  'sharedkey',
  'signingkey',
  'subscriptionkey',
]

/** Too short to end a name: these are secret as a word at its end, so `user_pwd` is, and `laptop` is not. */
const LAST_WORDS = ['csrf', 'cvc', 'cvv', 'jwt', 'otp', 'pwd', 'xsrf']

/** Secret wherever they are in a name: `passwordHash`, `password_confirmation`. */
const PARTS = ['password', 'passwd', 'passphrase']

/** Secret in a query or a form alone, and only as the whole name: errors have a `code`, and images may have a `signature`. */
const PARAMETERS = new Set(['auth', 'code', 'hmac', 'samlresponse', 'sig', 'signature', 'ticket', 'xamzsignature'])

/**
 * Secret in a header alone: credentials; who a person is (`Baggage`, `Forwarded`); and what has room for either, such as the
 * tokens that browsers can send to a WebSocket in no other header.
 */
const HEADERS = new Set([
  'baggage',
  'dpop',
  'forwarded',
  'secwebsocketprotocol',
  'tracestate',
  'xamznoidcdata',
  'xauth',
  'xhubsignature',
  'xmsclientprincipal',
])

/** The specification's own families of parameters, whose names a client chooses (4.12, 4.4). */
const FAMILY = /^(?:var|text)\./

const isEnding = new RegExp(`(?:${ENDINGS.join('|')})s?$`)
const isLastWord = new RegExp(`(?:^|[^a-z])(?:${LAST_WORDS.join('|')})$`)
const isPart = new RegExp(PARTS.join('|'))

const toWords = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+$/, '')

const squash = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Where a name stands. */
export type NamePlace = 'header' | 'parameter' | 'member'

/** Whether what has this name in this place is a secret. */
export type IsSecretName = (name: string, place: NamePlace) => boolean

/**
 * Creates what tells secrets by their names.
 *
 * @param more further names, which are secret in every place; one text may hold several with commas between
 * @example createIsSecretName(['email'])('E-Mail', 'header') // true
 */
export function createIsSecretName(more: readonly string[]): IsSecretName {
  const named = new Set(
    more
      .flatMap((names) => names.split(','))
      .map(squash)
      .filter((name) => name !== ''),
  )
  const others = { header: HEADERS, parameter: PARAMETERS, member: new Set<string>() }

  function isSecret(name: string, place: NamePlace): boolean {
    const squashed = squash(name)
    if (named.has(squashed)) return true
    if (FAMILY.test(name)) return false
    const unnumbered = squashed.replace(/\d+$/, '')
    if (others[place].has(unnumbered)) return true
    return isEnding.test(unnumbered) || isPart.test(unnumbered) || isLastWord.test(toWords(name))
  }

  const known = {
    header: memoize((name) => isSecret(name, 'header')),
    parameter: memoize((name) => isSecret(name, 'parameter')),
    member: memoize((name) => isSecret(name, 'member')),
  }
  return (name, place) => known[place](name)
}
