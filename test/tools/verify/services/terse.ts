import { findImageType, findQueryFaults, isArrayTestType } from './model.ts'
import { BREACHES } from './breaches.ts'
import { LIBERTIES } from './liberties.ts'
import { applySwitches, createTokens, findJson, isObject } from './service.ts'
import type { Answer, Call, Handle, Json, Switch, Switched } from './service.ts'
import { TERSE_CART } from './carts.ts'

interface Kept {
  version: number
  property: Json
  some: string
}

/** What the second service may do otherwise itself. */
const OWN = {
  'no-location': 'Creates send no Location, so that nobody learns an id',
  'put-overwrites-latest': 'PUT overwrites the resource that was written last',
  'patch-creates': 'PATCH always creates',
  'drafts-need-property': 'A draft without objectTypeProperty is refused',
  'nulls-are-absent': 'null is accepted for an absent array',
  'checks-parameters': 'Parameters of another type are refused',
  'only-known-parameters': 'Unknown query parameters are refused',
  'unique-is-unique': 'arrayOfUniqueIntExample refuses repeated values',
  'two-or-more': 'arrayOfTwonumbersExample may have any length',
  'versions-from-one': 'Versions start at 1',
  'versions-by-update': 'An update adds 1 to the version, however many actions it has',
  'same-value-keeps-version': 'An update that changes nothing keeps the version',
  'missing-version-400': 'An update without version answers 400, not 409',
  'unknown-actions-refused': 'Unknown actions are refused',
  'update-answers': 'An update answers 200 with the resource',
  'complex-200': 'The complex POST answers 200',
  'complex-checks-body': 'The complex POST refuses a body that is not JSON',
  'upload-204': 'An upload answers 204',
  'search-answers-arrays': 'The search answers an ArrayTestType',
  'sorted-answers-object': 'The sorted list is an object',
  'head-never-404': 'HEAD answers 200 even without resources',
  'others-need-manage': 'The endpoints 9, 10, 12 and 14 to 16 need manage_test',
  'others-need-products': 'The endpoints 9, 12 and 14 to 16 need manage_products',
  'token-refuses-unknown': 'The token endpoint refuses unknown scopes',
  'locale-406': 'A missing Storefront-Locale answers 406',
  'limit-10': 'The sorted list has at most ten resources',
} as const

export const TERSE: readonly Switch[] = [
  ...Object.values(OWN).map((name) => ({ name, only: 'terse' as const })),
  ...LIBERTIES.filter(({ only }) => only !== 'numbered'),
]

/**
 * Another service written from the specification: errors are plain text, ids are opaque and only in `Location`, drafts
 * have no key, lists are the arrays of the resources and nothing else.
 */
export function createTerse({ liberties = [], breaches = [] }: Switched = {}): Handle {
  const does = (name: keyof typeof OWN): boolean => liberties.includes(OWN[name])
  const tokens = createTokens()
  const kept = new Map<string, Map<string, Kept>>()
  let created = 0

  const refuse = (status: number): Answer => ({ status, text: `Refused: ${status}\n` })
  const of = (project: string): Map<string, Kept> => {
    const all = kept.get(project) ?? new Map<string, Kept>()
    kept.set(project, all)
    return all
  }
  const show = ({ version, property }: Kept): Json => ({ objectTypeProperty: property, version })

  const findProperty = (body: Buffer): Json | undefined => {
    const draft = findJson(body)
    if (!isObject(draft)) return undefined
    const given = draft['objectTypeProperty'] ?? (does('drafts-need-property') ? undefined : {})
    if (!isObject(given)) return undefined
    const property = does('nulls-are-absent')
      ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
      : given
    const { arrayOfUniqueIntExample: unique, arrayOfTwonumbersExample: two } = property
    if (Array.isArray(two) && two.length !== 2 && !does('two-or-more')) return undefined
    if (Array.isArray(unique) && new Set(unique).size < unique.length && does('unique-is-unique')) return undefined
    return isArrayTestType(property) ? property : undefined
  }

  function write({ project, endpoint, body }: Call): Answer {
    const property = findProperty(body)
    if (property === undefined) return refuse(422)
    const all = of(project)
    const overwrites = endpoint === 7 ? !does('patch-creates') : endpoint === 8 && does('put-overwrites-latest')
    const latest = overwrites ? [...all.keys()].at(-1) : undefined
    const id = latest ?? `r${((++created * 7919) % 46_656).toString(36)}-${created}`
    const old = all.get(id)
    const written = {
      version: old === undefined ? (does('versions-from-one') ? 1 : 7) : old.version + 1,
      property,
      some: '',
    }
    all.delete(id)
    all.set(id, written)
    const headers: Answer['headers'] = does('no-location') ? {} : { Location: `/${project}/resource/${id}` }
    return { status: 201, headers, json: show(written) }
  }

  function update(call: Call): Answer {
    const found = of(call.project).get(call.given[0] ?? '')
    if (found === undefined) return refuse(404)
    const request = findJson(call.body)
    if (!isObject(request) || !Array.isArray(request['actions']) || !request['actions'].every(isObject))
      return refuse(422)
    const actions: readonly Json[] = request['actions']
    if (request['version'] === undefined && does('missing-version-400')) return refuse(400)
    if (request['version'] !== found.version) return refuse(409)
    if (does('unknown-actions-refused') && actions.some(({ action }) => !/^(?:do|change)Some/.test(String(action))))
      return refuse(422)
    const some = actions.findLast(({ action }) => action === 'changeSomeProperty')?.['someProperty'] ?? found.some
    const isSame = some === found.some && does('same-value-keeps-version')
    found.version += isSame ? 0 : does('versions-by-update') ? 1 : Math.max(actions.length, 1)
    found.some = typeof some === 'string' ? some : found.some
    return does('update-answers') ? { status: 200, json: show(found) } : { status: 204 }
  }

  const merge = (all: Iterable<Kept>): Json => {
    const merged: Record<string, unknown[]> = {}
    for (const { property } of all)
      for (const [name, values] of Object.entries(property))
        if (Array.isArray(values)) (merged[name] ??= []).push(...(values as unknown[]))
    return merged
  }

  function upload({ headers, body }: Call): Answer {
    const type = headers['content-type']?.split(';')[0]
    if (type === undefined || findImageType(body) !== type) return refuse(415)
    return { status: does('upload-204') ? 204 : 202 }
  }

  function perform(call: Call): Answer {
    const { endpoint, project, given, query, headers } = call
    const all = of(project)
    const found = all.get(given[0] ?? '')
    const ok = (json: unknown): Answer => ({ status: 200, json })
    switch (endpoint) {
      case 1:
        return ok(merge(all.values()))
      case 2:
        return found === undefined ? refuse(404) : ok(show(found))
      case 4:
        if (Number(query.get('fuzzyLevel') ?? 0) > 1) return refuse(422)
        return ok(does('search-answers-arrays') ? merge(all.values()) : { found: all.size })
      case 5:
        return all.size > 0 || does('head-never-404') ? { status: 200 } : { status: 404 }
      case 6:
      case 7:
      case 8:
        return write(call)
      case 9:
        if (does('complex-checks-body') && findJson(call.body) === undefined) return refuse(422)
        return {
          status: does('complex-200') ? 200 : 203,
          json: { arrayOfIntExample: [7], arrayOfFloatExample: [2.25] },
        }
      case 10:
        return update(call)
      case 11:
        all.delete(given[0] ?? '')
        return found === undefined ? refuse(404) : ok(show(found))
      case 12: {
        const list = [...all.values()].slice(0, does('limit-10') ? 10 : undefined).map(show)
        return ok(does('sorted-answers-object') ? { list } : list)
      }
      case 13:
        return upload(call)
      case 14:
        return ok({})
      case 15:
        return ok(TERSE_CART)
      case 16:
        if (headers['accept'] === undefined) return refuse(428)
        if (headers['storefront-locale'] === undefined) return refuse(does('locale-406') ? 406 : 428)
        return ok(TERSE_CART)
      default:
        return refuse(404)
    }
  }

  const isOther = (endpoint: number) => [9, 10, 12, 14, 15, 16].includes(endpoint)

  function isAllowed(call: Call, scopes: readonly string[]): boolean {
    const { endpoint = 0, project } = call
    const has = (...names: readonly string[]) => names.some((name) => scopes.includes(`${name}:${project}`))
    if (endpoint === 13 || (endpoint !== 10 && isOther(endpoint) && does('others-need-products')))
      return has('manage_products')
    if ([6, 7, 8, 11].includes(endpoint) || (isOther(endpoint) && does('others-need-manage'))) return has('manage_test')
    return isOther(endpoint) || has('manage_test', 'view_test')
  }

  function getToken({ body }: Call): Answer {
    const asked = new URLSearchParams(body.toString('utf8')).get('scope')?.split(' ') ?? []
    const scopes = asked.filter((scope) => /^(?:manage_test|view_test|manage_products):/.test(scope))
    if (scopes.length < asked.length && does('token-refuses-unknown'))
      return { status: 400, json: { error: 'invalid_scope' } }
    return { status: 200, json: { access_token: tokens.issue(scopes), token_type: 'bearer', scope: scopes.join(' ') } }
  }

  function handle(call: Call): Answer {
    if (call.path === '/') return { status: 200, text: 'Welcome.' }
    if (call.path === '/oauth/token') return getToken(call)
    if (call.endpoint === undefined) return refuse(404)
    const scopes = tokens.scopesOf(call)
    if (scopes === undefined || !isAllowed(call, scopes)) return refuse(401)
    const { unknown, mistyped } = findQueryFaults(call.endpoint, call.query)
    if (mistyped.length > 0 && does('checks-parameters')) return refuse(422)
    return unknown.length > 0 && does('only-known-parameters') ? refuse(422) : perform(call)
  }

  const inside = { tokens, refuse }
  return applySwitches(applySwitches(handle, inside, TERSE, liberties), inside, BREACHES, breaches)
}
