import { arrayNames, isDateTime } from '../../../service/contract/models.ts'
import { isJsonObject, stringifyJson } from '../../../service/http/json.ts'
import type { Side } from '../side.ts'
import { isExactNumber, isSameValue, lastOf, toDifference, unless } from './difference.ts'
import type { Compared, AnswerDifference } from './difference.ts'

type JsonObject = Readonly<Record<string, unknown>>

const memberPath = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

const idName = (side: Side, id: unknown): string =>
  (typeof id === 'string' ? side.names.get(id) : undefined) ?? 'another'

const idNames = (side: Side, results: readonly unknown[]): string =>
  results.map((one) => idName(side, isJsonObject(one) ? one['id'] : undefined)).join(', ')

const DATE_MEMBERS = ['createdAt', 'lastModifiedAt'] as const

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
  compared: Compared,
): readonly AnswerDifference[] {
  if (typeof mock['id'] !== 'string' || typeof service['id'] !== 'string') return []
  return DATE_MEMBERS.flatMap((member) => {
    const mine = toDateChange(compared.mock, compared.dates.mock, mock, member)
    const its = toDateChange(compared.service, compared.dates.service, service, member)
    const isNew = mine === 'new' || its === 'new'
    return unless(isNew || mine === its, memberPath(at, member), mine, its, 'date')
  })
}

function compareObjects(
  mock: JsonObject,
  service: JsonObject,
  at: string,
  compared: Compared,
): readonly AnswerDifference[] {
  const isResource = at === '' || /^results\[\d+\]$/.test(at)
  return [
    ...(isResource ? compareDates(mock, service, at, compared) : []),
    ...Object.entries(mock).flatMap(([name, value]) => {
      const place = memberPath(at, name)
      const other = service[name]
      if (!Object.hasOwn(service, name)) return [toDifference(place, value, undefined, 'missing')]
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
function compareValues(mock: unknown, service: unknown, at: string, compared: Compared): readonly AnswerDifference[] {
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
function comparePages(mock: JsonObject, service: JsonObject, compared: Compared): readonly AnswerDifference[] {
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
export const compareResources = (mock: unknown, service: unknown, compared: Compared): readonly AnswerDifference[] =>
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

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : isExactNumber(value) ? 'number' : typeof value

const INTEGER = /integer|centAmount|count|fractionDigits|OfInt|UniqueInt|Twonumbers/

/** What the name of a member promises beyond its type. */
function compareNamed(at: string, service: unknown): readonly AnswerDifference[] {
  const name = lastOf(at)
  if (isExactNumber(service)) {
    if (INTEGER.test(name) && !Number.isInteger(Number(service))) return [toDifference(at, 'an integer', service)]
    const isSmall = service <= 2147483647 && service >= -2147483648
    return unless(isSmall || !name.endsWith('Int32'), at, 'an int32', service)
  }
  if (name === '_url') return unless(!/^(?:[a-z]+:)?\/\//i.test(String(service)), at, 'a relative path', service)
  return unless(name !== 'currencyCode' || /^[A-Z]{3}$/.test(String(service)), at, 'a currency code', service)
}

/** Compares the members and types of two answers whose values are the service's own. */
export function compareShapes(mock: unknown, service: unknown, at = ''): readonly AnswerDifference[] {
  if (typeOf(mock) !== typeOf(service))
    return [toDifference(at === '' ? 'body' : at, `a JSON ${typeOf(mock)}`, service)]
  if (Array.isArray(mock) && Array.isArray(service)) {
    const first: unknown = mock[0]
    if (first === undefined) return []
    return service.flatMap((value, index) => compareShapes(first, value, `${at}[${index}]`))
  }
  if (!isJsonObject(mock) || !isJsonObject(service)) return compareNamed(at, service)
  return Object.entries(mock).flatMap(([name, value]) =>
    Object.hasOwn(service, name)
      ? compareShapes(value, service[name], memberPath(at, name))
      : [toDifference(memberPath(at, name), `a JSON ${typeOf(value)}`, undefined, 'missing')],
  )
}
