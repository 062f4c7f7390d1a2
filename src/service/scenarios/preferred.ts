import type { Faker } from '@faker-js/faker'
import * as z from 'zod'
import { decision } from '../contract/decisions.ts'
import { objectTestType } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { createChance } from '../../util/chance.ts'
import { documentedStatuses, findErrorExample } from '../contract/error-responses.ts'
import { toEnvelope } from '../http/envelope.ts'
import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import type { Answer } from '../contract/types.ts'
import type { Preferences } from '../http/control-headers.ts'
import type { FindExample } from './effects.ts'

/** The maximum length of a generated list. */
const MAX_LENGTH = 4

type Make = (schema: z.core.$ZodType, name: string) => unknown
type MakeNamed = (faker: Faker) => unknown

const makeSlug = (faker: Faker): string => faker.helpers.slugify(faker.commerce.productName()).toLowerCase()

/** Generators by member name. */
const namedExamples: Readonly<Record<string, MakeNamed>> = {
  key: makeSlug,
  sku: makeSlug,
  _url: (faker) => `/p/${makeSlug(faker)}`,
  images: (faker) => `https://images.example.com/${makeSlug(faker)}.jpg`,
  name: (faker) => faker.commerce.productName(),
  cartVersion: (faker) => String(faker.number.int({ min: 1, max: 9 })),
  // Use a single currency, because amounts are added up.
  currencyCode: () => 'EUR',
  fractionDigits: () => 2,
  version: (faker) => faker.number.int({ min: 1, max: 9 }),
  count: (faker) => faker.number.int({ min: 1, max: 9 }),
  createdAt: (faker) => faker.date.between({ from: '2025-01-01', to: '2025-06-30' }).toISOString(),
  lastModifiedAt: (faker) => faker.date.between({ from: '2025-07-01', to: '2025-12-31' }).toISOString(),
}

function makeNumber(faker: Faker, schema: z.core.$ZodType, name: string): unknown {
  const isWhole = z.globalRegistry.get(schema)?.type === 'integer'
  const make = isWhole
    ? faker.number.int({ min: 1, max: 100_000 })
    : faker.number.float({ min: 0, max: 1000, fractionDigits: 2 })
  return namedExamples[name]?.(faker) ?? make
}

/** Draws an array's length. Some arrays have a fixed length by name (D1); arrays with unknown entries stay empty. */
function drawLength(faker: Faker, { element }: z.ZodArray, name: string): number {
  if (element instanceof z.ZodUnknown) return 0
  return name === 'arrayOfTwonumbersExample' ? 2 : faker.number.int({ min: 1, max: MAX_LENGTH })
}

/** Sets the counts of a page to match its results. */
function toConsistentPage(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(members.results)) return members
  const count = members.results.length
  return { ...members, limit: 20, offset: 0, count, total: count }
}

/**
 * Creates a generator of values for the contract's schemas. The casts are safe because makers are chosen by schema type.
 */
function createMaker(faker: Faker): Make {
  const makers: Readonly<Record<string, (schema: z.core.$ZodType, name: string) => unknown>> = {
    string: (_schema, name) =>
      /^id$|Id$/.test(name) ? faker.string.uuid() : (namedExamples[name]?.(faker) ?? faker.commerce.productAdjective()),
    number: (schema, name) => makeNumber(faker, schema, name),
    custom: (schema, name) => makeNumber(faker, schema, name),
    boolean: () => faker.datatype.boolean(),
    literal: (schema) => (schema as z.ZodLiteral).def.values[0],
    enum: (schema) => faker.helpers.arrayElement((schema as z.ZodEnum).options),
    optional: (schema, name) => make((schema as z.ZodOptional).unwrap(), name),
    array: (schema, name) => {
      const array = schema as z.ZodArray
      // Remove duplicates, because arrayOfUniqueIntExample must have none.
      return [...new Set(Array.from({ length: drawLength(faker, array, name) }, () => make(array.element, name)))]
    },
    union: (schema, name) => make(faker.helpers.arrayElement([...(schema as z.ZodUnion).options]), name),
    record: (schema) => ({ arrayOfStringExample: make((schema as z.ZodRecord).valueType, '') }),
    object: (schema) =>
      toConsistentPage(
        Object.fromEntries(
          Object.entries<z.core.$ZodType>((schema as z.ZodObject).shape).map(([name, member]) => [
            name,
            make(member, name),
          ]),
        ),
      ),
    unknown: () => ({}),
  }
  const make: Make = (schema, name) => makers[schema._zod.def.type]?.(schema, name) ?? null
  return make
}

/** Hashes a text into a seed, so that the same request gets the same body. */
function toTextSeed(seed: number, text: string): number {
  let hash = seed >>> 0
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return Math.floor(createChance(hash).next() * 2 ** 32)
}

/** Creates a separate faker, because seeding the shared one would affect the user's tests. */
async function createFaker(seed: number): Promise<Faker> {
  const { faker } = await import('@faker-js/faker/locale/en')
  // The class is only exported together with all locales, which load slowly.
  const Own = faker.constructor as new (options: { locale: typeof faker.rawDefinitions; seed: number }) => Faker
  return new Own({ locale: faker.rawDefinitions, seed })
}

/**
 * Generates a body for a schema of the contract with faker. The same seed and text always give the same body.
 *
 * @example await makeBody(cart, 1, 'getActionWithExample acme')
 */
export async function makeBody<Schema extends z.ZodType>(
  schema: Schema,
  seed: number,
  text: string,
): Promise<z.output<Schema>> {
  const make = createMaker(await createFaker(toTextSeed(seed, text)))
  // A test validates generated bodies against the schema of every documented response.
  return make(schema, '') as z.output<Schema>
}

/** Whether a resource's id and key are returned in headers or in the body (D5). */
export const identityPreferences = ['header', 'body'] as const
export type Identity = (typeof identityPreferences)[number]

/** A response selected by preferences, and the preferences that were applied (RFC 7240, section 3). */
export interface Preferred {
  readonly answer: Answer
  readonly applied: readonly string[]
}

/** A request with preferences, and everything needed to build its response. */
export interface PreferredParts {
  readonly endpoint: Endpoint
  readonly preferences: Preferences
  readonly identity: Identity
  readonly seed: number
  /** The operation; together with the path parameters it determines the generated body. */
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  /** Returns the path of a resource. */
  readonly locate: (resource: { readonly id: string }) => string
  readonly findExample: FindExample
}

export const findResponse = ({ responses }: Endpoint, status: number) => responses[status]

/** The preferred status, or undefined if it is missing or invalid. */
export function parseCode(preferences: Preferences): number | undefined {
  const code = preferences.get('code')
  return code !== undefined && /^[2-5]\d\d$/.test(code) ? Number(code) : undefined
}

/** Returns the applied identity preference; only operations that return a resource apply it (D5). */
export const applyIdentity = ({ decisions }: Endpoint, preferences: Preferences): readonly string[] =>
  preferences.get('identity') === 'body' && decisions.includes(decision('D5')) ? ['identity=body'] : []

/** Sets the documented headers for a generated resource. */
function toExampleHeaders(
  { headers = [] }: ResponseSpec,
  id: string,
  version: number,
  locate: PreferredParts['locate'],
): Answer['headers'] {
  // The id comes from the path and may contain any characters.
  const at = locate({ id: encodeURIComponent(id) })
  const values: Readonly<Record<string, string>> = { ETag: `"${version}"`, Location: at, 'Content-Location': at }
  return Object.fromEntries(headers.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/**
 * Builds a response with a generated resource that has the id or key of the path. Undocumented members are added only if
 * identity was requested in the body (D5).
 */
function toResourceAnswer(
  made: z.output<typeof objectTestType>,
  response: ResponseSpec,
  parts: PreferredParts,
): Omit<Answer, 'status'> {
  const { path, identity, locate } = parts
  const resource = {
    ...made,
    ...(path.id === undefined ? {} : { id: path.id }),
    ...(path.key === undefined ? {} : { key: path.key }),
  }
  const { version, objectTypeProperty, id = '' } = resource
  const body = stringifyJson(identity === 'body' ? resource : { version, objectTypeProperty })
  return { body, headers: toExampleHeaders(response, id, version, locate) }
}

/** Generates a response with a documented success status; undefined for any other status. */
export async function makeDynamic(parts: PreferredParts): Promise<Preferred | undefined> {
  const { endpoint, preferences, seed, operation, path } = parts
  const code = parseCode(preferences)
  const status = code ?? Number(Object.keys(endpoint.responses)[0] ?? 200)
  const response = status < 400 ? findResponse(endpoint, status) : undefined
  if (response?.schema === undefined) return undefined
  const about = [operation, status, ...Object.values(path)].join('/')
  const answer =
    response.schema === objectTestType
      ? toResourceAnswer(await makeBody(objectTestType, seed, about), response, parts)
      : { body: stringifyJson(await makeBody(response.schema, seed, about)) }
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    'dynamic=true',
    ...applyIdentity(endpoint, preferences),
  ]
  return { answer: { status, ...answer }, applied }
}

/** Finds the status that has an example with this name. */
const statusOfExample = ({ responses }: Endpoint, name: string): number | undefined =>
  Object.entries(responses).flatMap(([status, { examples }]) =>
    examples !== undefined && Object.hasOwn(examples, name) ? [Number(status)] : [],
  )[0]

function takePreferredExample({ endpoint, preferences, findExample }: PreferredParts): Preferred | undefined {
  const name = preferences.get('example')
  const code = parseCode(preferences)
  const status = code ?? (name === undefined ? undefined : statusOfExample(endpoint, name))
  const examples = status === undefined ? undefined : findResponse(endpoint, status)?.examples
  if (status === undefined || examples === undefined) return undefined
  const isKnown = name !== undefined && Object.hasOwn(examples, name)
  const body = findExample(endpoint, status, isKnown ? name : (Object.keys(examples)[0] ?? ''))
  const applied = [...(code === undefined ? [] : [`code=${code}`]), ...(isKnown ? [`example=${name}`] : [])]
  return { answer: { status, ...(body === undefined ? {} : { body }) }, applied }
}

/** Returns a documented status that has no body, such as those of HEAD. */
function takeBodiless({ endpoint, preferences }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  const response = code === undefined ? undefined : findResponse(endpoint, code)
  if (code === undefined || response === undefined || response.schema !== undefined) return undefined
  return { answer: { status: code }, applied: [`code=${code}`] }
}

function takeError({ endpoint, preferences, path }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  const example = code === undefined || code < 400 ? undefined : findErrorExample(endpoint, code, path)
  if (example === undefined) return undefined
  const body = stringifyJson(toEnvelope(example))
  return { answer: { status: example.status, body, headers: example.headers }, applied: [`code=${example.status}`] }
}

/**
 * Builds the response that `Prefer: code=…, example=…, dynamic=true` requests. Undefined if the preferences match nothing
 * documented; the operation then runs as usual.
 */
export async function findPreferred(parts: PreferredParts): Promise<Preferred | undefined> {
  if (parts.preferences.size === 0) return undefined
  const dynamic = parts.preferences.get('dynamic') === 'true' ? await makeDynamic(parts) : undefined
  return dynamic ?? takePreferredExample(parts) ?? takeBodiless(parts) ?? takeError(parts)
}

/** Describes a preference that no response of the operation can honor; undefined if there is none. */
export function describeIgnored(endpoint: Endpoint, preferences: Preferences): string | undefined {
  const [code, example] = [preferences.get('code'), preferences.get('example')]
  const status = parseCode(preferences)
  const examples = Object.values(endpoint.responses).flatMap((response) => Object.keys(response.examples ?? {}))
  if (code !== undefined && (status === undefined || findResponse(endpoint, status) === undefined))
    return `Prefer: code=${code} was ignored: this operation responds with ${documentedStatuses(endpoint).join(', ')}.`
  if (example === undefined) return undefined
  const known = examples.length === 0 ? 'this operation has no examples' : `the examples are ${examples.join(', ')}`
  return `Prefer: example=${example} was ignored: ${known}.`
}

/**
 * Replaces the status of an operation's response with the preferred status if both are documented with the same schema (200
 * and 201 of the complex POST).
 */
export function preferStatus({ answer, applied }: Preferred, endpoint: Endpoint, preferences: Preferences): Preferred {
  const code = parseCode(preferences)
  if (code === undefined || answer.status >= 400) return { answer, applied }
  const preferred = findResponse(endpoint, code)
  const isSame = preferred !== undefined && preferred.schema === findResponse(endpoint, answer.status)?.schema
  return isSame ? { answer: { ...answer, status: code }, applied: [...applied, `code=${code}`] } : { answer, applied }
}
