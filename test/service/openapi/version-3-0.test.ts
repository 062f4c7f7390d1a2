import { describe, expect, it } from 'vitest'
import { toOpenApiText } from '../../../src/edges/cli/commands/print.ts'
import { read } from './the-document.ts'

type Members = Readonly<Record<string, unknown>>

const old = JSON.parse(await toOpenApiText(false, '3.0')) as typeof read & Members

/** Every schema object of a part of the document, at any depth. */
function listKeywords(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(listKeywords)
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    ['example', 'examples'].includes(name) ? [] : [name, ...listKeywords(value)],
  )
}

describe('the document as OpenAPI 3.0', () => {
  it('has the same operations, parameters and models', () => {
    expect(Object.keys(old.paths)).toEqual(Object.keys(read.paths))
    expect(Object.keys(old.components.schemas)).toEqual(Object.keys(read.components.schemas))
    expect(old.components.parameters).toEqual(read.components.parameters)
  })

  it('uses only keywords of 3.0', () => {
    const known = new Set(listKeywords(old))
    for (const name of ['const', 'patternProperties', 'propertyNames', 'contentMediaType', 'contentSchema'])
      expect([name, known.has(name)]).toEqual([name, false])
    expect(old.info).not.toHaveProperty('summary')
    expect(old.info.license).toEqual({ name: 'MIT', url: 'https://opensource.org/license/mit' })
  })

  it('translates what 3.0 expresses differently', () => {
    expect(old.components.schemas['FacetTerm']).toMatchObject({
      properties: { term: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    })
    expect(old.components.schemas['TermFacetResult']).toMatchObject({ properties: { type: { enum: ['terms'] } } })
    const { parameters = [] } = old.paths['/{projectKey}/resource/sorted-query-parameters']?.['get'] ?? {}
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'var',
        schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      }),
    )
  })

  it('keeps every digit of 64-bit integers', async () => {
    expect(await toOpenApiText(false, '3.0')).toContain('9223372036854775807')
  })
})
