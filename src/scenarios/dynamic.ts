import type { Faker } from '@faker-js/faker'
import * as z from 'zod'
import { createChance } from '../chance.ts'

/** The longest list that is made. */
const MOST = 4

type Make = (schema: z.core.$ZodType, name: string) => unknown

/** Words that suit a member's name; most names here say nothing, and get words. */
function makeText(faker: Faker, name: string): string {
  if (/^id$|Id$/.test(name)) return faker.string.uuid()
  if (/^key$|^sku$/.test(name)) return faker.string.alphanumeric(10)
  if (name === 'currencyCode') return faker.finance.currencyCode()
  if (name === 'name') return faker.commerce.productName()
  if (name === 'images') return faker.image.url()
  return faker.commerce.productAdjective()
}

function makeNumber(faker: Faker, schema: z.core.$ZodType): number {
  const meta = z.globalRegistry.get(schema)
  return meta?.type === 'integer' ? faker.number.int({ min: 1, max: 100_000 }) : faker.number.float({ min: 0, max: 1000, fractionDigits: 2 })
}

/** Walks a schema of the contract and makes a value that it admits. */
function createMaker(faker: Faker): Make {
  const makers: Readonly<Record<string, (schema: z.ZodType, name: string) => unknown>> = {
    string: (schema, name) => ((schema as z.ZodString).format === 'datetime' ? faker.date.past({ refDate: '2026-01-01T00:00:00.000Z' }).toISOString() : makeText(faker, name)),
    number: (schema) => makeNumber(faker, schema),
    custom: (schema) => makeNumber(faker, schema),
    boolean: () => faker.datatype.boolean(),
    literal: (schema) => (schema as z.ZodLiteral).def.values[0],
    enum: (schema) => faker.helpers.arrayElement((schema as z.ZodEnum).options),
    optional: (schema, name) => make((schema as z.ZodOptional).unwrap(), name),
    array: (schema, name) => Array.from({ length: faker.number.int({ min: 1, max: MOST }) }, () => make((schema as z.ZodArray).element, name)),
    union: (schema, name) => make(faker.helpers.arrayElement([...(schema as z.ZodUnion).options]), name),
    record: (schema) => ({ arrayOfStringExample: make((schema as z.ZodRecord).valueType, 'entry') }),
    object: (schema) =>
      Object.fromEntries(Object.entries((schema as z.ZodObject).shape).map(([name, member]) => [name, make(member, name)])),
    unknown: () => ({}),
  }
  const make: Make = (schema, name) => makers[schema._zod.def.type]?.(schema as z.ZodType, name) ?? null
  return make
}

/** A number for a text, so that the same request gets the same answer. */
function toSeed(seed: number, text: string): number {
  let hash = seed >>> 0
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return Math.floor(createChance(hash).next() * 2 ** 32)
}

/**
 * Makes a body that a schema of the contract admits, by faker; the same seed and text make the same body.
 *
 * @example await makeBody(schema, 1, 'getResourceById /acme/resource/1')
 */
export async function makeBody(schema: z.ZodType, seed: number, text: string): Promise<unknown> {
  const { faker } = await import('@faker-js/faker/locale/en')
  faker.seed(toSeed(seed, text))
  return createMaker(faker)(schema, '')
}
