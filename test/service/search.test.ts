import { beforeAll, describe, expect, it } from 'vitest'
import { createClient, errorOf, keysOf, resultsOf } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const search = '/acme/resource/searchApiPattern'

const resources = [
  {
    key: 'table',
    objectTypeProperty: { arrayOfStringExample: ['Oak side table', 'natural'], arrayOfIntExample: [10, 3] },
    staged: { objectTypeProperty: { arrayOfStringExample: ['Walnut table'], arrayOfIntExample: [99] } },
  },
  { key: 'desk', objectTypeProperty: { arrayOfStringExample: ['Oak desk', 'dark'], arrayOfIntExample: [10] } },
  { key: 'lamp', objectTypeProperty: { arrayOfStringExample: ['Brass lamp'], arrayOfFloatExample: [9.5, 12] } },
  { key: 'big', objectTypeProperty: { arrayOfIntExample: [9223372036854775807n] } },
]

// Nothing here writes, so one mock serves every case.
let client: Client
beforeAll(async () => {
  client = await createClient({ resources })
})

const find = (query: string) => client.get(`${search}?${encodeURI(query)}`)

describe('search', () => {
  it.each([
    ['', ['table', 'desk', 'lamp', 'big']],
    ['text.en=oak', ['table', 'desk']],
    ['text.de-DE=OAK', ['table', 'desk']],
    ['text.en=ta', ['table']],
    ['text.en=oak desk', ['desk']],
    ['text.en=oak&text.de=side', ['table']],
    ['text.en=lmap', []],
    ['text.en=lmap&fuzzy=true', []],
    ['text.en=lapm&fuzzy=true', []],
    ['text.en=lamb&fuzzy=true', ['lamp']],
    ['text.en=lamb&fuzzy=false', []],
    ['text.en=lamb&fuzzy=true&fuzzyLevel=1', ['lamp']],
    ['text.en=lamb&fuzzy=true&fuzzyLevel=0', []],
    ['text.en=natrual&fuzzy=true', ['table']],
    ['filter=arrayOfIntExample:10', ['table', 'desk']],
    ['filter=objectTypeProperty.arrayOfIntExample:10', ['table', 'desk']],
    ['filter=arrayOfIntExample:9223372036854775807', ['big']],
    ['filter=arrayOfIntExample:range (1 to 5)', ['table']],
    ['filter=arrayOfFloatExample:range (9.5 to *)', ['lamp']],
    ['filter=arrayOfFloatExample:range (* to 9.4)', []],
    ['filter=arrayOfStringExample:"Oak desk"', ['desk']],
    ['filter.query=arrayOfIntExample:10&filter=arrayOfIntExample:3', ['table']],
    ['filter.facets=arrayOfIntExample:3', ['table', 'desk', 'lamp', 'big']],
    ['filter=arrayOfIntExample:10&filter=arrayOfIntExample:3', ['table']],
    ['filter.query=arrayOfIntExample:10&filter.query=arrayOfStringExample:dark', ['desk']],
    ['filter.facets=arrayOfIntExample:3&filter.facets=arrayOfIntExample:4', ['table', 'desk', 'lamp', 'big']],
    ['staged=true&text.en=walnut', ['table']],
    ['staged=true&text.en=oak', ['desk']],
    ['staged=false&text.en=walnut', []],
    ['limit=1&offset=1', ['desk']],
  ])('%s finds %j', async (query, keys) => {
    expect(keysOf(await find(query))).toEqual(keys)
  })

  it('returns a page, and facets only if requested', async () => {
    expect((await find('text.en=oak&limit=1')).body).toMatchObject({ limit: 1, offset: 0, count: 1, total: 2 })
    expect((await find('text.en=oak')).body).not.toHaveProperty('facets')
  })

  it('returns the projection that was searched', async () => {
    const [staged] = resultsOf(await find('staged=true&text.en=walnut'))
    expect(staged?.objectTypeProperty).toEqual(resources[0]?.staged?.objectTypeProperty)
  })

  it.each([
    ['fuzzy=true&fuzzyLevel=2&text.en=lamp', 'fuzzyLevel'],
    ['fuzzy=true&fuzzyLevel=3&text.en=natural', 'fuzzyLevel'],
    ['fuzzyLevel=2&text.en=lamp', 'fuzzyLevel'],
    ['fuzzy=false&fuzzyLevel=3', 'fuzzyLevel'],
    ['fuzzy=true&fuzzy=false', 'fuzzy'],
    ['fuzzyLevel=x', 'fuzzyLevel'],
    ['fuzzyLevel=0.5', 'fuzzyLevel'],
    ['fuzzy=1', 'fuzzy'],
    ['text.english=a', 'text.english'],
    ['text.EN=a', 'text.EN'],
    ['text.=a', 'text.'],
    ['limit=501', 'limit'],
    ['filter=arrayOfIntExample', 'filter'],
    ['filter=nope:1', 'filter'],
    ['filter.query=arrayOfIntExample:range (1 5)', 'filter.query'],
    ['filter.facets=arrayOfIntExample:abc', 'filter.facets'],
    ['facet=nope', 'facet'],
  ])('%s is refused, naming the parameter', async (query, field) => {
    expect(errorOf(await find(query))).toMatchObject({
      status: 400,
      field,
      message: expect.stringContaining(`Malformed parameter: ${field}: `),
    })
  })
})

describe('a facet', () => {
  const facet = (
    total: number,
    missing: number,
    dataType: string,
    ...terms: readonly (readonly [unknown, number])[]
  ) => ({
    type: 'terms',
    dataType,
    missing,
    total,
    other: 0,
    terms: terms.map(([term, count]) => ({ term, count })),
  })

  it.each([
    ['facet=arrayOfIntExample', 'arrayOfIntExample', facet(4, 1, 'number', [10, 2], [3, 1], [9223372036854775807n, 1])],
    [
      'facet=arrayOfIntExample&filter=arrayOfIntExample:3',
      'arrayOfIntExample',
      facet(4, 1, 'number', [10, 2], [3, 1], [9223372036854775807n, 1]),
    ],
    [
      'facet=arrayOfIntExample&filter.query=arrayOfIntExample:10',
      'arrayOfIntExample',
      facet(3, 0, 'number', [10, 2], [3, 1]),
    ],
    [
      'facet=arrayOfIntExample&filter.facets=arrayOfIntExample:3',
      'arrayOfIntExample',
      facet(2, 0, 'number', [3, 1], [10, 1]),
    ],
    [
      'facet=arrayOfIntExample&filter.facets=arrayOfIntExample:10&filter.facets=arrayOfIntExample:3',
      'arrayOfIntExample',
      facet(2, 0, 'number', [3, 1], [10, 1]),
    ],
    [
      'facet=arrayOfStringExample&text.en=oak',
      'arrayOfStringExample',
      facet(4, 0, 'text', ['Oak desk', 1], ['Oak side table', 1], ['dark', 1], ['natural', 1]),
    ],
  ])('%s', async (query, name, expected) => {
    expect((await find(query)).body).toMatchObject({ facets: { [name]: expected } })
  })

  it('are counted independently of each other', async () => {
    expect(
      (await find('facet=arrayOfIntExample&facet=arrayOfFloatExample&facet=arrayOfIntExample')).body,
    ).toHaveProperty('facets', {
      arrayOfIntExample: facet(4, 1, 'number', [10, 2], [3, 1], [9223372036854775807n, 1]),
      arrayOfFloatExample: facet(2, 3, 'number', [9.5, 1], [12, 1]),
    })
  })
})
