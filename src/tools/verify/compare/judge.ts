import { endpoints, isOperation } from '../../../service/contract/endpoints.ts'
import type { Endpoint } from '../../../service/contract/endpoint.ts'
import { decision, decisions } from '../../../service/contract/decisions.ts'
import { arrayNames, isIntegral } from '../../../service/contract/models.ts'
import { namesStatus, sectionOf, statesScopes } from '../../../service/contract/stated.ts'
import { stringifyJson } from '../../../service/http/json.ts'
import { COLLECTION } from '../conversations/conversation.ts'
import type { SideAnswer } from '../side.ts'
import { isSuccessStatus } from '../transport.ts'
import { decided, isExactNumber, lastOf, violation } from './difference.ts'
import type { AnswerDifference, Compared, DecidedBy, Ground } from './difference.ts'
import { findReliance, parametersOf } from './reliance.ts'

/** The first decision that a conversation rests on. */
function toDecided({ dialogue: { basis } }: Compared, otherwise: DecidedBy = 'Errors'): Ground {
  const id = /\bD\d+\b/.exec(basis)?.[0]
  return decided(
    Object.keys(decisions).find((one): one is DecidedBy & keyof typeof decisions => one === id) ?? otherwise,
  )
}

/** The name of the saved resource that a path is about: `/{p}/resource/{{a.id}}`. */
export const findSubjectName = ({ step: { path } }: Pick<Compared, 'step'>): string | undefined =>
  /\{\{([\w-]+)\.id\}\}$/.exec(path)?.[1]

/** The name of the resource whose draft has its key. */
export const findDraftName = ({ path, body }: Compared['step']): string | undefined =>
  path === COLLECTION && typeof body === 'string' ? /^\{"key":"\{k\}-([\w-]+)"/.exec(body)?.[1] : undefined

/** Authorization headers that hold no token with a scope, so that no service may accept them. */
const WITHOUT_TOKEN = /^(?:Bearer *|Basic .*|Bearer (?:nothing|null|eyJ\S+\.))$/

/** What a request contradicts that a service refused, although the mock accepts it. */
function judgeRefusal(status: number, endpoint: Endpoint, section: string, compared: Compared): Ground {
  const { step, sent, dialogue } = compared
  const isRefusedToken = status === 401 || status === 403
  if (isRefusedToken && !statesScopes(endpoint)) return decided(decision('D30'))
  const header = typeof step.auth === 'object' && 'header' in step.auth
  if (header) return decided(decision('D32'))
  if (step.path.startsWith('/{o}')) return decided('D24')
  const reliance = findReliance(compared)
  // A type of image that is refused as such (sections 4.13 and 8).
  if (endpoint.purpose === 'upload' && status === 415 && reliance === 'D21') return violation('8', '4.13')
  // Without a match, the status is free; the mock found one by a parameter whose meaning it decided.
  if (endpoint.purpose === 'check' && status === 404 && sent.path.includes('?')) return decided(decision('D11'))
  if (isRefusedToken && (reliance === undefined || reliance === 'D21')) return violation('5')
  if (reliance !== undefined) return decided(reliance)
  // What is overwritten, and what happens if a key or an id is sent again, is not shown.
  if (endpoint.method === 'PATCH' && status === 404) return decided(decision('D15'))
  if (status === 409 && endpoint.purpose === 'complex') return decided(decision('D16'))
  if (status === 409 && dialogue.writes.has(findDraftName(step) ?? '')) return decided(decision('D15'))
  const isModel = endpoint.body?.kind === 'json' && !sent.path.includes('?') && ![404, 405, 501].includes(status)
  return isModel ? violation('2', section) : violation(section)
}

/** What a service contradicts that accepted what the mock refuses. */
function judgeAcceptance(refusal: number, endpoint: Endpoint, compared: Compared): Ground {
  const { step, sent, dialogue } = compared
  if (refusal === 401) {
    const isKnown = step.auth === 'none' || WITHOUT_TOKEN.test(sent.headers['Authorization'] ?? '')
    return isKnown && statesScopes(endpoint) ? violation('5') : decided(isKnown ? 'D30' : 'D32')
  }
  if (refusal === 403) return statesScopes(endpoint) ? violation('5') : decided(decision('D30'))
  if (refusal === 409 && endpoint.purpose === 'update') return violation('7', '4.10', '9')
  const name = findSubjectName(compared)
  if (refusal === 404 && name !== undefined && dialogue.writes.get(name)?.kind === 'deleted') return violation('4.11')
  if (refusal === 404 && step.path.includes('|elsewhere}}')) return violation('1')
  if (endpoint.purpose === 'upload' && (refusal === 415 || step.topic === 'no image')) return violation('8', '4.13')
  const missing = Object.keys(endpoint.headers).filter(
    (one) => endpoint.headers[one]?.required === true && sent.headers[one] === undefined,
  )
  if (missing.length > 0) return violation(sectionOf(endpoint))
  // Higher than any level that a platform chooses.
  if (Number(parametersOf(sent).get('fuzzyLevel')?.[0]) > 1000) return violation('8', '4.4')
  if (endpoint.purpose === 'check' && refusal === 404) return decided(decision('D12'))
  return toDecided(compared)
}

/** What a difference in status contradicts. */
export function judgeStatus(mine: number, its: number, compared: Compared): Ground {
  const { operation, step, sent } = compared
  if (!isOperation(operation)) return decided('D24')
  const endpoint: Endpoint = endpoints[operation]
  const section = sectionOf(endpoint)
  const isConflict = mine === 409 && endpoint.purpose === 'update'
  if (isSuccessStatus(mine)) {
    if (!isSuccessStatus(its)) return judgeRefusal(its, endpoint, section, compared)
    if (sent.method !== endpoint.method) return decided(decision('D9'))
    // Which of several documented statuses is another matter.
    if (namesStatus(endpoint, its)) return decided(decision('D16'))
    return namesStatus(endpoint, mine) ? violation(section) : toDecided(compared)
  }
  // HEAD may say that nothing matches, but not that a documented condition is wrong.
  if (endpoint.purpose === 'check' && mine === 404 && !isSuccessStatus(its))
    return judgeRefusal(its, endpoint, section, compared)
  if (isConflict && step.topic !== 'odd version' && findReliance(compared) === undefined)
    return violation('7', '4.10', '9')
  if (isSuccessStatus(its)) return isConflict ? toDecided(compared) : judgeAcceptance(mine, endpoint, compared)
  return decided(mine === 401 || mine === 403 || its === 401 || its === 403 ? 'D33' : 'Errors')
}

const HEADERS: Readonly<Partial<Record<string, DecidedBy>>> = {
  ETag: decision('D5'),
  Location: decision('D5'),
  'Content-Location': decision('D5'),
  Allow: decision('D24'),
  'Content-Language': decision('D23'),
  'WWW-Authenticate': decision('D33'),
}

const IDENTITY: ReadonlySet<string> = new Set(['id', 'key', 'someProperty', 'createdAt', 'lastModifiedAt'])

/** What rests on the constraints of arrays and strings, which are not shown: how blanks, accents and equal entries are kept. */
const toKept = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .normalize('NFC')
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
    : value

const isLarge = (value: unknown): boolean => isExactNumber(value) && !Number.isSafeInteger(Number(value))

/** What a difference in the content of a resource contradicts. */
function judgeContent({ at, kind, mock, service }: AnswerDifference, section: string): Ground {
  const isKnown = arrayNames.some((name) => at === `objectTypeProperty.${name}`)
  if (kind === 'extra' && isKnown && (service === null || Array.isArray(service)))
    return Array.isArray(service) && service.length === 0 ? decided(decision('D2')) : violation('2', section)
  if (kind === 'extra') return decided(decision('D4'))
  const isArray = Array.isArray(mock)
  if (kind === 'missing') return isArray && mock.length === 0 ? decided(decision('D2')) : violation('2', section)
  if (isArray && Array.isArray(service)) {
    // A set keeps the entries, and neither their number nor their order.
    const [mine, its] = [mock, service].map(
      (all) => new Set(all.map((one: unknown) => stringifyJson(toKept(isIntegral(one) ? String(one) : one)))),
    )
    const isSet =
      mine !== undefined && its !== undefined && mine.size === its.size && [...mine].every((one) => its.has(one))
    return isSet && (new Set(mock).size < mock.length || at.includes('Unique'))
      ? decided(decision('D1'))
      : violation('2', section)
  }
  if (typeof mock === 'string' && typeof service === 'string')
    return toKept(mock) === toKept(service) || mock.length > 255 ? decided(decision('D1')) : violation('2', section)
  // Only integerExample is said to have 64 bits.
  if (isLarge(mock) && isExactNumber(service) && !at.includes('integerExample'))
    return Number(mock) === Number(service) ? decided(decision('D3')) : violation('2', section)
  return violation('2', section)
}

const compareWith = (one: bigint, before: bigint | undefined): number | undefined =>
  before === undefined ? undefined : one === before ? 0 : one > before ? 1 : -1

/**
 * What a version contradicts: it grows with a change, and stays after a refused one (sections 7 and 9). Where it starts, and
 * by how much it grows, is D7's.
 */
export function judgeVersion(
  mine: bigint,
  its: bigint,
  name: string,
  { dialogue: { isDecided, versions, writes } }: Compared,
): Ground | undefined {
  const [mock, service] = [compareWith(mine, versions.mock.get(name)), compareWith(its, versions.service.get(name))]
  const last = writes.get(name)?.kind
  if (last === 'deleted') return mine === its ? undefined : decided(decision('D7'))
  if (isDecided) return mine === its ? undefined : decided(decision('D15'))
  if (service === -1) return violation('9')
  if (mock === 1 && service === 0 && last === 'changed') return violation('9')
  if (mock === 0 && service === 1 && last === 'stale') return violation('7', '9')
  return mine === its ? undefined : decided(decision('D7'))
}

/** The decision on each page of results. */
const PAGES: Readonly<Partial<Record<string, DecidedBy>>> = {
  queryResources: decision('D10'),
  searchResources: decision('D14'),
  sortedQuery: decision('D20'),
}

/** What a difference in a body contradicts. */
function judgeBody(difference: AnswerDifference, compared: Compared, endpoint: Endpoint, section: string): Ground {
  const { at, kind, mock, service } = difference
  const { operation, dialogue } = compared
  const page = PAGES[operation]
  const name = lastOf(at)
  const isIdentity = IDENTITY.has(at) || /^results\[\d+\]\.\w+$/.test(at)
  if (isIdentity && name === 'someProperty' && typeof service === 'string') {
    const last = dialogue.writes.get(findSubjectName(compared) ?? '')
    const { texts = [], kind: write } = last ?? {}
    if (texts.includes(service)) return write === 'stale' ? violation('7', '9') : violation('2')
  }
  if (page !== undefined) return decided(page)
  if (IDENTITY.has(at)) return decided(decision('D5'))
  if (!namesStatus(endpoint, 200) && !namesStatus(endpoint, 201)) return toDecided(compared)
  if (endpoint.purpose === 'writePayload' || endpoint.purpose === 'readPayload') return decided(decision('D22'))
  if (dialogue.isDecided) return decided(decision('D15'))
  if (at.startsWith('objectTypeProperty')) return judgeContent({ at, kind, mock, service }, section)
  if (kind === 'extra') return decided(decision('D4'))
  return violation(section)
}

/** What a difference between two answers contradicts, except for that of statuses and versions. */
export function judge(difference: AnswerDifference, compared: Compared, mine: SideAnswer): Ground {
  const { at, kind } = difference
  const { operation } = compared
  const isError = mine.status >= 400
  if (kind === 'header') {
    const isBody = at === 'Content-Type' && !isError && isOperation(operation)
    return isBody ? violation('1') : decided(HEADERS[at] ?? 'Errors')
  }
  if (isError || !isOperation(operation)) return decided(at.startsWith('error_') || at === 'error' ? 'D33' : 'Errors')
  const endpoint: Endpoint = endpoints[operation]
  return judgeBody(difference, compared, endpoint, sectionOf(endpoint))
}
