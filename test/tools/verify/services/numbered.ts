import { ARRAYS, findImageType, findQueryFaults, isArrayTestType, isOutOfOrder } from './model.ts'
import { BREACHES } from './breaches.ts'
import { LIBERTIES } from './liberties.ts'
import { applySwitches, createTokens, findJson, isKnownPath, isObject } from './service.ts'
import type { Answer, Call, Handle, Json, Switch, Switched } from './service.ts'
import { NUMBERED_CART } from './carts.ts'

interface Resource {
  readonly id: number
  readonly key?: string
  readonly version: number
  readonly objectTypeProperty: Json
  readonly someProperty?: unknown
}

/** What the first service may do otherwise itself. */
const OWN = {
  'starts-empty': 'A project has no resources at first',
  'put-always-creates': 'PUT creates a resource even if its key exists',
  'post-always-creates': 'POST creates a resource even if its key exists',
  'patch-needs-key': 'PATCH of a key that does not exist answers 404',
  'head-filters': 'HEAD answers 404 if no resource has the given arrayOfString',
  'list-filters': 'Lists have only resources with the given arrayOfString',
  'no-paging': 'Lists have no paging fields',
  'accepts-mistyped': 'Parameters of another type are ignored',
  'refuses-unknown': 'Unknown query parameters are refused',
  'refuses-repeated': 'A single parameter that is given twice is refused',
  'refuses-unknown-members': 'Drafts with unknown members are refused',
  'checks-content-type': 'JSON without its Content-Type is refused with 415',
  'duplicates-allowed': 'arrayOfUniqueIntExample may repeat a value',
  'two-numbers': 'arrayOfTwonumbersExample has exactly two values',
  'ids-are-checked': 'An id that is not a number is refused with 400',
  'versions-by-two': 'A write adds 2 to the version',
  'versions-from-zero': 'Versions start at 0',
  'keeps-version': 'An update that changes nothing keeps the version',
  'version-per-action': 'Each action adds 1 to the version',
  'accepts-unknown-actions': 'Unknown actions are ignored',
  'refuses-no-actions': 'An update without actions is refused',
  'complex-201': 'The complex POST answers 201',
  'complex-203': 'The complex POST answers 203',
  'upload-200': 'An upload answers 200',
  'variant-or-sku': 'An upload with both variant and sku is refused',
  'limit-100': 'A limit above 100 is refused',
  'no-total': 'The sorted list has no total without withTotal',
  'actions-need-nothing': 'The endpoints 14 to 16 need no token',
  'reads-need-manage': 'The endpoints 12 and 14 to 16 need manage_test',
  'complex-needs-products': 'The complex POST needs manage_products',
  'fuzzy-level-zero': 'The fuzzy level of the platform is 0',
  'token-ignores-unknown': 'The token endpoint ignores unknown scopes',
} as const

export const NUMBERED: readonly Switch[] = [
  ...Object.values(OWN).map((name) => ({ name, only: 'numbered' as const })),
  ...LIBERTIES.filter(({ only }) => only !== 'terse'),
]

/**
 * A service written from the specification: ids are numbers and shown in bodies, errors are problems of RFC 9457,
 * drafts may have a key, and no header is sent but Content-Type.
 */
export function createNumbered({ liberties = [], breaches = [] }: Switched = {}): Handle {
  const does = (name: keyof typeof OWN): boolean => liberties.includes(OWN[name])
  const tokens = createTokens()
  const projects = new Map<string, Map<number, Resource>>()
  const actionData = new Map<string, unknown>()
  let ids = 0

  const ok = (json: unknown, status = 200): Answer => ({ status, json })
  const refuse = (status: number, detail = 'The request was refused.'): Answer => ({
    status,
    type: 'application/problem+json',
    json: { type: 'about:blank', title: `Status ${status}`, status, detail },
  })

  const firstVersion = does('versions-from-zero') ? 0 : 1
  const step = does('versions-by-two') ? 2 : 1

  const resourcesOf = (project: string): Map<number, Resource> => {
    const found = projects.get(project)
    if (found !== undefined) return found
    const resources = new Map<number, Resource>()
    projects.set(project, resources)
    if (!does('starts-empty'))
      for (const key of ['first', 'second'])
        put(resources, { key, objectTypeProperty: { arrayOfIntExample: [1, 2], arrayOfStringExample: [key] } })
    return resources
  }
  const put = (resources: Map<number, Resource>, given: Omit<Resource, 'id' | 'version'>, old?: Resource): Resource => {
    const written = { id: old?.id ?? ++ids, version: old === undefined ? firstVersion : old.version + step, ...given }
    resources.set(written.id, written)
    return written
  }

  const isDraft = (value: unknown): value is Json & { objectTypeProperty: Json } =>
    isObject(value) &&
    isObject(value['objectTypeProperty']) &&
    isArrayTestType(value['objectTypeProperty']) &&
    (value['key'] === undefined || typeof value['key'] === 'string') &&
    !(
      does('refuses-unknown-members') &&
      Object.keys(value).some((name) => !['key', 'objectTypeProperty'].includes(name))
    ) &&
    Object.entries(value['objectTypeProperty']).every(
      ([name, values]) =>
        !Array.isArray(values) ||
        (name === 'arrayOfUniqueIntExample'
          ? does('duplicates-allowed') || new Set(values).size === values.length
          : name !== 'arrayOfTwonumbersExample' || !does('two-numbers') || values.length === 2),
    )

  function write({ project, endpoint, body }: Call): Answer {
    const draft = findJson(body)
    if (!isDraft(draft)) return refuse(400, 'The body is not an ObjectTestTypeDraft.')
    const resources = resourcesOf(project)
    const always = (endpoint === 6 && does('post-always-creates')) || (endpoint === 8 && does('put-always-creates'))
    const key = typeof draft['key'] === 'string' ? draft['key'] : undefined
    const old = always || key === undefined ? undefined : [...resources.values()].findLast((one) => one.key === key)
    if (endpoint === 7 && old === undefined && does('patch-needs-key')) return refuse(404)
    const property = Object.fromEntries(
      Object.entries(draft.objectTypeProperty).filter(([name]) => ARRAYS[name] !== undefined),
    )
    return ok(put(resources, { ...(key === undefined ? {} : { key }), objectTypeProperty: property }, old), 201)
  }

  function update({ project, given: [id], body }: Call): Answer {
    const request = findJson(body)
    if (!isObject(request) || typeof request['version'] !== 'number' || !Array.isArray(request['actions']))
      return refuse(400, 'The body is not an update request.')
    const { version } = request
    const actions: readonly unknown[] = request['actions']
    const resources = resourcesOf(project)
    const old = resources.get(Number(id))
    if (old === undefined) return refuse(404)
    if (actions.length === 0 && does('refuses-no-actions')) return refuse(400)
    const known = actions.map((one) =>
      !isObject(one)
        ? undefined
        : one['action'] === 'changeSomeProperty' && typeof one['someProperty'] === 'string'
          ? { someProperty: one['someProperty'] }
          : one['action'] === 'doSomeThing' || (typeof one['action'] === 'string' && does('accepts-unknown-actions'))
            ? {}
            : undefined,
    )
    if (known.includes(undefined)) return refuse(400, 'An action is unknown.')
    if (version !== old.version) return refuse(409, `The version is ${old.version}.`)
    const changed = { someProperty: old.someProperty, ...Object.assign({}, ...known) } as { someProperty?: unknown }
    if (does('keeps-version') && changed.someProperty === old.someProperty) return ok(old)
    const more = does('version-per-action') ? Math.max(actions.length - 1, 0) : 0
    return ok(put(resources, { ...old, ...changed, version: old.version + step + more } as Resource, old))
  }

  const pick = ({ project, query }: Call, filters: boolean): readonly Resource[] =>
    [...resourcesOf(project).values()].filter(
      ({ objectTypeProperty: { arrayOfStringExample: texts } }) =>
        !filters || query.getAll('arrayOfString').every((text) => Array.isArray(texts) && texts.includes(text)),
    )

  function list(call: Call): Answer {
    const results = pick(call, does('list-filters'))
    const arrays = Object.keys(ARRAYS).map((name) => [
      name,
      results.flatMap((one) => one.objectTypeProperty[name] ?? []),
    ])
    const paging = does('no-paging') ? {} : { offset: 0, count: results.length, total: results.length }
    return ok({ ...Object.fromEntries(arrays), ...paging, results })
  }

  function sorted(call: Call): Answer {
    const all = pick(call, false)
    const limit = Number(call.query.get('limit') ?? 20)
    const offset = Number(call.query.get('offset') ?? 0)
    if (limit > 100 && does('limit-100')) return refuse(400, 'The limit is at most 100.')
    const total = does('no-total') && call.query.get('withTotal') !== 'true' ? {} : { total: all.length }
    return ok({ limit, offset, ...total, results: all.slice(offset, offset + limit) })
  }

  function upload({ headers, query, body }: Call): Answer {
    const type = headers['content-type']
    if (type === undefined || findImageType(body) !== type) return refuse(400, 'The body is not a JPEG, PNG or GIF.')
    if (query.has('variant') && query.has('sku') && does('variant-or-sku')) return refuse(400)
    return ok({ filename: query.get('filename'), size: body.length }, does('upload-200') ? 200 : 201)
  }

  function complex({ body }: Call): Answer {
    const payload = findJson(body)
    if (!isObject(payload) || !isOutOfOrder(payload)) return refuse(400)
    const answer = { arrayOfIntExample: [1, 2], arrayOfFloatExample: [0.5], arrayOfStringExample: ['done'] }
    return ok(answer, does('complex-201') ? 201 : does('complex-203') ? 203 : 200)
  }

  const one = (resource: Resource | undefined): Answer => (resource === undefined ? refuse(404) : ok(resource))

  function perform(call: Call): Answer {
    const { project, given, query, headers, method } = call
    const resources = resourcesOf(project)
    const id = Number(given[0])
    switch (call.endpoint) {
      case 1:
        return list(call)
      case 2:
        return Number.isNaN(id) && does('ids-are-checked') ? refuse(400) : one(resources.get(id))
      case 3:
        return one([...resources.values()].findLast((found) => found.key === given[0]))
      case 4:
        if (Number(query.get('fuzzyLevel') ?? 0) > (does('fuzzy-level-zero') ? 0 : 2)) return refuse(400)
        return ok({ hits: resources.size, results: [...resources.values()] })
      case 5:
        return does('head-filters') && pick(call, true).length === 0 ? refuse(404) : { status: 200 }
      case 6:
      case 7:
      case 8:
        return write(call)
      case 9:
        return complex(call)
      case 10:
        return update(call)
      case 11: {
        const answer = one(resources.get(id))
        resources.delete(id)
        return answer
      }
      case 12:
        return sorted(call)
      case 13:
        return upload(call)
      case 14:
        if (method === 'GET') return ok(actionData.get(project) ?? {})
        if (findJson(call.body) === undefined) return refuse(400)
        actionData.set(project, findJson(call.body))
        return ok({ stored: true })
      case 15:
        return ok(NUMBERED_CART)
      default:
        if (headers['accept'] === undefined) return refuse(400, 'Accept is required.')
        return headers['storefront-locale'] === undefined
          ? refuse(400, 'Storefront-Locale is required.')
          : ok(NUMBERED_CART)
    }
  }

  function findMissingRight({ endpoint = 0, method }: Call): readonly string[] {
    if (endpoint === 13 || (endpoint === 9 && does('complex-needs-products'))) return ['manage_products']
    if (endpoint >= 14 && does('actions-need-nothing')) return []
    const reads = [1, 2, 3, 4, 5].includes(endpoint) || (method === 'GET' && !does('reads-need-manage'))
    return reads ? ['manage_test', 'view_test'] : ['manage_test']
  }

  function getToken({ headers, body }: Call): Answer {
    const form = new URLSearchParams(body.toString('utf8'))
    const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
    const known = scopes.filter((scope) => /^(?:manage_test|view_test|manage_products):/.test(scope))
    if (headers['authorization']?.startsWith('Basic ') !== true) return ok({ error: 'invalid_client' }, 401)
    if (known.length === 0 || (known.length < scopes.length && !does('token-ignores-unknown')))
      return ok({ error: 'invalid_scope' }, 400)
    return ok({ access_token: tokens.issue(known), token_type: 'Bearer', expires_in: 3600 })
  }

  function handle(call: Call): Answer {
    const { endpoint, path, project, query } = call
    if (path === '/auth/token') return getToken(call)
    if (endpoint === undefined) return refuse(isKnownPath(path) ? 405 : 404)
    const rights = findMissingRight(call)
    const scopes = tokens.scopesOf(call)
    if (rights.length > 0 && scopes === undefined) return refuse(401)
    if (rights.length > 0 && !rights.some((right) => scopes?.includes(`${right}:${project}`))) return refuse(403)
    const { unknown, mistyped, repeated } = findQueryFaults(endpoint, query)
    if (mistyped.length > 0 && !does('accepts-mistyped')) return refuse(400, `${mistyped.join(', ')}: another type.`)
    if (unknown.length > 0 && does('refuses-unknown')) return refuse(400, `${unknown.join(', ')}: unknown.`)
    if (repeated.length > 0 && does('refuses-repeated')) return refuse(400, `${repeated.join(', ')}: repeated.`)
    const takesJson = [6, 7, 8, 9, 10].includes(endpoint)
    if (takesJson && does('checks-content-type') && !/^application\/json\b/.test(call.headers['content-type'] ?? ''))
      return refuse(415)
    return perform(call)
  }

  const inside = { tokens, refuse }
  return applySwitches(applySwitches(handle, inside, NUMBERED, liberties), inside, BREACHES, breaches)
}
