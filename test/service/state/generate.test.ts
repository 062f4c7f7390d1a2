import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArrayTestType } from '../../../src/service/contract/models.ts'
import { arrayNames, arrayTestType, resourceKey, resultEntry } from '../../../src/service/contract/models.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import { loadFixtures } from '../../../src/service/state/fixtures.ts'
import { generateResources } from './generated.ts'

const seeds = fc.integer()

describe('generated resources', () => {
  it('are empty by default', async () => {
    expect(await generateResources(0, 1)).toEqual([])
  })

  // The hashes are those of version 0.1.0.
  it.each([
    [1, 0, '4b632c87e28c9faf6b074cd6c4a5779d2276e7be5061570727305edfdb0046c6'],
    [7, 0, '2de06c4d573099ce6ac0c47955b2d4694339b78e46f2ea85ec8ed856dce575f4'],
    [4_294_967_295, 99_800, '74975f6117e520e1af7f50cb1f03b29905996d51cb3fd162199b791430f107c5'],
  ])('never change between versions for seed %s from position %s', async (seed, from, hash) => {
    const lines = (await generateResources(200, seed, from)).map(({ id, key, createdAt, lastModifiedAt, text }) =>
      [id, key, createdAt, lastModifiedAt, text].join(' '),
    )
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(hash)
  })

  it('are the same for the same seed, and differ for another', async () => {
    expect(await generateResources(20, 7)).toEqual(await generateResources(20, 7))
    const texts = async (seed: number) => (await generateResources(20, seed)).map(({ propertyText }) => propertyText)
    expect(await texts(7)).not.toEqual(await texts(8))
  })

  it('do not depend on their number or on the starting position', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.nat(30), fc.nat(30), async (seed, from, count) => {
        const all = await generateResources(from + count, seed)
        expect(await generateResources(count, seed, from)).toEqual(all.slice(from))
      }),
      { numRuns: 20 },
    )
  })

  it('match the contract, with all seven arrays and the rules that their names imply', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.nat(1_000_000), async (seed, from) => {
        for (const { propertyText, text, objectTypeProperty, ...resource } of await generateResources(5, seed, from)) {
          expect(resultEntry.safeParse({ ...resource, objectTypeProperty }).error).toBeUndefined()
          expect(Object.keys(objectTypeProperty)).toEqual(arrayNames)
          const { arrayOfUniqueIntExample: unique = [], arrayOfTwonumbersExample: two } = objectTypeProperty
          expect(new Set(unique).size).toBe(unique.length)
          expect(two).toHaveLength(2)
          expect(parseJson(propertyText)).toEqual(objectTypeProperty)
          expect(parseJson(text)).toEqual({ version: resource.version, objectTypeProperty })
          expect(arrayTestType.safeParse(parseJson(propertyText)).success).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('have prices with at most two decimals, and lowercase words', async () => {
    const generated = await generateResources(300, 1)
    const valuesOf = <T>(of: (property: ArrayTestType) => readonly T[] | undefined) =>
      generated.flatMap(({ objectTypeProperty }) => of(objectTypeProperty) ?? [])
    const prices = valuesOf(({ arrayOfFloatExample }) => arrayOfFloatExample).map(Number)
    expect(prices.filter((price) => price < 1 || price > 900 || Number(price.toFixed(2)) !== price)).toEqual([])
    expect(Math.max(...prices)).toBeGreaterThan(500)
    expect(prices.some((price) => !Number.isInteger(price))).toBe(true)
    const texts = valuesOf(({ arrayOfStringExample }) => arrayOfStringExample)
    expect(texts.filter((text) => text === '' || text !== text.toLowerCase() || text.startsWith(' '))).toEqual([])
    expect(texts.join(' ')).not.toMatch(/ {2}|undefined/)
  })

  it('have unique UUIDs and keys', async () => {
    const generated = await generateResources(1000, 1)
    const { resources } = await loadFixtures()
    for (const { id, key } of generated) {
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(resourceKey.safeParse(key).success).toBe(true)
    }
    const everything = [...generated, ...resources]
    expect(new Set(everything.map(({ id }) => id)).size).toBe(everything.length)
    const keys = everything.flatMap(({ key }) => key ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('are created in sequence, and modified only if the version says so', async () => {
    const generated = await generateResources(200, 3)
    const created = generated.map(({ createdAt }) => createdAt)
    expect(created).toEqual(created.toSorted())
    for (const { version, createdAt, lastModifiedAt } of generated) {
      expect(lastModifiedAt > createdAt).toBe(version > 1)
    }
  })

  it('sometimes have integers past 2^53, of both signs', async () => {
    const generated = await generateResources(500, 1)
    const numbers = generated.flatMap(({ objectTypeProperty }) =>
      (objectTypeProperty.arrayOfObjectType ?? []).map(({ integerExample }) => integerExample),
    )
    const large = numbers.filter((number) => typeof number === 'bigint')
    expect(large.length).toBeGreaterThan(numbers.length / 20)
    expect(large.length).toBeLessThan(numbers.length / 5)
    expect(large.some((number) => number > 0n) && large.some((number) => number < 0n)).toBe(true)
  })

  it("do not affect the random numbers of the user's own faker", async () => {
    const { faker } = await import('@faker-js/faker/locale/en')
    faker.seed(5)
    const undisturbed = [faker.number.int(), faker.number.int()]
    faker.seed(5)
    const first = faker.number.int()
    await generateResources(10, 1)
    expect([first, faker.number.int()]).toEqual(undisturbed)
  })
})
