import { SetupError } from '../../errors.ts'
import { createMock } from '../../mock.ts'
import { isJsonObject } from '../../service/http/json.ts'
import { resourceRecord } from '../../service/state/records.ts'
import { byId, COLLECTION, draft, get, json, ownKey, post } from './conversations/conversation.ts'
import type { Content, ConversationStep } from './conversations/conversation.ts'
import type { Pool } from './conversations/grammar.ts'
import { IMAGE_KEYS } from './conversations/lifecycles.ts'
import { createTokenSource } from './credentials.ts'
import { saveLookedUpId } from './look-up.ts'
import { createSide, sendMessage, versionOf, resultsOf, saveValues, buildMessage } from './side.ts'
import type { SideAnswer, Side } from './side.ts'
import { isSuccessStatus } from './transport.ts'
import type { OutgoingRequest } from './transport.ts'

/** Sends a step to a service alone. */
export async function ask(step: ConversationStep, service: Side): Promise<SideAnswer> {
  return sendMessage(step, service, await buildMessage(step, service, `${service.run}-probe`))
}

/**
 * Checks that the service is reachable and accepts the token, since otherwise every answer would differ.
 *
 * @throws {SetupError} if not.
 */
export async function expectService(service: Side, url: string, credential: string): Promise<SideAnswer> {
  const { project } = service
  const answer = await ask(get(COLLECTION, { query: [['limit', '1']] }), service)
  const request = `GET /${project}/resource?limit=1`
  const toError = (reason: string) => new SetupError(`${url} cannot be verified: ${request} ${reason}`)
  const { status, headers, broken } = answer
  const location = headers.get('Location')
  if (broken !== undefined) throw toError(`got no response: ${broken}. Check the URL and that the service is running.`)
  // A redirect here concerns the base URL: to https, to another host, or to a login page.
  if (status >= 300 && status < 400 && location !== null)
    throw toError(`returned ${status} with a redirect to ${location}. Use the final URL.`)
  if (status === 404 && url.endsWith(`/${project}`))
    throw toError('returned 404. The URL ends with the project key; remove it from the URL.')
  if (status === 503) throw toError('returned 503. Try again once the service is available.')
  if (status === 429) throw toError('returned 429. Try again once it accepts requests.')
  if (status === 401)
    throw new SetupError(`${url} rejects the token: ${request} returned 401. Check --${credential} and --project.`)
  return answer
}

/** What a run found out about a service before it compares answers. */
export interface Traits {
  /** Rejects what the mock only warns about (D2). */
  readonly isStrict: boolean
  /** Takes drafts with a key. */
  readonly takesKeys: boolean
  /** Finds a resource by the key of a draft, so that no write reaches a resource of someone else. */
  readonly findsKeys: boolean
  /** PUT and PATCH overwrite that resource, too, as far as it has them. */
  readonly overwritesKeys: boolean
  /** Whether the project had no resources. */
  readonly isEmpty: boolean
  /** How the service checks tokens, if it is a mock that says so. */
  readonly auth: 'strict' | 'lenient' | 'off'
}

/**
 * How the reference asks for tokens: strictly, since a service that takes any token has its worst problem. Only a
 * resource-mock, which names its operations in a header, is compared with one of its own `--auth`.
 */
async function findAuth(service: Side, first: SideAnswer): Promise<Traits['auth']> {
  if (!first.headers.has('X-Mock-Operation')) return 'strict'
  const read = (auth: ConversationStep['auth']) =>
    ask(get(COLLECTION, { query: [['limit', '0']], ...(auth === undefined ? {} : { auth }) }), service)
  if ((await read('none')).status === 200) return 'off'
  return (await read({ header: 'Bearer any-opaque-token' })).status === 200 ? 'lenient' : 'strict'
}

/** Finds out what the run must know about a service. */
export async function explore(service: Side, first: SideAnswer, allowsWrites: boolean): Promise<Traits> {
  const auth = await findAuth(service, first)
  if (!allowsWrites)
    return { auth, isStrict: false, takesKeys: true, findsKeys: false, overwritesKeys: false, isEmpty: false }
  const isEmpty = looksEmpty(await ask(get(COLLECTION), service))
  // How the service reads drafts.
  const key = ownKey('probe')
  const made = await create(draft(key), 'probe', service)
  service.showsKeys = made.text.includes(`"${service.run}-probe"`)
  if (!isSuccessStatus(made.status)) {
    service.takesKeys = false
    if (!isSuccessStatus((await create(draft(key), 'probe', service)).status)) service.takesKeys = true
  }
  const { takesKeys } = service
  const again = takesKeys ? await create(draft(key), 'again', service) : made
  const [one, other] = ['probe', 'again'].map((name) => service.saved.get(name))
  const findsKeys = takesKeys && one?.['id'] !== undefined && one['id'] === other?.['id'] && isLater(again, made)
  const overwritesKeys =
    findsKeys && (await overwrites('PUT', key, again, service)) && (await overwrites('PATCH', key, again, service))
  const short = json({ key: ownKey('short'), objectTypeProperty: { arrayOfStringExample: ['{k}'] } })
  const isStrict = (await create(short, 'short', service)).status === 400 && isSuccessStatus(made.status)
  return { auth, isEmpty, isStrict, takesKeys, findsKeys, overwritesKeys }
}

/** Whether a PUT or PATCH with the key of the probe overwrites it; true if the service refuses the request. */
async function overwrites(method: 'PUT' | 'PATCH', key: string, before: SideAnswer, service: Side): Promise<boolean> {
  const written = await ask({ ...post(COLLECTION, draft(key)), method }, service)
  if (!isSuccessStatus(written.status)) return true
  const read = await ask(get(byId('probe')), service)
  return isLater(read, before) && versionOf(written) === versionOf(read)
}

const isLater = (one: SideAnswer, other: SideAnswer): boolean => Number(versionOf(one)) > Number(versionOf(other))

/** Creates a resource, and learns its id. */
async function create(body: string, save: string, service: Side): Promise<SideAnswer> {
  const step = post(COLLECTION, body, { save })
  const answer = await ask(step, service)
  saveValues(answer, service, save)
  await saveLookedUpId(step, answer, service)
  return answer
}

/** Whether a list shows nothing of a resource, whatever its shape. */
function looksEmpty({ status, body }: SideAnswer): boolean {
  const isNothing = (value: unknown): boolean =>
    Array.isArray(value) ? value.length === 0 : !isJsonObject(value) || Object.values(value).every(isNothing)
  if (!isSuccessStatus(status) || !isJsonObject(body)) return false
  return isNothing(body) && Object.entries(body).every(([name, value]) => !/total|count/i.test(name) || !Number(value))
}

/** Creates the mock that is the judge. */
export async function createMockSide(
  service: Side,
  { auth, isStrict, takesKeys }: Pick<Traits, 'auth' | 'isStrict' | 'takesKeys'>,
  elapsed: () => number,
): Promise<{ readonly side: Side; readonly putRecords: (records: readonly unknown[]) => Promise<void> }> {
  const mock = await createMock({ auth, strict: isStrict, journal: 0, fixtures: { 'resources.json': '[]' } })
  const send = async ({ url, method, headers, body }: OutgoingRequest) => {
    const response = await mock.fetch(new Request(url, { method, headers, body: body ?? null }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const { project, otherProject, run, mark } = service
  const side = createSide({
    isMock: true,
    project,
    otherProject,
    run,
    mark,
    tokens: createTokenSource(
      { kind: 'client', client: 'verify:verify' },
      { url: 'http://mock', project, send, elapsed },
    ),
    send: ({ path, ...message }) => send({ ...message, url: `http://mock${path}` }),
  })
  side.takesKeys = takesKeys
  async function putRecords(records: readonly unknown[]): Promise<void> {
    const all = records.map((one) => resourceRecord.parse(one))
    await mock.session('default').seed(all, { projectKey: project })
  }
  if (!takesKeys) await putRecords(IMAGE_KEYS.map((name) => ({ key: `${run}-${name}`, objectTypeProperty: {} })))
  return { side, putRecords }
}

/** The name of the resource that `--id` gives. */
const GIVEN = 'given'

/**
 * Reads the resource with an id, and gives the mock the same one. Resolves with its name.
 *
 * @throws {SetupError} if the service does not have it.
 */
export async function findGiven(
  id: string,
  service: Side,
  mock: Side,
  putRecords: (records: readonly unknown[]) => Promise<void>,
): Promise<string> {
  service.saved.set(GIVEN, { id })
  const { status, body } = await ask(get(byId(GIVEN)), service)
  if (!isSuccessStatus(status))
    throw new SetupError(
      `--id ${id}: GET of this resource returned ${status}. Use the id of one in ${service.project}.`,
    )
  const { version, objectTypeProperty } = isJsonObject(body) ? body : {}
  const record = { id: `${mock.run}-${GIVEN}`, version, objectTypeProperty }
  await putRecords([
    resourceRecord.safeParse(record).success ? record : { ...record, version: 1, objectTypeProperty: {} },
  ])
  mock.saved.set(GIVEN, { id: record.id })
  mock.names.set(record.id, GIVEN)
  service.names.set(id, GIVEN)
  return GIVEN
}

/** Maximum number of resources that a read-only run reads. */
const MOST_FOUND = 30

/**
 * Finds resources to read, and gives the mock the same ones. Those that the mock cannot have, such as ones with another form
 * of id, are left out.
 */
export async function findPool(
  service: Side,
  mock: Side,
  putRecords: (records: readonly unknown[]) => Promise<void>,
): Promise<Pool> {
  const page = await ask(get(COLLECTION, { query: [['limit', '60']] }), service)
  const records = resultsOf(page)
    .map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name in resourceRecord.shape)))
    .filter((one) => typeof one['id'] === 'string' && resourceRecord.safeParse(one).success)
    .slice(0, MOST_FOUND)
  await putRecords(records)
  const names = records.map((one, index) => {
    const name = `r${index}`
    const answer = { status: 200, headers: new Headers(), text: '', body: one, isJson: true }
    for (const side of [mock, service]) saveValues(answer, side, name)
    return name
  })
  return {
    names,
    keys: records.map(({ key }) => (typeof key === 'string' ? key : ownKey('nobody'))),
    contents: records.map(
      ({ objectTypeProperty: content }) => (isJsonObject(content) ? content : {}) satisfies Content,
    ),
    own: ['where', `id in (${names.map((name) => `"{{${name}.id}}"`).join(', ')})`],
    ownSearch: undefined,
    dated: undefined,
  }
}

/** Whether a resource of the pool was written by someone else since it was found. */
export async function hasChanged(pool: Pool, service: Side): Promise<boolean> {
  if (pool.names.length === 0) return false
  const page = await ask(get(COLLECTION, { own: [pool.own, ['limit', '60']] }), service)
  const versions = new Map(resultsOf(page).map(({ id, version }) => [id, String(version)]))
  return pool.names.some((name) => {
    const { id, version } = service.saved.get(name) ?? {}
    return versions.get(id) !== version
  })
}
