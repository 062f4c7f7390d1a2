import { readFileSync, readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { toConfigJsonSchema } from '../../../src/app/options/options.ts'
import { toFixtureJsonSchema } from '../../../src/service/state/fixtures.ts'

// Regenerate with `npm run options`.
it.each([
  ['config.schema.json', toConfigJsonSchema],
  ['fixture.schema.json', toFixtureJsonSchema],
])("publishes %s, generated from the mock's own schemas", async (file, toJsonSchema) => {
  const text = `${JSON.stringify(toJsonSchema(), undefined, 2)}\n`
  await expect(text).toMatchFileSnapshot(`../../../${file}`)
})

function compile(schema: unknown) {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  // Both functions return a JSON Schema.
  ajv.addSchema(schema as object, 'it')
  return (value: unknown, definition = ''): boolean => ajv.getSchema(`it${definition}`)?.(value) === true
}

describe('config.schema.json', () => {
  const isValid = compile(toConfigJsonSchema())

  it.each([
    [{}],
    [{ $schema: './node_modules/resource-mock/config.schema.json', port: 4020, scenario: ['slow'], auth: 'strict' }],
    [{ scenario: 'slow', client: ['shop:secret'], cors: ['http://localhost:5173'], delay: '100-500', maxBody: '10mb' }],
    [{ cors: false, admin: false, delay: { from: 1, to: 2 }, sessionTtl: '10m', fixtures: 'fixtures', watch: true }],
  ])('takes %j', (config) => {
    expect(isValid(config)).toBe(true)
  })

  it.each([
    [{ prot: 4020 }],
    [{ port: 65_536 }],
    [{ auth: 'Strict' }],
    [{ strict: 'yes' }],
    [{ maxBody: '10tb' }],
    [{ fixtures: { 'resources.json': '[]' } }],
  ])('refuses %j', (config) => {
    expect(isValid(config)).toBe(false)
  })
})

describe('fixture.schema.json', () => {
  const isValid = compile(toFixtureJsonSchema())
  const folder = new URL('../../../fixtures/', import.meta.url)
  const definitionOf = (file: string): string => {
    if (file === 'resources.json') return ''
    return file.startsWith('cart') ? '#/$defs/Cart' : '#/$defs/ArrayTestType'
  }

  it.each(readdirSync(folder).filter((file) => file !== 'action.json'))('accepts the built-in %s', (file) => {
    expect(isValid(JSON.parse(readFileSync(new URL(file, folder), 'utf8')), definitionOf(file))).toBe(true)
  })

  it.each([[{}], [[{ key: 'hat' }]], [[{ version: 0, objectTypeProperty: {} }]], [[{ objectTypeProperty: 1 }]]])(
    'rejects the resources %j',
    (resources) => {
      expect(isValid(resources)).toBe(false)
    },
  )
})
