import { arrayNames, isDateTime, isIntegral } from '../../../service/contract/models.ts'
import { isJsonObject, stringifyJson } from '../../../service/http/json.ts'
import type { Side } from '../side.ts'
import { decided, isSameValue, toDifference, unless } from './difference.ts'
import type { AnswerDifference, Compared, Ground } from './difference.ts'
import { findSubjectName, judgeVersion } from './judge.ts'

type JsonObject = Readonly<Record<string, unknown>>

const memberPath = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

const idName = (side: Side, id: unknown): string =>
  (typeof id === 'string' || isIntegral(id) ? side.names.get(String(id)) : undefined) ?? 'another'

const idNames = (side: Side, results: readonly unknown[]): string =>
  results.map((one) => idName(side, isJsonObject(one) ? one['id'] : undefined)).join(', ')

const DATE_MEMBERS = ['createdAt', 'lastModifiedAt'] as const

const isIdentity = (name: string): boolean => ['id', 'key', 'someProperty', ...DATE_MEMBERS].some((one) => one === name)

/** How a date differs from that of an earlier answer about the same resource. */
function toDateChange(side: Side, dates: Map<string, number>, resource: JsonObject, member: string): string {
  const name = `${idName(side, resource['id'])} ${member}`
  const [before, now] = [dates.get(name), Date.parse(String(resource[member]))]
  dates.set(name, now)
  side.instants.add(now)
  if (before === undefined) return 'new'
  return now > before ? 'later' : now < before ? 'earlier' : 'same'
}

/** Dates are compared with earlier ones of the same resource. */
function compareDates(
  mock: JsonObject,
  service: JsonObject,
  at: string,
  { mock: mockSide, service: serviceSide, dialogue: { dates, hasPaused } }: Compared,
): readonly AnswerDifference[] {
  if (service['id'] === undefined) return []
  return DATE_MEMBERS.flatMap((member) => {
    if (service[member] === undefined) return []
    const mine = toDateChange(mockSide, dates.mock, mock, member)
    const its = toDateChange(serviceSide, dates.service, service, member)
    const isNew = mine === 'new' || its === 'new'
    // A clock in seconds may stand still for a moment; one that never moves is frozen.
    const isFree =
      (member === 'lastModifiedAt' && mine === 'same' && its === 'later') ||
      (mine === 'later' && its === 'same' && (!hasPaused || serviceSide.instants.size === 1))
    return unless(isNew || isFree || mine === its, memberPath(at, member), mine, its, 'date')
  })
}

/** A difference between two versions, by what earlier answers gave for the same resource. */
function compareVersions(
  mine: number | bigint,
  its: number | bigint,
  at: string,
  name: string | undefined,
  compared: Compared,
): readonly JudgedVersion[] {
  const { versions } = compared.dialogue
  if (name === undefined || name === 'another') {
    return isSameValue(mine, its) ? [] : [{ ...toDifference(at, mine, its), ground: decided('D7') }]
  }
  const ground = judgeVersion(BigInt(mine), BigInt(its), name, compared)
  versions.mock.set(name, BigInt(mine))
  versions.service.set(name, BigInt(its))
  return ground === undefined ? [] : [{ ...toDifference(at, mine, its), ground }]
}

/** A difference that its comparison has judged. */
type JudgedVersion = AnswerDifference & { readonly ground?: Ground }

function compareObjects(
  mock: JsonObject,
  service: JsonObject,
  at: string,
  compared: Compared,
): readonly JudgedVersion[] {
  const isResource = at === '' || /^results\[\d+\]$/.test(at)
  return [
    ...(isResource ? compareDates(mock, service, at, compared) : []),
    ...Object.entries(mock).flatMap(([name, value]) => {
      const place = memberPath(at, name)
      const other = service[name]
      if (!Object.hasOwn(service, name)) {
        // The mock was asked for the identity in the body, so that both can be compared (D5).
        return at === '' && isIdentity(name) ? [] : [toDifference(place, value, undefined, 'missing')]
      }
      if (isResource && name === 'version' && isIntegral(value) && isIntegral(other)) {
        const named = at === '' ? (compared.step.save ?? findSubjectName(compared)) : undefined
        const [mine, its] = [idName(compared.mock, mock['id']), idName(compared.service, service['id'])]
        return compareVersions(value, other, place, named ?? (mine === its ? mine : undefined), compared)
      }
      // Each side chooses its ids and dates: ids are compared by name, dates by form.
      if (isResource && name === 'id') {
        const [mine, its] = [idName(compared.mock, value), idName(compared.service, other)]
        return unless(mine === its, place, mine, its)
      }
      if (!isResource || !DATE_MEMBERS.some((one) => one === name)) return compareValues(value, other, place, compared)
      const isRight = typeof other === 'string' && isDateTime(other) && !Number.isNaN(Date.parse(other))
      return unless(isRight, place, value, other)
    }),
    ...Object.keys(service)
      .filter((name) => !Object.hasOwn(mock, name))
      .map((name) => toDifference(memberPath(at, name), undefined, service[name], 'extra')),
  ]
}

/** Compares two bodies with resources. */
function compareValues(mock: unknown, service: unknown, at: string, compared: Compared): readonly JudgedVersion[] {
  if (isJsonObject(mock) && isJsonObject(service)) return compareObjects(mock, service, at, compared)
  if (!Array.isArray(mock) || !Array.isArray(service)) return unless(isSameValue(mock, service), at, mock, service)
  if (at === 'results') {
    const [mine, its] = [idNames(compared.mock, mock), idNames(compared.service, service)]
    if (mine !== its) return [toDifference(at, `[${mine}]`, `[${its}]`)]
  } else if (mock.length !== service.length) return [toDifference(at, mock, service)]
  return mock.flatMap((value, index) => compareValues(value, service[index], `${at}[${index}]`, compared))
}

/** Whether a page has all results of its query, by its own total. */
function isWholePage({ results, total }: JsonObject, limit: number): boolean {
  if (!Array.isArray(results)) return true
  return total === undefined ? results.length < limit : Number(total) <= results.length
}

/** The results of a page without an order, in the order of their names; only their number if others are on other pages. */
function toUnordered(side: Side, page: JsonObject, areWhole: boolean): JsonObject {
  const { results } = page
  if (!Array.isArray(results)) return page
  if (!areWhole) return { ...page, results: results.length }
  const order = results.toSorted((one, other) => (idNames(side, [one]) < idNames(side, [other]) ? -1 : 1))
  return { ...page, results: order }
}

/** The arrays of a page are those of its first result, or empty (D10); the first results of two services may differ. */
function compareFirst(mock: JsonObject, service: JsonObject): readonly AnswerDifference[] {
  const results = service['results']
  const first: unknown = Array.isArray(results) ? results[0] : undefined
  const content = isJsonObject(first) ? first['objectTypeProperty'] : {}
  return arrayNames.flatMap((name) => {
    if (!Object.hasOwn(mock, 'arrayOfIntExample') && !Object.hasOwn(mock, name)) return []
    const [own, expected] = [service[name], isJsonObject(content) ? content[name] : undefined]
    const isRight = stringifyJson(own ?? []) === stringifyJson(expected ?? [])
    return unless(isRight, name, 'the array of the first result', own)
  })
}

/** Compares two pages of results. */
function comparePages(mock: JsonObject, service: JsonObject, compared: Compared): readonly JudgedVersion[] {
  const isOrdered = /[?&]sort=/.test(compared.sent.path) && compared.operation !== 'searchResources'
  const limit = Number(mock['limit'])
  // The total of the service may be wrong.
  const areWhole = isWholePage(mock, limit) && isWholePage(service, limit)
  const [mine, its] = isOrdered
    ? [mock, service]
    : [toUnordered(compared.mock, mock, areWhole), toUnordered(compared.service, service, areWhole)]
  const arrays = compared.operation === 'queryResources' ? compareFirst(mock, service) : []
  const withoutArrays = (page: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(page).filter(([name]) => !arrayNames.some((one) => one === name)))
  return [...arrays, ...compareValues(withoutArrays(mine), withoutArrays(its), '', compared)]
}

/** Compares two answers with a resource or a page of resources. */
export const compareResources = (mock: unknown, service: unknown, compared: Compared): readonly JudgedVersion[] =>
  isJsonObject(mock) && isJsonObject(service) && Array.isArray(mock['results'])
    ? comparePages(mock, service, compared)
    : compareValues(mock, service, '', compared)

/** Compares two JSON values exactly, but for the order of members. */
export function compareExactly(mock: unknown, service: unknown, at = ''): readonly AnswerDifference[] {
  if (isJsonObject(mock) && isJsonObject(service)) {
    const names = [...new Set([...Object.keys(mock), ...Object.keys(service)])]
    return names.flatMap((name) => compareExactly(mock[name], service[name], memberPath(at, name)))
  }
  if (!Array.isArray(mock) || !Array.isArray(service) || mock.length !== service.length)
    return unless(isSameValue(mock, service), at === '' ? 'body' : at, mock, service)
  return mock.flatMap((value, index) => compareExactly(value, service[index], `${at}[${index}]`))
}
