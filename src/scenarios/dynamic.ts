import type { Faker } from '@faker-js/faker'
import * as z from 'zod'
import { createChance } from '../util/chance.ts'

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
