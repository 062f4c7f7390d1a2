import { createChance } from '../../util/chance.ts'
import type { Chance } from '../../util/chance.ts'
import { toStoredContent, createResourceList } from './resource.ts'
import type { StoredResource, ResourceList } from './resource.ts'
import type { ArrayTestType } from '../contract/models.ts'

const KEY_PREFIX = 'generated-'
const toGeneratedKey = (position: number): string => `${KEY_PREFIX}${position + 1}`

/** Whether a key is reserved for generated resources; fixtures may not use it. */
export const isGeneratedKey = (key: string): boolean => /^generated-\d+$/.test(key)

/** The creation time of the first record; each later record is created half a minute after the previous one. */
const FIRST_INSTANT = Date.UTC(2024, 6, 1)
const CREATION_INTERVAL = 30_000
const LONGEST_LIFE = 30 * 24 * 60 * 60 * 1000

/** Draws the random values of one record. */
function createDraw(chance: Chance) {
  /** An integer from `low` to `high`, inclusive. */
  const integer = (low: number, high: number) => low + Math.floor(chance.next() * (high - low + 1))
  return {
    integer,
    /** A number with two decimals. */
    price: (low: number, high: number) => integer(low * 100, high * 100) / 100,
    list: <Item>(low: number, high: number, toItem: (at: number) => Item) =>
      Array.from({ length: integer(low, high) }, (_, at) => toItem(at)),
    pick: (words: readonly string[]) => words[integer(0, words.length - 1)] ?? '',
  }
}

type Draw = ReturnType<typeof createDraw>

const lower = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase())

/** Lowercase words by category. */
export type Words = Awaited<ReturnType<typeof loadWords>>

/** Loads faker's word lists. They slow down startup, so load them only when there is something to generate. */
export async function loadWords() {
  const { faker } = await import('@faker-js/faker/locale/en')
  // Uses the lists instead of faker's functions, which are slow and would reseed the faker of the user's tests.
  const { commerce, color } = faker.definitions
  return {
    adjectives: lower(commerce.product_name.adjective),
    materials: lower(commerce.product_name.material),
    products: lower(commerce.product_name.product),
    colours: lower(color.human),
    departments: lower(commerce.department),
  }
}

/** A 64-bit integer. One in ten exceeds the safe integer range (D3). */
function drawInt64({ integer }: Draw): number | bigint {
  if (integer(1, 10) > 1) return integer(1_000_000_000_000, 9_999_999_999_999)
  const magnitude = (BigInt(integer(2 ** 21, 2 ** 31 - 1)) << 32n) + BigInt(integer(1, 2 ** 32 - 1))
  return integer(0, 1) === 0 ? magnitude : -magnitude
}

function drawProperty(draw: Draw, words: Words, position: number): ArrayTestType {
  const { integer, list, pick, price } = draw
  const material = pick(words.materials)
  const product = pick(words.products)
  const first = 1_000_000 + position * 10
  return {
    arrayOfIntExample: list(1, 4, () => integer(0, 500)),
    arrayOfUniqueIntExample: list(1, 5, (at) => first + at),
    arrayOfTwonumbersExample: [integer(1, 250), integer(1, 250)],
    arrayOfFloatExample: list(1, 3, () => price(1, 900)),
    arrayOfNumberNoDefaultsExample: list(1, 2, () => price(0, 50)),
    arrayOfStringExample: [
      `${pick(words.adjectives)} ${material} ${product}`,
      product,
      material,
      pick(words.colours),
      pick(words.departments),
    ],
    arrayOfObjectType: list(1, 3, () => ({
      integerExample: drawInt64(draw),
      integerExampleInt32: integer(-(2 ** 31), 2 ** 31 - 1),
    })),
  }
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')

/** The number of digits at the end of an id that encode the position. */
const ID_DIGITS = 12

/** A UUID (RFC 9562, version 8: custom format), unique for its seed and position. */
function toGeneratedId(seed: number, position: number): string {
  return `${hex(seed >>> 0, 8)}-0000-8000-8000-${hex(position + 1, ID_DIGITS)}`
}

/** Draws the values before the arrays. */
function drawFirst(seed: number, position: number) {
  // Each record has its own random sequence, so it does not depend on the number of records or on earlier ones.
  const draw = createDraw(createChance(Math.imul(seed, 0x9e3779b1) ^ Math.imul(position + 1, 0x85ebca6b)))
  const version = draw.integer(1, 5)
  return { draw, version, age: version === 1 ? 0 : draw.integer(1, LONGEST_LIFE) }
}

function generateResource(words: Words, seed: number, position: number): StoredResource {
  const { version, age } = drawFirst(seed, position)
  const created = FIRST_INSTANT + position * CREATION_INTERVAL
  // Generated on first read: most sorts do not need the arrays, and a search does not need the texts.
  let property: ArrayTestType | undefined
  let content: Pick<StoredResource, 'propertyText' | 'text'> | undefined
  const readProperty = () => (property ??= drawProperty(drawFirst(seed, position).draw, words, position))
  const readContent = () => (content ??= toStoredContent(version, readProperty()))
  return {
    id: toGeneratedId(seed, position),
    key: toGeneratedKey(position),
    version,
    createdAt: new Date(created).toISOString(),
    lastModifiedAt: new Date(created + age).toISOString(),
    get objectTypeProperty() {
      return readProperty()
    },
    get propertyText() {
      return readContent().propertyText
    },
    get text() {
      return readContent().text
    },
  }
}

/**
 * Lists generated resources, made from faker's words; they are valid and have all seven arrays. Each one is generated on
 * first access and cached. The same seed produces the same resources, regardless of their number.
 *
 * @param seed an integer
 * @example createGeneratedResources(await loadWords(), 1, 2).keyAt(1) // generated-2
 */
export function createGeneratedResources(words: Words, seed: number, count: number): ResourceList {
  const made = new Map<number, StoredResource>()
  const idAt = (place: number) => toGeneratedId(seed, place)

  function findPlace(place: number, isAt: (place: number) => boolean): number | undefined {
    return place >= 0 && place < count && isAt(place) ? place : undefined
  }

  return {
    count,
    at(place) {
      const known = made.get(place)
      if (known !== undefined) return known
      const resource = generateResource(words, seed, place)
      made.set(place, resource)
      return resource
    },
    idAt,
    keyAt: toGeneratedKey,
    findPlace: (id) => findPlace(Number.parseInt(id.slice(-ID_DIGITS), 16) - 1, (place) => idAt(place) === id),
    findPlaceByKey: (key) =>
      findPlace(Number(key.slice(KEY_PREFIX.length)) - 1, (place) => toGeneratedKey(place) === key),
  }
}

/** Scenarios can add at most this many to a project in total. */
const MOST_GENERATED = 100_000

/** Lists a mock's generated resources. Each one is generated on first access and cached. */
export interface Generator {
  /** The resources that every project starts with. */
  first(): Promise<ResourceList>
  /** The given number of additional resources, up to a limit. */
  more(count: number): Promise<ResourceList>
}

/** The part of a list from an index on. */
function sliceResourceList(list: ResourceList, start: number, count: number): ResourceList {
  function toSlicePlace(place: number | undefined): number | undefined {
    return place === undefined || place < start || place >= start + count ? undefined : place - start
  }
  return {
    count,
    at: (place) => list.at(start + place),
    idAt: (place) => list.idAt(start + place),
    keyAt: (place) => list.keyAt(start + place),
    findPlace: (id) => toSlicePlace(list.findPlace(id)),
    findPlaceByKey: (key) => toSlicePlace(list.findPlaceByKey(key)),
  }
}

/** Creates the generator of a mock. All its lists are slices of one list. */
export function createGenerator(seed: number, count: number, most = MOST_GENERATED): Generator {
  let resources: Promise<ResourceList> | undefined
  async function slice(start: number, length: number): Promise<ResourceList> {
    if (length === 0) return createResourceList([])
    resources ??= loadWords().then((words) => createGeneratedResources(words, seed, count + most))
    return sliceResourceList(await resources, start, length)
  }
  return { first: () => slice(0, count), more: (more) => slice(count, Math.min(more, most)) }
}
