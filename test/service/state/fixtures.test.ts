import { describe, expect, it } from 'vitest'
import { cart as cartSchema } from '../../../src/service/contract/models.ts'
import { SetupError } from '../../../src/errors.ts'
import { stringifyJson } from '../../../src/service/http/json.ts'
import { createMock } from '../../../src/mock.ts'
import { builtinFixtureTexts } from '../../../src/service/state/builtin-fixtures.ts'
import { loadFixtures } from '../../../src/service/state/fixtures.ts'
import type { Fixtures } from '../../../src/service/state/fixtures.ts'
import { generateResources } from './generated.ts'
import { toMembers } from './records.ts'

/** The error message of a start with these files. */
async function refuse(own: Readonly<Record<string, string>>): Promise<string> {
  const fault: unknown = await loadFixtures(own).catch((error: unknown) => error)
  if (!(fault instanceof SetupError)) throw new Error('A SetupError was expected.', { cause: fault })
  return fault.message
}

const refuseRecords = (text: string): Promise<string> => refuse({ 'resources.json': text })

const find = ({ resources }: Fixtures, key: string) => resources.find((resource) => resource.key === key)

describe('the built-in fixtures', () => {
  it('pass the checks for user fixtures unchanged', async () => {
    const own = Object.entries(builtinFixtureTexts).map(([name, text]) => [name, `${text}\n`])
    expect(await loadFixtures(Object.fromEntries(own))).toEqual(await loadFixtures())
  })

  it('keep every digit of a 64-bit integer', async () => {
    const largest = find(await loadFixtures(), 'large-numbers')
    expect(largest?.objectTypeProperty.arrayOfIntExample).toEqual([9223372036854775807n, -9223372036854775808n, 0])
    expect(largest?.propertyText).toContain('{"integerExample":9223372036854775807,"integerExampleInt32":2147483647}')
  })

  it('are accepted by POST under --strict, as generated resources are', async () => {
    const { resources, arrayTestType, custom } = await loadFixtures()
    const generated = await generateResources(50, 1)
    const staged = resources.flatMap((one) => (one.staged === undefined ? [] : [stringifyJson(one.staged)]))
    const properties = [...resources, ...generated].map(({ propertyText }) => propertyText)
    const mock = await createMock({ strict: true, auth: 'off' })
    for (const property of [...properties, ...staged, arrayTestType, custom.custom1, custom.custom2]) {
      const response = await mock.fetch('/new/resource', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"objectTypeProperty":${property}}`,
      })
      expect([property, response.status]).toEqual([property, 201])
    }
  })

  it('are in creation order, and none was modified before it was created', async () => {
    const { resources } = await loadFixtures()
    const created = resources.map(({ createdAt }) => createdAt)
    expect(created).toEqual(created.toSorted())
    for (const { createdAt, lastModifiedAt } of resources) expect(lastModifiedAt >= createdAt).toBe(true)
  })

  it('have a record with a staged projection, one with empty arrays, and some without a key', async () => {
    const fixtures = await loadFixtures()
    expect(find(fixtures, 'rattan-armchair')?.staged?.arrayOfStringExample).toContain('terrace')
    expect(find(fixtures, 'gift-card')?.objectTypeProperty.arrayOfIntExample).toEqual([])
    expect(fixtures.resources.filter(({ key }) => key === undefined)).not.toHaveLength(0)
  })

  it('return three payloads for the complex POST', async () => {
    const { arrayTestType, custom } = await loadFixtures()
    expect(new Set([arrayTestType, custom.custom1, custom.custom2]).size).toBe(3)
    expect(arrayTestType).toContain('"integerExample":9223372036854775807')
  })

  it.each(['', 'de-DE', 'en-GB', 'fr'])('have a cart "%s" whose sums add up', async (locale) => {
    const { carts } = await loadFixtures()
    const { lineItems, sum } = cartSchema.parse(JSON.parse(carts.get(locale) ?? ''))
    for (const { count, price, totalPrice, discounts } of lineItems) {
      const amounts = discounts.map((discount) => Number(/"centAmount":(\d+)/.exec(JSON.stringify(discount))?.[1]))
      const reduction = amounts.reduce((total, amount) => total + amount, 0)
      expect(totalPrice.centAmount).toBe(Number(price.centAmount) * Number(count) - reduction)
      expect([price.currencyCode, totalPrice.currencyCode]).toEqual([sum.currencyCode, sum.currencyCode])
    }
    expect(sum.centAmount).toBe(lineItems.reduce((total, item) => total + Number(item.totalPrice.centAmount), 0))
  })

  it('have a different cart for every locale', async () => {
    const { carts } = await loadFixtures()
    expect(new Set(carts.values()).size).toBe(4)
  })
})

describe('user fixtures', () => {
  it('replace the built-in fixture of the same name, and leave the others', async () => {
    const builtIn = await loadFixtures()
    const own = await loadFixtures({ 'action.json': '{ "mine": true }' })
    expect(own).toEqual({ ...builtIn, action: '{"mine":true}' })
  })

  it('may be a single cart, which replaces the built-in localised carts too', async () => {
    const own = builtinFixtureTexts['cart.json'] ?? ''
    const keysOf = async (texts: Readonly<Record<string, string>>) =>
      [...(await loadFixtures(texts)).carts.keys()].toSorted()
    expect(await keysOf({ 'cart.json': own })).toEqual([''])
    expect(await keysOf({ 'cart.json': own, 'cart.it.json': own })).toEqual(['', 'de-DE', 'en-GB', 'fr', 'it'])
  })

  it('may add a cart in another locale', async () => {
    const { carts } = await loadFixtures({ 'cart.it.json': builtinFixtureTexts['cart.json'] ?? '' })
    expect([...carts.keys()].toSorted()).toEqual(['', 'de-DE', 'en-GB', 'fr', 'it'])
  })

  it('get defaults for omitted members', async () => {
    const { resources } = await loadFixtures({
      'resources.json': `[
        { "objectTypeProperty": { "arrayOfStringExample": ["a"], "arrayOfIntExample": [1.0] } },
        { "key": "second", "createdAt": "2024-05-01T12:00:00+02:00", "objectTypeProperty": {} }
      ]`,
    })
    expect(resources.map(toMembers)).toEqual([
      {
        id: '00000000-0000-4000-8000-000000000001',
        version: 1,
        createdAt: '2024-01-01T00:00:00.000Z',
        lastModifiedAt: '2024-01-01T00:00:00.000Z',
        objectTypeProperty: { arrayOfIntExample: [1], arrayOfStringExample: ['a'] },
        propertyText: '{"arrayOfIntExample":[1],"arrayOfStringExample":["a"]}',
        text: '{"version":1,"objectTypeProperty":{"arrayOfIntExample":[1],"arrayOfStringExample":["a"]}}',
      },
      {
        id: '00000000-0000-4000-8000-000000000002',
        key: 'second',
        version: 1,
        createdAt: '2024-05-01T10:00:00.000Z',
        lastModifiedAt: '2024-05-01T10:00:00.000Z',
        objectTypeProperty: {},
        propertyText: '{}',
        text: '{"version":1,"objectTypeProperty":{}}',
      },
    ])
  })

  it('are returned in the order of the specification, whatever their own order', async () => {
    const text =
      '{ "arrayOfObjectType": [{ "integerExampleInt32": 2, "integerExample": 9007199254740993 }], "arrayOfIntExample": [] }'
    const { custom } = await loadFixtures({ 'complex-custom1.json': text })
    expect(custom.custom1).toBe(
      '{"arrayOfIntExample":[],"arrayOfObjectType":[{"integerExample":9007199254740993,"integerExampleInt32":2}]}',
    )
  })

  it('may start with a byte order mark', async () => {
    expect((await loadFixtures({ 'action.json': '\uFEFF[1]' })).action).toBe('[1]')
  })

  it('may be next to non-JSON files', async () => {
    await expect(loadFixtures({ 'README.md': '# Our fixtures', 'notes.txt': '' })).resolves.toBeDefined()
  })
})

describe('an error in a fixture', () => {
  it.each([
    [
      'a value of the wrong type',
      '[{ "objectTypeProperty": {} },\n  { "objectTypeProperty": { "arrayOfIntExample": [1, "x"] } }]',
      'resources.json:2:54 [1].objectTypeProperty.arrayOfIntExample[1]: JSON Integer expected, found "x".',
    ],
    [
      'a number out of range',
      '[{ "objectTypeProperty": { "arrayOfIntExample": [9223372036854775808] } }]',
      'resources.json:1:50 [0].objectTypeProperty.arrayOfIntExample[0]: integer between -9223372036854775808 and 9223372036854775807 expected, found 9223372036854775808.',
    ],
    ['a root of the wrong type', '{}', 'resources.json:1:1: JSON Array expected, found {}.'],
    ['a missing member', '[\n  {}\n]', 'resources.json:2:3 [0].objectTypeProperty: required, but missing.'],
    [
      'an invalid id',
      '[{ "id": "7", "objectTypeProperty": {} }]',
      'resources.json:1:10 [0].id: UUID expected, found "7".',
    ],
    [
      'a version below 1',
      '[{ "version": 0, "objectTypeProperty": {} }]',
      'resources.json:1:15 [0].version: expected an integer between 1 and 9007199254740991, found 0.',
    ],
    [
      'an invalid date',
      '[{ "createdAt": "May", "objectTypeProperty": {} }]',
      'resources.json:1:17 [0].createdAt: ISO 8601 date-time expected, found "May".',
    ],
    [
      'a key reserved for generated resources',
      '[{ "key": "generated-7", "objectTypeProperty": {} }]',
      'resources.json:1:11 [0].key: expected a key that is not reserved for generated resources (generated-1, generated-2, …), found "generated-7".',
    ],
    ['an empty file', ' \n', 'resources.json:1:1: the file is empty; expected JSON. Write some, or delete the file.'],
    ['text that is not JSON', '[\n  { "a": 1, }\n]', 'resources.json:2:13: unexpected "}".'],
    [
      'a duplicate member',
      '[{ "objectTypeProperty": {},\n   "objectTypeProperty": {} }]',
      'resources.json:2:4: [0].objectTypeProperty: member name appears twice.',
    ],
    ['too deep a nesting', '['.repeat(200), 'resources.json:1:1: nested more than 100 levels deep. Flatten it.'],
  ])('is reported with its position: %s', async (_, text, sentence) => {
    expect(await refuseRecords(text)).toBe(`fixtures ${sentence}`)
  })

  it('is reported with all others of the file, in their order', async () => {
    const text =
      '[{ "version": 0, "objectTypeProperty": {} },\n { "kee": "a" },\n { "id": 7, "objectTypeProperty": 1 }]'
    expect((await refuseRecords(text)).split('\n')).toEqual([
      'fixtures resources.json:1:15 [0].version: expected an integer between 1 and 9007199254740991, found 0.',
      'fixtures resources.json:2:2 [1].objectTypeProperty: required, but missing.',
      expect.stringMatching(/^fixtures resources\.json:2:11 \[1\]\.kee: unknown member\. Did you mean "key"\?/),
      'fixtures resources.json:3:10 [2].id: JSON String expected, found 7.',
      'fixtures resources.json:3:35 [2].objectTypeProperty: JSON Object expected, found 1.',
    ])
  })

  it('is counted if the file has many', async () => {
    const lines = (await refuseRecords(`[${Array.from({ length: 50 }, () => '{}').join()}]`)).split('\n')
    expect(lines).toHaveLength(21)
    expect(lines[20]).toBe('… and 30 more')
  })

  it('suggests the member that was meant', async () => {
    expect(await refuseRecords('[{\n  "objectTypePropety": {} }]')).toBe(
      'fixtures resources.json:2:24 [0].objectTypePropety: unknown member. Did you mean "objectTypeProperty"? Known members: id, key, version, createdAt, lastModifiedAt, someProperty, objectTypeProperty, staged.',
    )
  })

  it('suggests a nested member that was meant', async () => {
    const text =
      '[{ "staged": { "objectTypeProperty": { "arrayOfObjectType": [{}, { "integerExampel": 1 }] } }, "objectTypeProperty": {} }]'
    expect(await refuseRecords(text)).toBe(
      'fixtures resources.json:1:86 [0].staged.objectTypeProperty.arrayOfObjectType[1].integerExampel: unknown member. Did you mean "integerExample"? Known members: integerExample, integerExampleInt32.',
    )
  })

  it.each([
    ['key', '"oak"'],
    ['id', '"5f1bd8b4-7a3e-4d8c-9a53-0f6f5a3c9b11"'],
  ])('reports the positions of both records with the same %s', async (member, value) => {
    const record = `{ "${member}": ${value}, "objectTypeProperty": {} }`
    expect(await refuseRecords(`[\n${record},\n{ "objectTypeProperty": {} },\n${record}\n]`)).toBe(
      `fixtures resources.json:4:${member.length + 7} [2].${member}: ${value} is already the ${member} of [0] in line 2. Change one of them.`,
    )
  })

  it('quotes only a short piece of a file', async () => {
    const sentence = await refuseRecords(`[{ "objectTypeProperty": [${'"long",\n'.repeat(100)}1] }]`)
    expect(sentence).toMatch(
      /^fixtures resources\.json:1:26 \[0\]\.objectTypeProperty: JSON Object expected, found .{60}…\.$/,
    )
  })

  it.each([
    [
      'array-test-type.json',
      '{ "arrayOfStringExample": [1] }',
      'array-test-type.json:1:28 arrayOfStringExample[0]: JSON String expected, found 1.',
    ],
    ['complex-custom2.json', '[]', 'complex-custom2.json:1:1: JSON Object expected, found [].'],
    ['action.json', '{', 'action.json:1:2: unexpected end of the text.'],
    ['cart.fr.json', '{ "cartId": 7 }', 'cart.fr.json:1:13 cartId: JSON String expected, found 7.'],
  ])('is found in %s too', async (name, text, sentence) => {
    expect((await refuse({ [name]: text })).split('\n')).toContain(`fixtures ${sentence}`)
  })
})

describe('a fixture file name', () => {
  it.each(['resource.json', 'Resources.JSON'])('is refused if no fixture has it: %s', async (file) => {
    expect(await refuse({ [file]: '[]' })).toBe(
      `fixtures ${file}: unknown fixture file. Did you mean "resources.json"? The mock reads resources.json, array-test-type.json, complex-custom1.json, complex-custom2.json, cart.json, action.json and cart.<locale>.json.`,
    )
  })

  it.each(['german', '', 'de-', 'd'])('is refused if it has the locale "%s"', async (locale) => {
    expect(await refuse({ [`cart.${locale}.json`]: '{}' })).toBe(
      `fixtures cart.${locale}.json: "${locale}" is not a locale. Use a name like cart.de-DE.json or cart.de.json.`,
    )
  })

  it.each(['de-de', 'de_DE', 'DE'])('is refused if its locale is written "%s"', async (locale) => {
    expect(await refuse({ [`cart.${locale}.json`]: '{}' })).toMatch(
      /rename it to cart\.de(-DE)?\.json, the canonical spelling of the locale\.$/,
    )
  })
})
