import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @param {number} index any distinct number, so that ids are the same in every run */
const toId = (index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** A body of a typical size: all seven arrays of the specification's section 2. */
const toProperty = (index) => ({
  arrayOfIntExample: [index, index + 1, index + 2, 40, 50],
  arrayOfUniqueIntExample: [index, index + 7, index + 11],
  arrayOfTwonumbersExample: [index, 2],
  arrayOfFloatExample: [index + 0.5, 1.25, 2.75],
  arrayOfNumberNoDefaultsExample: [index, 0.5, 3],
  arrayOfStringExample: ['first', `resource number ${index}`, 'last'],
  arrayOfObjectType: [
    { integerExample: 4503599627370496, integerExampleInt32: index },
    { integerExample: 17, integerExampleInt32: -17 },
  ],
})

const toRecord = (index) => ({
  id: toId(index),
  key: `resource-${index}`,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastModifiedAt: '2026-01-01T00:00:00.000Z',
  objectTypeProperty: toProperty(index),
})

export const draft = { objectTypeProperty: toProperty(0) }

/**
 * Writes a fixture folder with this many resources, which every contender starts with.
 *
 * @param {string} folder
 * @param {number} count
 */
export async function writeSeed(folder, count) {
  await mkdir(folder, { recursive: true })
  const records = Array.from({ length: count }, (_, index) => toRecord(index))
  await writeFile(join(folder, 'resources.json'), JSON.stringify(records))
}

/**
 * Ids spread evenly over the seed.
 *
 * @param {number} count the number of ids in the seed
 * @param {number} wanted the number of ids to take
 */
export const pickIds = (count, wanted) =>
  Array.from({ length: Math.min(count, wanted) }, (_, index) =>
    toId(Math.floor((index * count) / Math.min(count, wanted))),
  )
