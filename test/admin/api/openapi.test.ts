import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'

interface Served {
  readonly servers: readonly { readonly url: string }[]
  readonly components: { readonly securitySchemes: { readonly oauth2: { readonly flows: object } } }
}

describe('GET /__admin/openapi.json', () => {
  it.each([
    ['/__admin/openapi.json', ['http://localhost:4010', 'http://localhost:4010/{region}/{cloudProvider}']],
    [
      '/@worker-1/__admin/openapi.json',
      ['http://localhost:4010/@worker-1', 'http://localhost:4010/@worker-1/{region}/{cloudProvider}'],
    ],
    ['/eu/gcp/__admin/openapi.json', ['http://localhost:4010/eu/gcp']],
    ['http://api.eu.gcp.localhost:4010/__admin/openapi.json', ['http://api.eu.gcp.localhost:4010']],
  ])('names the address of %s as its server', async (path, servers) => {
    const { ask } = await createAsk()
    const { status, body } = await ask('GET', path)
    expect(status).toBe(200)
    const document = body as Served
    expect(document.servers.map(({ url }) => url)).toEqual(servers)
    expect(document.components.securitySchemes.oauth2.flows).toMatchObject({
      clientCredentials: { tokenUrl: `${servers[0]}/oauth/token` },
    })
  })

  it('is OpenAPI 3.1 by default, and 3.0 on request', async () => {
    const { ask } = await createAsk()
    expect((await ask('GET', '/__admin/openapi.json')).body).toMatchObject({ openapi: '3.1.0' })
    expect((await ask('GET', '/__admin/openapi.json?version=3.1')).body).toMatchObject({ openapi: '3.1.0' })
    expect((await ask('GET', '/__admin/openapi.json?version=3.0')).body).toMatchObject({ openapi: '3.0.3' })
  })

  it('refuses another version with a message', async () => {
    const { ask } = await createAsk()
    const { status, body } = await ask('GET', '/__admin/openapi.json?version=2.0')
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ message: 'OpenAPI version "2.0" is not supported. Use 3.1 or 3.0.' }),
    ])
  })

  it('takes its examples from the fixtures of the mock, 64-bit integers exact', async () => {
    const fixtures = { 'array-test-type.json': '{"arrayOfIntExample":[9007199254740993]}' }
    const { ask } = await createAsk({ fixtures })
    expect((await ask('GET', '/__admin/openapi.json')).text).toContain('9007199254740993')
  })

  it('has examples even if the fixtures have no resource', async () => {
    const { ask } = await createAsk({ fixtures: { 'resources.json': '[]' } })
    expect((await ask('GET', '/__admin/openapi.json')).text).toContain('00000000-0000-4000-8000-000000000001')
  })
})
