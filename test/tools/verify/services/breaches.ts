import { findJson, isObject, toText } from './service.ts'
import type { Answer, Call, Handle, Inside, Json, Switch } from './service.ts'

type Wrap = (next: Handle, inside: Inside) => Handle

/** A contradiction of one sentence of the specification. */
export interface Breach extends Switch {
  /** The section of the sentence. */
  readonly section: string
}

const breach = (section: string, name: string, wrap: Wrap, only?: Breach['only']): Breach => ({
  section,
  name,
  wrap,
  ...(only === undefined ? {} : { only }),
})

const isGood = ({ status }: Answer): boolean => status < 300

/** Changes the successful answers of these endpoints, all without any. */
const answers =
  (endpoints: readonly number[], change: (answer: Answer, call: Call) => Answer): Wrap =>
  (next) =>
  (call) => {
    const answer = next(call)
    const { endpoint } = call
    return endpoint !== undefined && (endpoints.length === 0 || endpoints.includes(endpoint)) && isGood(answer)
      ? change(answer, call)
      : answer
  }
const status = (endpoints: readonly number[], to: number) => answers(endpoints, (answer) => ({ ...answer, status: to }))
const withoutBody = (endpoints: readonly number[], to?: number) =>
  answers(endpoints, (answer) => ({ status: to ?? answer.status }))
const json = (endpoints: readonly number[], change: (value: Json) => unknown) =>
  answers(endpoints, (answer) => (isObject(answer.json) ? { ...answer, json: change(answer.json) } : answer))

const mapMember = (value: unknown, name: string, change: (value: unknown) => unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) => mapMember(item, name, change))
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([member, part]) => [
            member,
            member === name ? change(part) : mapMember(part, name, change),
          ]),
        )
      : value
/** Changes a member at any depth of the models: of resources and lists by default. */
const member = (name: string, change: (value: unknown) => unknown, endpoints = [1, 2, 3, 6, 7, 8, 11]) =>
  json(endpoints, (value) => mapMember(value, name, change))
const cart = (name: string, change: (value: unknown) => unknown) => member(name, change, [15, 16])
const texts = (value: unknown): unknown => (Array.isArray(value) ? value.map(String) : String(value))
const omit = (name: string) => (value: Json) =>
  Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))

const resources = [2, 3, 6, 7, 8, 11]

/** Refuses requests that the specification documents. */
const refuseIf =
  (endpoint: number, test: (call: Call) => boolean, to = 400): Wrap =>
  (next, { refuse }) =>
  (call) =>
    call.endpoint === endpoint && test(call) ? refuse(to) : next(call)
const refuseName = (endpoint: number, name: string) => refuseIf(endpoint, ({ query }) => query.has(name))
const refuseTwice = (endpoint: number, name: string) => refuseIf(endpoint, ({ query }) => query.getAll(name).length > 1)
const refuseFraction = (endpoint: number, name: string) =>
  refuseIf(endpoint, ({ query }) => /\./.test(query.get(name) ?? ''))
const refuseLike = (endpoint: number, name: string, value: RegExp) =>
  refuseIf(endpoint, ({ query }) => value.test(query.get(name) ?? ''))
const missing = (endpoint: number, to = 404) => refuseIf(endpoint, () => true, to)

/** Changes a request before the service sees it. */
const request =
  (endpoints: readonly number[], change: (call: Call, inside: Inside) => Call): Wrap =>
  (next, inside) =>
  (call) =>
    next(endpoints.includes(call.endpoint ?? 0) ? change(call, inside) : call)
/** The request with other scopes, if it has a token. */
const scopes = (
  endpoints: readonly number[],
  change: (given: readonly string[], project: string) => readonly string[],
) =>
  request(endpoints, (call, { tokens }) => {
    const given = tokens.scopesOf(call)
    return given === undefined ? call : tokens.callAs(call, change(given, call.project))
  })
const adding = (endpoints: readonly number[], from: string, to: string) =>
  scopes(endpoints, (given, project) => (given.includes(`${from}:${project}`) ? [...given, `${to}:${project}`] : given))
const without = (endpoints: readonly number[], scope: string) =>
  scopes(endpoints, (given, project) => given.filter((one) => one !== `${scope}:${project}`))
const everyScope = (project: string) =>
  ['manage_test', 'view_test', 'manage_products'].map((scope) => `${scope}:${project}`)
const withHeader = (name: string, value: string) =>
  request([16], (call) => ({ ...call, headers: { ...call.headers, [name]: call.headers[name] ?? value } }))

const idOf = ({ headers, json: value }: Answer): string | undefined =>
  headers?.['Location']?.split('/').at(-1) ??
  (isObject(value) && typeof value['id'] === 'number' ? `${value['id']}` : undefined)
/** The same client's request of another endpoint. */
const other = (call: Call, { tokens }: Inside, more: Partial<Call>): Call => ({
  ...tokens.callAs(call, everyScope(call.project)),
  query: new URLSearchParams(),
  ...more,
})
/** What the service answers to a stale update instead of 409. */
const stale =
  (change: (call: Call, next: Handle, inside: Inside, conflict: Answer) => Answer): Wrap =>
  (next, inside) =>
  (call) => {
    const answer = next(call)
    return call.endpoint === 10 && answer.status === 409 ? change(call, next, inside, answer) : answer
  }
const versionOf = (call: Call, next: Handle, inside: Inside): unknown => {
  const { json: now } = next(other(call, inside, { endpoint: 2, method: 'GET' }))
  return isObject(now) ? now['version'] : undefined
}
const withVersion = (call: Call, version: unknown): Call => {
  const body = findJson(call.body)
  return isObject(body) ? { ...call, body: Buffer.from(toText({ ...body, version })) } : call
}
/** Applies an update whatever its version is. */
const force = (call: Call, next: Handle, inside: Inside): Answer =>
  next(withVersion(call, versionOf(call, next, inside)))
const versionIn = (call: Call): unknown => {
  const body = findJson(call.body)
  return isObject(body) ? body['version'] : undefined
}
const actionsIn = (call: Call): readonly unknown[] => {
  const body = findJson(call.body)
  return isObject(body) && Array.isArray(body['actions']) ? body['actions'] : []
}
const hasAction = (name: string) => (call: Call) =>
  actionsIn(call).some((one) => isObject(one) && one['action'] === name)

/** Overwriting keeps the arrays that the draft leaves out. */
const merges =
  (endpoint: number): Wrap =>
  (next) => {
    const last = new Map<string, Json>()
    return (call) => {
      const draft = findJson(call.body)
      if (![6, 7, 8].includes(call.endpoint ?? 0) || !isObject(draft) || !isObject(draft['objectTypeProperty']))
        return next(call)
      const place = JSON.stringify([call.project, draft['key']])
      const objectTypeProperty = { ...last.get(place), ...draft['objectTypeProperty'] }
      const isMerged = call.endpoint === endpoint && isObject(draft['objectTypeProperty'])
      const answer = next(isMerged ? { ...call, body: Buffer.from(toText({ ...draft, objectTypeProperty })) } : call)
      if (isGood(answer)) last.set(place, objectTypeProperty)
      return answer
    }
  }

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const acceptsImage = (type: string) =>
  request([13], (call) =>
    call.headers['content-type'] === type
      ? { ...call, headers: { ...call.headers, 'content-type': 'image/png' }, body: PNG }
      : call,
  )
const refusesImage = (type: string) => refuseIf(13, ({ headers }) => headers['content-type'] === type, 415)

const bodyHas = (name: string, test: (value: unknown) => boolean) => (call: Call) => {
  const body = findJson(call.body)
  return isObject(body) && body[name] !== undefined && test(body[name])
}

export const BREACHES: readonly Breach[] = [
  breach(
    '1',
    'JSON is declared as HTML',
    answers([1, 2, 6, 15], (answer) => ({ ...answer, type: 'text/html' })),
  ),
  breach('1', 'Projects share their resources', (next, { tokens }) => (call) => {
    if (call.endpoint === undefined) return next(call)
    const given = tokens.scopesOf(call)?.map((scope) => scope.replace(`:${call.project}`, ':all'))
    return next({ ...(given === undefined ? call : tokens.callAs(call, given)), project: 'all' })
  }),
  breach('2', 'arrayOfIntExample has texts', member('arrayOfIntExample', texts)),
  breach('2', 'arrayOfUniqueIntExample has texts', member('arrayOfUniqueIntExample', texts)),
  breach(
    '2',
    'arrayOfTwonumbersExample is an object',
    member('arrayOfTwonumbersExample', (value) => ({ value })),
  ),
  breach(
    '2',
    'arrayOfFloatExample has no decimals',
    member('arrayOfFloatExample', (value) =>
      Array.isArray(value) ? value.map((item) => Math.round(Number(item))) : value,
    ),
  ),
  breach('2', 'arrayOfFloatExample has texts', member('arrayOfFloatExample', texts)),
  breach('2', 'arrayOfNumberNoDefaultsExample has texts', member('arrayOfNumberNoDefaultsExample', texts)),
  breach('2', 'arrayOfStringExample is one text', member('arrayOfStringExample', String)),
  breach(
    '2',
    'arrayOfStringExample has objects',
    member('arrayOfStringExample', (value) =>
      Array.isArray(value) ? value.map((text: unknown) => ({ text })) : value,
    ),
  ),
  breach(
    '2',
    'arrayOfObjectType is an object',
    member('arrayOfObjectType', (value) => Object.assign({}, value)),
  ),
  breach('2', 'integerExample loses digits', member('integerExample', Number)),
  breach('2', 'integerExample is a text', member('integerExample', String)),
  breach('2', 'integerExampleInt32 is a text', member('integerExampleInt32', String)),
  breach(
    '2',
    'arrayOfTwonumbersExample is not kept',
    json(resources, (value) =>
      mapMember(value, 'objectTypeProperty', (part) =>
        isObject(part) ? omit('arrayOfTwonumbersExample')(part) : part,
      ),
    ),
  ),
  breach('2', 'version is a text', member('version', String)),
  breach('2', 'Resources have no version', json(resources, omit('version'))),
  breach(
    '2',
    'version has a fraction',
    member('version', (value) => Number(value) + 0.5),
  ),
  breach('2', 'Resources have no objectTypeProperty', json(resources, omit('objectTypeProperty'))),
  breach('2', 'objectTypeProperty is JSON in a text', member('objectTypeProperty', toText)),
  breach(
    '2',
    'objectTypeProperty is an array',
    member('objectTypeProperty', (value) => [value]),
  ),
  breach(
    '2',
    'The arrays are members of the resource',
    json(resources, (value) => ({
      ...omit('objectTypeProperty')(value),
      ...Object.assign({}, value['objectTypeProperty']),
    })),
  ),
  breach('2', 'The action doSomeThing is refused', refuseIf(10, hasAction('doSomeThing'))),
  breach('2', 'The action changeSomeProperty is refused', refuseIf(10, hasAction('changeSomeProperty'))),
  breach(
    '2',
    'Actions are applied from the last to the first',
    request([10], (call) => {
      const body = findJson(call.body)
      return isObject(body)
        ? { ...call, body: Buffer.from(toText({ ...body, actions: actionsIn(call).toReversed() })) }
        : call
    }),
    'numbered',
  ),
  breach(
    '2',
    'The complex POST refuses a version that is a string',
    refuseIf(
      9,
      bodyHas('version', (value) => typeof value === 'string'),
    ),
  ),
  breach(
    '2',
    'The complex POST refuses eigthProperty',
    refuseIf(
      9,
      bodyHas('eigthProperty', () => true),
    ),
  ),
  breach(
    '2',
    'The complex POST refuses twelthProperty',
    refuseIf(
      9,
      bodyHas('twelthProperty', () => true),
    ),
  ),
  breach(
    '2',
    'The complex POST refuses milliseconds',
    refuseIf(
      9,
      bodyHas('createdAt', (value) => /\.\d/.test(String(value))),
    ),
  ),
  breach(
    '2',
    'The complex POST needs id before version',
    refuseIf(9, ({ body }) => body.indexOf('"version"') !== -1 && body.indexOf('"version"') < body.indexOf('"id"')),
  ),
  breach(
    '2',
    'cartId is a number',
    cart('cartId', () => 7),
  ),
  breach('2', 'cartVersion is a number', cart('cartVersion', Number)),
  breach('2', 'Carts have no cartVersion', json([15, 16], omit('cartVersion'))),
  breach(
    '2',
    'lineItems is an object',
    cart('lineItems', (value) => Object.assign({}, value)),
  ),
  breach(
    '2',
    'sum is a text',
    cart('sum', () => '98.00 EUR'),
  ),
  breach('2', 'centAmount is a text', cart('centAmount', String)),
  breach(
    '2',
    'centAmount is in major units',
    cart('centAmount', (value) => Number(value) / 100 + 0.5),
  ),
  breach('2', 'fractionDigits is a text', cart('fractionDigits', String)),
  breach(
    '2',
    'currencyCode is an object',
    cart('currencyCode', (code) => ({ code })),
  ),
  breach('2', 'count is a text', cart('count', String)),
  breach('2', 'isGift is a text', cart('isGift', String)),
  breach('2', 'isOnStock is a number', cart('isOnStock', Number)),
  breach(
    '2',
    'shippingAddress is an array',
    cart('shippingAddress', () => []),
  ),
  breach(
    '2',
    'payments is an object',
    cart('payments', () => ({})),
  ),
  breach(
    '2',
    'discountCodes is null',
    cart('discountCodes', () => null),
  ),
  breach(
    '2',
    'images has objects',
    cart('images', (value) => (Array.isArray(value) ? value.map((url: unknown) => ({ url })) : value)),
  ),
  breach(
    '2',
    'designer is a text',
    cart('designer', () => 'jil'),
  ),
  breach('2', 'size is a number', cart('size', Number)),
  breach(
    '2',
    'variant is a text',
    cart('variant', () => 'S-1'),
  ),
  breach(
    '2',
    '_url is an object',
    cart('_url', (href) => ({ href })),
  ),
  breach('4.1', 'The list answers 201', status([1], 201)),
  breach('4.1', 'The list answers 204', withoutBody([1], 204)),
  breach(
    '4.1',
    'The list is an array',
    answers([1], (answer) => ({ ...answer, json: [answer.json] })),
  ),
  breach('4.1', 'There is no list', missing(1)),
  breach('4.1', 'stringParameter is refused', refuseName(1, 'stringParameter')),
  breach('4.1', 'floatParameter refuses a fraction', refuseFraction(1, 'floatParameter')),
  breach('4.1', 'integerParameter is refused', refuseName(1, 'integerParameter')),
  breach('4.1', 'withMarkdownDescription refuses a fraction', refuseFraction(1, 'withMarkdownDescription')),
  breach('4.1', 'arrayOfString may be given once', refuseTwice(1, 'arrayOfString')),
  breach('4.1', 'arrayOfStringWithDescription may be given once', refuseTwice(1, 'arrayOfStringWithDescription')),
  breach('4.1', 'unionParameter refuses a date-time', refuseLike(1, 'unionParameter', /^\d{4}-\d\d-\d\dT/)),
  breach('4.1', 'unionParameter refuses an ObjectTestType', refuseLike(1, 'unionParameter', /^\{/)),
  breach('4.1', 'unionParameter refuses a float', refuseLike(1, 'unionParameter', /^[\d.]+$/)),
  breach('4.2', 'A resource cannot be read by its id', missing(2)),
  breach('4.2', 'Reading a resource answers 203', status([2], 203)),
  breach(
    '4.2',
    'A resource is inside `data`',
    json([2], (data) => ({ data })),
  ),
  breach('4.2', 'optionalQueryParameter is refused', refuseName(2, 'optionalQueryParameter')),
  breach('4.2', 'secondOptionalQueryParameter is refused', refuseName(2, 'secondOptionalQueryParameter')),
  breach('4.3', 'A resource cannot be read by its key', missing(3), 'numbered'),
  breach(
    '4.3',
    'A resource by key is in a list',
    json([3], (one) => ({ results: [one] })),
    'numbered',
  ),
  breach('4.4', 'There is no search', missing(4)),
  breach('4.4', 'fuzzy is refused', refuseName(4, 'fuzzy')),
  breach('4.4', 'staged of the search is refused', refuseName(4, 'staged')),
  breach('4.4', 'filter is refused', refuseName(4, 'filter')),
  breach('4.4', 'filter.facets is refused', refuseName(4, 'filter.facets')),
  breach('4.4', 'filter.query is refused', refuseName(4, 'filter.query')),
  breach('4.4', 'facet is refused', refuseName(4, 'facet')),
  breach('4.4', 'text.en is refused', refuseName(4, 'text.en')),
  breach(
    '4.4',
    'text.<language> refuses a region',
    refuseIf(4, ({ query }) => [...query.keys()].some((name) => /^text\.[a-z]{2}-[A-Z]{2}$/.test(name))),
  ),
  breach(
    '8',
    'fuzzyLevel may be higher than the default',
    request([4], (call) => {
      const query = new URLSearchParams(call.query)
      query.delete('fuzzyLevel')
      return { ...call, query }
    }),
  ),
  breach('4.5', 'HEAD answers 405', missing(5, 405)),
  breach('4.5', 'HEAD answers 204', status([5], 204)),
  breach('4.5', 'floatParameter of HEAD refuses a fraction', refuseFraction(5, 'floatParameter')),
  breach('4.5', 'arrayOfString of HEAD may be given once', refuseTwice(5, 'arrayOfString')),
  breach('4.6', 'POST answers 200', status([6], 200)),
  breach('4.6', 'POST answers 202', status([6], 202)),
  breach(
    '4.6',
    'POST answers without a body',
    answers([6], ({ headers = {} }) => ({ status: 201, headers })),
  ),
  breach('4.6', 'What POST creates is not kept', (next, inside) => (call) => {
    const answer = next(call)
    if (call.endpoint !== 6 || !isGood(answer)) return answer
    next(other(call, inside, { endpoint: 11, method: 'DELETE', given: [idOf(answer) ?? ''] }))
    return answer
  }),
  breach('4.6', 'POST answers 405', missing(6, 405)),
  breach('4.7', 'PATCH answers 200', status([7], 200)),
  breach('4.7', 'PATCH answers 405', missing(7, 405)),
  breach('4.7', 'PATCH keeps the arrays that the draft leaves out', merges(7), 'numbered'),
  breach('4.8', 'PUT answers 200', status([8], 200)),
  breach(
    '4.8',
    'PUT answers 204',
    answers([8], ({ headers = {} }) => ({ status: 204, headers })),
  ),
  breach('4.8', 'PUT answers 405', missing(8, 405)),
  breach('4.8', 'PUT keeps the arrays that the draft leaves out', merges(8), 'numbered'),
  breach('4.9', 'The complex POST answers 202', status([9], 202)),
  breach('4.9', 'There is no complex POST', missing(9)),
  breach('4.9', 'The complex POST answers integers as texts', member('arrayOfIntExample', texts, [9])),
  breach(
    '4.9',
    'The complex POST answers a list',
    answers([9], (answer) => ({ ...answer, json: [] })),
  ),
  breach('4.9', 'queryParameterOne refuses a fraction', refuseFraction(9, 'queryParameterOne')),
  breach('4.9', 'queryParameterTwo is refused', refuseName(9, 'queryParameterTwo')),
  breach('4.10', 'There is no update by id', missing(10)),
  breach('7', 'A stale update is applied', stale(force)),
  breach(
    '7',
    'A stale update answers 400',
    stale((_, __, { refuse }) => refuse(400)),
  ),
  breach(
    '7',
    'A stale update answers 412',
    stale((_, __, { refuse }) => refuse(412)),
  ),
  breach(
    '7',
    'A stale update answers 200 and changes nothing',
    stale(() => ({ status: 200 })),
  ),
  breach(
    '7',
    'A version that is too high is accepted',
    stale((call, next, inside, conflict) =>
      Number(versionIn(call)) > Number(versionOf(call, next, inside)) ? force(call, next, inside) : conflict,
    ),
  ),
  breach(
    '9',
    'A stale update answers 409 and is applied',
    stale((call, next, inside, conflict) => {
      force(call, next, inside)
      return conflict
    }),
  ),
  breach('9', 'Updates leave the version as it is', (next, inside) => (call) => {
    if (call.endpoint === 10) return versionIn(call) === 1 ? force(call, next, inside) : inside.refuse(409)
    return member('version', () => 1)(next, inside)(call)
  }),
  breach('4.11', 'DELETE answers 204', withoutBody([11], 204)),
  breach('4.11', 'DELETE answers 200 without a body', withoutBody([11])),
  breach(
    '4.11',
    'A deleted resource is still there',
    request([11], (call) => ({ ...call, endpoint: 2 })),
  ),
  breach(
    '4.11',
    'DELETE answers a message',
    json([11], () => ({ deleted: true })),
  ),
  breach('4.11', 'DELETE deletes the resource that was created before, too', (next, inside) => {
    const created: string[] = []
    return (call) => {
      const answer = next(call)
      const id = idOf(answer)
      if (call.endpoint === 6 && isGood(answer) && id !== undefined) created.push(id)
      const before = created[created.indexOf(call.given[0] ?? '') - 1]
      if (call.endpoint === 11 && isGood(answer) && before !== undefined) next(other(call, inside, { given: [before] }))
      return answer
    }
  }),
  breach('4.12', 'There is no sorted list', missing(12)),
  breach('4.12', 'where may be given once', refuseTwice(12, 'where')),
  breach('4.12', 'sort may be given once', refuseTwice(12, 'sort')),
  breach('4.12', 'expand may be given once', refuseTwice(12, 'expand')),
  breach('4.12', 'limit is refused', refuseName(12, 'limit')),
  breach('4.12', 'offset is refused', refuseName(12, 'offset')),
  breach('4.12', 'withTotal is refused', refuseName(12, 'withTotal')),
  breach(
    '4.12',
    'var.<name> is refused',
    refuseIf(12, ({ query }) => [...query.keys()].some((name) => name.startsWith('var.'))),
  ),
  breach('4.13', 'JPEG is refused', refusesImage('image/jpeg')),
  breach('4.13', 'PNG is refused', refusesImage('image/png')),
  breach('4.13', 'GIF is refused', refusesImage('image/gif')),
  breach('4.13', 'filename is refused', refuseName(13, 'filename')),
  breach('4.13', 'variant is refused', refuseName(13, 'variant')),
  breach('4.13', 'sku is refused', refuseName(13, 'sku')),
  breach('4.13', 'staged of an upload is refused', refuseName(13, 'staged')),
  breach('4.13', 'Text is accepted as an image', acceptsImage('text/plain')),
  breach('4.13', 'WebP is accepted', acceptsImage('image/webp')),
  breach('8', 'Other bytes are accepted as PNG', acceptsImage('image/png')),
  breach('4.14', 'The action POST answers 201', status([14], 201)),
  breach(
    '4.14',
    'The action has no GET',
    refuseIf(14, ({ method }) => method === 'GET', 405),
  ),
  breach(
    '4.14',
    'The action has no POST',
    refuseIf(14, ({ method }) => method === 'POST', 405),
  ),
  breach(
    '4.14',
    'The action answers plain text',
    answers([14], () => ({ status: 200, text: 'done' })),
  ),
  breach('4.15', 'There is no example cart', missing(15)),
  breach(
    '4.15',
    'The example cart is in a list',
    json([15], (value) => ({ carts: [value] })),
  ),
  breach('4.16', 'Storefront-Locale is not required', withHeader('storefront-locale', 'de-DE')),
  breach('4.16', 'Accept is not required', withHeader('accept', '*/*')),
  breach('4.16', 'The cart with headers answers 201', status([16], 201)),
  breach(
    '5',
    'Requests need no token',
    request([1, 2, 6, 11, 13], (call, { tokens }) =>
      call.headers['authorization'] === undefined ? tokens.callAs(call, everyScope(call.project)) : call,
    ),
  ),
  breach(
    '5',
    'Any bearer token is accepted',
    request([1, 2, 6, 11], (call, { tokens }) =>
      call.headers['authorization'] !== undefined && tokens.scopesOf(call) === undefined
        ? tokens.callAs(call, everyScope(call.project))
        : call,
    ),
  ),
  breach('5', 'view_test may not read', without([1, 2, 3, 4, 5], 'view_test')),
  breach('5', 'view_test may not HEAD', without([5], 'view_test')),
  breach('5', 'manage_test may not read', without([1, 2, 3, 4, 5], 'manage_test')),
  breach('5', 'manage_test may not PUT', without([8], 'manage_test')),
  breach('5', 'view_test may POST', adding([6], 'view_test', 'manage_test')),
  breach('5', 'view_test may PATCH and PUT', adding([7, 8], 'view_test', 'manage_test')),
  breach('5', 'view_test may DELETE', adding([11], 'view_test', 'manage_test')),
  breach(
    '5',
    'A token of another project is accepted',
    scopes([1, 2, 6, 11], (given, project) => given.map((scope) => scope.replace(/:.*/, `:${project}`))),
  ),
  breach('5', 'manage_test may upload', adding([13], 'manage_test', 'manage_products')),
  breach('5', 'manage_products may not upload', without([13], 'manage_products')),

  breach(
    '1',
    'JSON is declared as text',
    answers([3, 7, 8, 9, 14, 16], (answer) => ({ ...answer, type: 'text/plain' })),
  ),
  ...[
    'lineItems',
    'sum',
    'shippingAddress',
    'billingAddress',
    'payments',
    'discountCodes',
    'currencyCode',
    'fractionDigits',
    'lineItemId',
    'productId',
    'name',
    'type',
    'price',
    'discountTexts',
    'discounts',
    'totalPrice',
    'variant',
    'isGift',
    '_url',
    'sku',
    'images',
    'groupId',
    'attributes',
    'isOnStock',
    'label',
  ].map((name) =>
    breach(
      '2',
      `Carts have no ${name}`,
      cart(name, () => undefined),
    ),
  ),
  ...['articleNumberMax', 'matrixId', 'baseId', 'season', 'productId', 'lineItemId', 'sku', 'groupId'].map((name) =>
    breach(
      '2',
      `${name} is a number`,
      cart(name, () => 5),
    ),
  ),
  ...[
    'madeInItaly',
    'commonSize',
    'color',
    'style',
    'gender',
    'price',
    'totalPrice',
    'billingAddress',
    'attributes',
  ].map((name) =>
    breach(
      '2',
      `${name} is a text`,
      cart(name, () => 'x'),
    ),
  ),
  breach(
    '2',
    'Drafts with 64-bit integers are refused',
    refuseIf(6, ({ body }) => /"integerExample":-?\d{16,}/.test(body.toString('utf8'))),
  ),
  breach(
    '2',
    'Drafts with decimals are refused',
    refuseIf(6, ({ body }) => /"arrayOfFloatExample":\[[\d.,]*\.5/.test(body.toString('utf8'))),
  ),
  breach(
    '2',
    'Drafts with arrayOfObjectType are refused',
    refuseIf(6, ({ body }) => /"arrayOfObjectType":\[\{/.test(body.toString('utf8'))),
  ),
  breach(
    '2',
    'Large integers are texts',
    member('integerExample', (value) => (typeof value === 'bigint' ? `${value}` : value)),
  ),
  breach(
    '2',
    'arrayOfIntExample is sorted backwards',
    member('arrayOfIntExample', (value) => (Array.isArray(value) ? value.toReversed() : value)),
  ),
  breach(
    '2',
    'arrayOfStringExample is in capitals',
    member('arrayOfStringExample', (value) =>
      Array.isArray(value) ? value.map((one) => String(one).toUpperCase()) : value,
    ),
  ),
  ...[
    'version',
    'createdAt',
    'custom',
    'tenthProperty',
    'eleventhPropery',
    'fifteenthProperty',
    'lastModifiedBy',
    'key',
  ].map((name) =>
    breach(
      '4.9',
      `The complex POST refuses ${name}`,
      refuseIf(
        9,
        bodyHas(name, () => true),
      ),
    ),
  ),
  breach(
    '4',
    'Parameter names are read in any case',
    request([1, 4, 5, 12], (call) => {
      const names = ['fuzzyLevel', 'limit', 'integerParameter']
      const query = new URLSearchParams(
        [...call.query].map(([name, value]) => [
          names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name,
          value,
        ]),
      )
      return { ...call, query }
    }),
  ),
  ...[
    'stringParameter',
    'integerParameter',
    'withMarkdownDescription',
    'arrayOfString',
    'arrayOfStringWithDescription',
  ].map((name) => breach('4.5', `${name} of HEAD is refused`, refuseName(5, name))),
  breach('4.5', 'HEAD answers 404', missing(5)),
  breach('4.4', 'fuzzyLevel is refused', refuseName(4, 'fuzzyLevel')),
  breach('4.4', 'fuzzy=false is refused', refuseLike(4, 'fuzzy', /false/)),
  breach(
    '4.4',
    'The search answers HTML',
    answers([4], () => ({ status: 200, type: 'text/html', text: '<p>' })),
  ),
  breach('4.12', 'limit refuses a fraction', refuseFraction(12, 'limit')),
  breach('4.12', 'offset refuses a fraction', refuseFraction(12, 'offset')),
  breach(
    '4.12',
    'var.<name> may be given once',
    refuseIf(12, ({ query }) => [...query.keys()].filter((name) => name.startsWith('var.')).length > 1),
  ),
  breach(
    '4.12',
    'The sorted list answers HTML',
    answers([12], () => ({ status: 200, type: 'text/html', text: '<p>' })),
  ),
  breach(
    '4.13',
    'An upload needs no Content-Type',
    request([13], (call) => ({
      ...call,
      headers: { ...call.headers, 'content-type': call.headers['content-type'] ?? 'image/png' },
    })),
  ),
  breach('4.13', 'Any bytes are accepted as GIF', acceptsImage('image/gif')),
  breach('4.13', 'Uploads are refused', missing(13, 405)),
  breach('4.14', 'The action GET answers 204', withoutBody([14], 204)),
  breach('4.15', 'The example cart answers 203', status([15], 203)),
  breach('4.16', 'There is no cart with headers', missing(16)),
  breach(
    '4.16',
    'Every locale is refused',
    refuseIf(16, ({ headers }) => headers['storefront-locale'] !== undefined),
  ),
  breach('4.2', 'Every id reads the first resource', (next) => {
    let first: string | undefined
    return (call) => {
      const answer = next(call.endpoint === 2 && first !== undefined ? { ...call, given: [first] } : call)
      if (call.endpoint === 6) first ??= idOf(answer)
      return answer
    }
  }),
  breach(
    '4.10',
    'An update answers 500',
    refuseIf(10, () => true, 500),
  ),
  breach(
    '4.10',
    'An update with the current version answers 409',
    refuseIf(10, () => true, 409),
  ),
  breach('4.11', 'DELETE answers 202', status([11], 202)),
  breach('4.11', 'DELETE answers 405', missing(11, 405)),
  breach(
    '4.11',
    'DELETE answers another content',
    member('arrayOfIntExample', () => [99], [11]),
  ),
  breach(
    '4.6',
    'POST drops arrayOfObjectType',
    request([6], (call) => ({
      ...call,
      body: Buffer.from(call.body.toString('utf8').replace(/,"arrayOfObjectType":\[[^\]]*\]/, '')),
    })),
  ),
  breach(
    '4.6',
    'POST is refused',
    refuseIf(6, () => true, 404),
  ),
  breach(
    '9',
    'Updates lower the version',
    answers([2], (answer) =>
      isObject(answer.json)
        ? { ...answer, json: { ...answer.json, version: 100 - Number(answer.json['version']) } }
        : answer,
    ),
  ),
  breach(
    '7',
    'A version that is too low is accepted',
    stale((call, next, inside, conflict) =>
      Number(versionIn(call)) < Number(versionOf(call, next, inside)) ? force(call, next, inside) : conflict,
    ),
  ),
  breach(
    '7',
    'A stale update answers 404',
    stale((_, __, { refuse }) => refuse(404)),
  ),
  ...[1, 2, 4, 5].map((endpoint) =>
    breach('5', `view_test may not use endpoint ${endpoint}`, without([endpoint], 'view_test')),
  ),
  ...[1, 2, 4, 5, 6, 11].map((endpoint) =>
    breach('5', `manage_test may not use endpoint ${endpoint}`, without([endpoint], 'manage_test')),
  ),
  ...[1, 2, 4, 5].map((endpoint) =>
    breach('5', `manage_products may use endpoint ${endpoint}`, adding([endpoint], 'manage_products', 'view_test')),
  ),
  ...[6, 11].map((endpoint) =>
    breach('5', `manage_products may use endpoint ${endpoint}`, adding([endpoint], 'manage_products', 'manage_test')),
  ),
  breach('5', 'view_test may upload', adding([13], 'view_test', 'manage_products')),
  ...[1, 2, 4, 5, 6, 11, 13].map((endpoint) =>
    breach(
      '5',
      `Endpoint ${endpoint} needs no token`,
      request([endpoint], (call, { tokens }) =>
        call.headers['authorization'] === undefined ? tokens.callAs(call, everyScope(call.project)) : call,
      ),
    ),
  ),
]
