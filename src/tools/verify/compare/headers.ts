import { decodeSegment } from '../side.ts'
import type { SideAnswer } from '../side.ts'
import { toDifference } from './difference.ts'
import type { Compared, AnswerDifference } from './difference.ts'

type Parameters = Readonly<Record<string, string>>

/** The parameters of the Bearer challenge, which may be one of several (RFC 9110, section 11.6.1); undefined without one. */
export function parseChallenge(header: string | null): Parameters | undefined {
  // What comes before the scheme may hold quoted strings with the scheme's name in them.
  const [, own] = /^(?:(?:[^",]|"(?:[^"\\]|\\.)*")*,)*?\s*bearer\b\s*(.*)$/is.exec(header ?? '') ?? []
  if (own === undefined) return undefined
  const pairs = own.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)
  const found: Record<string, string> = {}
  for (const [, name = '', quoted, bare = ''] of pairs)
    found[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? bare
  return found
}

const isJsonMediaType = (text: string | null): boolean =>
  /^application\/json\s*(?:;|$)/i.test(text ?? '') && !/charset\s*=\s*(?!"?utf-8)/i.test(text ?? '')

const toMethods = (header: string | null): ReadonlySet<string> =>
  new Set((header ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim().toUpperCase()])))

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*$/

/** Compares the headers of the mock by their meaning; further headers are free. */
export function compareHeaders(mock: SideAnswer, service: SideAnswer, compared: Compared): readonly AnswerDifference[] {
  const found: AnswerDifference[] = []
  const [mine, its] = [mock.headers, service.headers]
  const expect = (isRight: boolean, name: string, value: string | null = mine.get(name)): void => {
    if (!isRight) found.push(toDifference(name, value ?? undefined, its.get(name) ?? undefined, 'header'))
  }

  const isJson = mine.get('Content-Type')?.includes('json') === true
  expect(service.text === '' || !isJson || isJsonMediaType(its.get('Content-Type')), 'Content-Type')
  expect(its.get('X-Content-Type-Options')?.toLowerCase() === 'nosniff', 'X-Content-Type-Options', 'nosniff')
  const etag = mine.get('ETag')
  expect(etag === null || etag === its.get('ETag'), 'ETag')
  for (const name of ['Location', 'Content-Location'])
    expect(isSamePlace(name, mine.get(name), its.get(name), compared), name)
  if (service.status === 405) {
    const [wanted, given] = [toMethods(mine.get('Allow')), toMethods(its.get('Allow'))]
    const isMissing = [...wanted].some((one) => one !== 'OPTIONS' && one !== 'HEAD' && !given.has(one))
    expect(!isMissing && !given.has(compared.step.method), 'Allow')
  }
  expect(isSameChallenge(mine.get('WWW-Authenticate'), its.get('WWW-Authenticate')), 'WWW-Authenticate')
  expect(
    mine.get('Content-Language') === null || LANGUAGE_TAG.test(its.get('Content-Language') ?? ''),
    'Content-Language',
  )
  const [id, asked] = [its.get('X-Correlation-ID'), compared.sent.headers['X-Correlation-ID']]
  // Errors does not say what answers a malformed id.
  if (asked !== undefined) expect(id === asked || mine.get('X-Correlation-ID') !== asked, 'X-Correlation-ID', asked)
  else {
    expect(id !== null && !compared.correlationIds.has(id), 'X-Correlation-ID', 'a new id for each response')
    if (id !== null) compared.correlationIds.add(id)
  }
  return found
}

/** Whether a location names the same resource, in the project of the request. */
function isSamePlace(name: string, mine: string | null, its: string | null, { mock, service, step, sent }: Compared) {
  if (mine === null) return true
  const base = `http://service${sent.path.split('?')[0]}`
  if (its === null || !URL.canParse(its, base)) return false
  const { pathname } = new URL(its, base)
  const at = pathname.lastIndexOf('/')
  const id = decodeSegment(pathname.slice(at + 1))
  const project = step.path.startsWith('/{o}') ? service.otherProject : service.project
  const expected = mock.names.get(decodeSegment(mine.split('/').at(-1) ?? ''))
  const isKnown = expected === undefined || step.save !== undefined || service.names.get(id) === expected
  return pathname.slice(0, at).endsWith(`/${project}/resource`) && isKnown && !/^(?:key=|images$)/.test(id)
}

/** Whether a challenge says the same: the realm, the error, and a scope that the mock names. */
function isSameChallenge(mine: string | null, its: string | null): boolean {
  const wanted = parseChallenge(mine)
  if (wanted === undefined) return mine === null || its !== null
  const given = parseChallenge(its)
  if (given === undefined || given['realm'] !== wanted['realm'] || given['error'] !== wanted['error']) return false
  const scopes = wanted['scope']?.split(' ')
  return scopes === undefined || (given['scope'] ?? '').split(' ').every((one) => scopes.includes(one))
}
