import type { Faker } from '@faker-js/faker'
import * as z from 'zod'
import { decision } from '../contract/decisions.ts'
import { objectTestType } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { createChance } from '../util/chance.ts'
import { findErrorExample } from '../contract/error-responses.ts'
import { toEnvelope } from '../http/envelope.ts'
import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import type { Answer } from '../contract/types.ts'
import type { Preferences } from '../http/headers.ts'
import type { FindExample } from './effects.ts'

/** The longest list that is made. */
const MOST = 4

type Make = (schema: z.core.$ZodType, name: string) => unknown
type MakeNamed = (faker: Faker) => unknown

const makeSlug = (faker: Faker): string => faker.helpers.slugify(faker.commerce.productName()).toLowerCase()

/** What suits a member by its name; the other names here say nothing. */
const named: Readonly<Record<string, MakeNamed>> = {
  key: makeSlug,
  sku: makeSlug,
  _url: (faker) => `/p/${makeSlug(faker)}`,
  images: (faker) => `https://images.example.com/${makeSlug(faker)}.jpg`,
  name: (faker) => faker.commerce.productName(),
  cartVersion: (faker) => String(faker.number.int({ min: 1, max: 9 })),
  // One currency for all that is added up.
  currencyCode: () => 'EUR',
  fractionDigits: () => 2,
  version: (faker) => faker.number.int({ min: 1, max: 9 }),
  count: (faker) => faker.number.int({ min: 1, max: 9 }),
  createdAt: (faker) => faker.date.between({ from: '2025-01-01', to: '2025-06-30' }).toISOString(),
  lastModifiedAt: (faker) => faker.date.between({ from: '2025-07-01', to: '2025-12-31' }).toISOString(),
}

const makeText = (faker: Faker, name: string): unknown =>
  /^id$|Id$/.test(name) ? faker.string.uuid() : (named[name]?.(faker) ?? faker.commerce.productAdjective())

function makeNumber(faker: Faker, schema: z.core.$ZodType, name: string): unknown {
  const isWhole = z.globalRegistry.get(schema)?.type === 'integer'
  const make = isWhole
    ? faker.number.int({ min: 1, max: 100_000 })
    : faker.number.float({ min: 0, max: 1000, fractionDigits: 2 })
  return named[name]?.(faker) ?? make
}

/** How many entries an array has: as many as its name promises (D1), and none where nothing is known of them. */
function drawLength(faker: Faker, { element }: z.ZodArray, name: string): number {
  if (element instanceof z.ZodUnknown) return 0
  return name === 'arrayOfTwonumbersExample' ? 2 : faker.number.int({ min: 1, max: MOST })
}

/** A page counts what is on it. */
function toWhole(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(members.results)) return members
  const count = members.results.length
  return { ...members, limit: 20, offset: 0, count, total: count }
}

/** Walks a schema of the contract and makes a value that it admits; the schema's kind says what its cast says. */
function createMaker(faker: Faker): Make {
  const makers: Readonly<Record<string, (schema: z.core.$ZodType, name: string) => unknown>> = {
    string: (_schema, name) => makeText(faker, name),
    number: (schema, name) => makeNumber(faker, schema, name),
    custom: (schema, name) => makeNumber(faker, schema, name),
    boolean: () => faker.datatype.boolean(),
    literal: (schema) => (schema as z.ZodLiteral).def.values[0],
    enum: (schema) => faker.helpers.arrayElement((schema as z.ZodEnum).options),
    optional: (schema, name) => make((schema as z.ZodOptional).unwrap(), name),
    array: (schema, name) => {
      const array = schema as z.ZodArray
      // Each entry once, which is what arrayOfUniqueIntExample promises.
      return [...new Set(Array.from({ length: drawLength(faker, array, name) }, () => make(array.element, name)))]
    },
    union: (schema, name) => make(faker.helpers.arrayElement([...(schema as z.ZodUnion).options]), name),
    record: (schema) => ({ arrayOfStringExample: make((schema as z.ZodRecord).valueType, '') }),
    object: (schema) =>
      toWhole(
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

/** A number for a text, so that the same request gets the same answer. */
function toSeed(seed: number, text: string): number {
  let hash = seed >>> 0
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return Math.floor(createChance(hash).next() * 2 ** 32)
}

/** A faker of its own: to seed the one that everybody shares would seed the user's own tests. */
async function createFaker(seed: number): Promise<Faker> {
  const { faker } = await import('@faker-js/faker/locale/en')
  // The class itself is exported only together with all locales, which take long to load.
  const Own = faker.constructor as new (options: { locale: typeof faker.rawDefinitions; seed: number }) => Faker
  return new Own({ locale: faker.rawDefinitions, seed })
}

/**
 * Makes a body that a schema of the contract admits, by faker; the same seed and text make the same body.
 *
 * @example await makeBody(cart, 1, 'getActionWithExample acme')
 */
export async function makeBody<Schema extends z.ZodType>(
  schema: Schema,
  seed: number,
  text: string,
): Promise<z.output<Schema>> {
  const make = createMaker(await createFaker(toSeed(seed, text)))
  // A test holds what is made to the schema of every documented response.
  return make(schema, '') as z.output<Schema>
}

/** Whether a resource's id and key are returned in headers or in the body (D5). */
export const identities = ['header', 'body'] as const
export type Identity = (typeof identities)[number]

/** An answer that a request preferred, and the preferences that it honours (RFC 7240, section 3). */
export interface Preferred {
  readonly answer: Answer
  readonly applied: readonly string[]
}

/** What a preference is weighed with. */
export interface PreferredParts {
  readonly endpoint: Endpoint
  readonly preferences: Preferences
  readonly identity: Identity
  readonly seed: number
  /** The operation, and its path parameters: the same ones get the same made body. */
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  /** The path at which a resource is found. */
  readonly locate: (resource: { readonly id: string }) => string
  readonly findExample: FindExample
}

export const findResponse = ({ responses }: Endpoint, status: number) => responses[status]

/** The status that is asked for, where it is one of an answer. */
export function parseCode(preferences: Preferences): number | undefined {
  const code = preferences.get('code')
  return code !== undefined && /^[2-5]\d\d$/.test(code) ? Number(code) : undefined
}

/** The preference for bodies with identity, where it is honoured: only what answers with a resource can (D5). */
export const applyIdentity = ({ decisions }: Endpoint, preferences: Preferences): readonly string[] =>
  preferences.get('identity') === 'body' && decisions.includes(decision('D5')) ? ['identity=body'] : []

/** The first documented status of success. */
const successOf = ({ responses }: Endpoint): number => Number(Object.keys(responses)[0] ?? 200)

/** The headers that a response documents, of a resource that was made. */
function toHeaders(
  { headers = [] }: ResponseSpec,
  id: string,
  version: number,
  locate: PreferredParts['locate'],
): Answer['headers'] {
  // The id of a path may be any text.
  const at = locate({ id: encodeURIComponent(id) })
  const values: Readonly<Record<string, string>> = { ETag: `"${version}"`, Location: at, 'Content-Location': at }
  return Object.fromEntries(headers.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** A made resource: the one that the path asks for, and with the documented members only, unless its identity was asked for (D5). */
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
  return { body, headers: toHeaders(response, id, version, locate) }
}

/** A made answer of a documented status of success; undefined for any other. */
export async function makeDynamic(parts: PreferredParts): Promise<Preferred | undefined> {
  const { endpoint, preferences, seed, operation, path } = parts
  const code = parseCode(preferences)
  const status = code ?? successOf(endpoint)
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

/** The status that documents an example of that name. */
const statusOfExample = ({ responses }: Endpoint, name: string): number | undefined =>
  Object.entries(responses).flatMap(([status, { examples }]) =>
    examples !== undefined && Object.hasOwn(examples, name) ? [Number(status)] : [],
  )[0]

function takeExample({ endpoint, preferences, findExample }: PreferredParts): Preferred | undefined {
  const name = preferences.get('example')
  const code = parseCode(preferences)
  const asked = code ?? (name === undefined ? undefined : statusOfExample(endpoint, name))
  const examples = asked === undefined ? undefined : findResponse(endpoint, asked)?.examples
  if (asked === undefined || examples === undefined) return undefined
  const isKnown = name !== undefined && Object.hasOwn(examples, name)
  const body = findExample(endpoint, asked, isKnown ? name : (Object.keys(examples)[0] ?? ''))
  const applied = [...(code === undefined ? [] : [`code=${code}`]), ...(isKnown ? [`example=${name}`] : [])]
  return { answer: { status: asked, ...(body === undefined ? {} : { body }) }, applied }
}

/** A documented status that has no body, such as those of HEAD. */
function takeBodiless({ endpoint, preferences }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  const response = code === undefined ? undefined : findResponse(endpoint, code)
  if (code === undefined || response === undefined || response.schema !== undefined) return undefined
  return { answer: { status: code }, applied: [`code=${code}`] }
}

function takeError({ endpoint, preferences, path }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  const fault = code === undefined || code < 400 ? undefined : findErrorExample(endpoint, code, path)
  if (fault === undefined) return undefined
  const body = stringifyJson(toEnvelope(fault))
  return { answer: { status: fault.status, body, headers: fault.headers }, applied: [`code=${fault.status}`] }
}

/**
 * The answer that `Prefer: code=…, example=…, dynamic=true` asks for; undefined where the real processing is to answer,
 * because nothing was asked for, or nothing that the contract documents.
 */
export async function findPreferred(parts: PreferredParts): Promise<Preferred | undefined> {
  if (parts.preferences.size === 0) return undefined
  const dynamic = parts.preferences.get('dynamic') === 'true' ? await makeDynamic(parts) : undefined
  return dynamic ?? takeExample(parts) ?? takeBodiless(parts) ?? takeError(parts)
}

/**
 * Gives a real answer the documented status that was asked for, where that status answers with the same shape
 * (the 200 and 201 of the complex POST).
 */
export function preferStatus({ answer, applied }: Preferred, endpoint: Endpoint, preferences: Preferences): Preferred {
  const code = parseCode(preferences)
  if (code === undefined || answer.status >= 400) return { answer, applied }
  const asked = findResponse(endpoint, code)
  const isSame = asked !== undefined && asked.schema === findResponse(endpoint, answer.status)?.schema
  return isSame ? { answer: { ...answer, status: code }, applied: [...applied, `code=${code}`] } : { answer, applied }
}
