import { REDACTED } from '../journal/redact.ts'
import { createIsSecretName } from '../journal/secret-names.ts'
import type { IsSecretName, NamePlace } from '../journal/secret-names.ts'
import { Queue } from '../util/queue.ts'

/** Knows the secrets that went by, and strikes them out of what is kept. */
export interface Secrets {
  /** Notes credentials and cookies of a request or an answer, and whatever header has the name of a secret. */
  noteHeaders(headers: Headers): void
  /** Notes what members with the name of a secret hold: such as the tokens that a token endpoint issues. */
  noteBody(value: unknown): void
  /** Notes what parameters of a query or a form with the name of a secret hold (RFC 6750, section 2). */
  noteParameters(parameters: URLSearchParams): void
  /** The value with every secret struck out. */
  strike(value: unknown): unknown
}

/** What is shorter may as well be a word or a part of one, as `any` is of `company`: not even a password is so short. */
const LEAST_LENGTH = 8

/** So many secrets are known, those that came last: each is looked for in every text. */
const MOST_SECRETS = 1000
/** Characters of all of them together. */
const MOST_CHARACTERS = 1024 * 1024

function decodeBasic(credentials: string): readonly string[] {
  try {
    const text = atob(credentials)
    return [text.slice(text.indexOf(':') + 1)]
  } catch {
    return []
  }
}

/** The secrets in a header such as `Authorization`, without the scheme (RFC 9110, section 11.4; RFC 7617, section 2). */
function ofAuthorization(value: string): readonly string[] {
  const [scheme = '', credentials = ''] = value.trim().split(/\s+(.*)/s)
  if (credentials === '') return [scheme]
  return scheme.toLowerCase() === 'basic' ? [credentials, ...decodeBasic(credentials)] : [credentials]
}

const ofPair = (pair: string): string => pair.slice(pair.indexOf('=') + 1).trim()

/** `name=value; name=value` (RFC 6265, section 4.2.1), or one with attributes (section 4.1.1). */
const ofCookie = (value: string): readonly string[] => value.split(';').map(ofPair)
const ofSetCookie = (value: string): readonly string[] => [ofPair(value.split(';', 1)[0] ?? '')]

function* ofMembers(value: unknown, isSecretName: IsSecretName): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && isSecretName(name, 'member')) yield member
    else yield* ofMembers(member, isSecretName)
  }
}

/** @param names that are secret in addition to the usual ones */
export function createSecrets(names: readonly string[]): Secrets {
  const isSecretName = createIsSecretName(names)
  const known = new Queue<string>()
  let characters = 0
  const isTooMuch = () => known.size > MOST_SECRETS || characters > MOST_CHARACTERS

  /** Those of headers or parameters whose name says so. */
  const ofNamed = (named: Iterable<[name: string, value: string]>, place: NamePlace): readonly string[] =>
    [...named].filter(([name]) => isSecretName(name, place)).map(([, value]) => value)

  function note(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (secret.length < LEAST_LENGTH) continue
      // One that comes again is the latest.
      if (known.delete(secret)) characters -= secret.length
      known.add(secret)
      characters += secret.length
    }
    while (isTooMuch()) characters -= known.shift()?.length ?? 0
  }

  function strikeText(text: string): string {
    let struck = text
    for (const secret of known.toArray()) struck = struck.replaceAll(secret, REDACTED)
    return struck
  }

  function strike(value: unknown): unknown {
    if (typeof value === 'string') return strikeText(value)
    if (Array.isArray(value)) return value.map(strike)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        strikeText(name),
        isSecretName(name, 'member') ? REDACTED : strike(member),
      ]),
    )
  }

  return {
    noteHeaders(headers) {
      // `Authorization` is one of these names, too.
      note(ofNamed(headers, 'header').flatMap(ofAuthorization))
      note(ofCookie(headers.get('Cookie') ?? ''))
      note(headers.getSetCookie().flatMap(ofSetCookie))
    },
    noteBody: (value) => note(ofMembers(value, isSecretName)),
    noteParameters: (parameters) => note(ofNamed(parameters, 'parameter')),
    strike,
  }
}
