import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { operationIds } from '../../../src/service/contract/endpoints.ts'
import { startServer } from '../../../src/node.ts'
import { lifeCycle } from './life-cycle.ts'
import type { Step } from './life-cycle.ts'
import { startPrism } from './prism.ts'
import { binaryOf, createFolder, runTool } from './tool.ts'

const ARRAYS = '{"arrayOfIntExample":[1],"arrayOfObjectType":[{"integerExample":9007199254740991}]}'

/** A mock with numbers that Prism supports: its `int64` is limited to safe integers. */
async function startMock(): Promise<string> {
  const fixtures = {
    'resources.json': `[{"objectTypeProperty":${ARRAYS}}]`,
    'array-test-type.json': ARRAYS,
    'complex-custom1.json': ARRAYS,
    'complex-custom2.json': ARRAYS,
  }
  const server = await startServer({ port: 0, checkResponses: true, fixtures })
  onTestFinished(() => server.close())
  return server.url
}

const toDocument = (mock: string): string => `${mock}/__admin/openapi.json`

/** The document without references. */
async function inline(mock: string): Promise<string> {
  const folder = await createFolder({})
  await writeFile(join(folder, 'openapi.json'), await (await fetch(toDocument(mock))).text())
  const args = ['bundle', '--dereferenced', 'openapi.json', '--output', 'inlined.json']
  expect(await runTool(binaryOf('redocly'), args, folder)).toMatchObject({ status: 0 })
  return join(folder, 'inlined.json')
}

function send(url: string, { method, path, headers = {}, json, image }: Step, id: string): Promise<Response> {
  const type: Readonly<Record<string, string>> = json === undefined ? {} : { 'Content-Type': 'application/json' }
  return fetch(`${url}/acme/resource${path.replace(':id', id)}`, {
    method,
    headers: { Authorization: 'Bearer any', ...type, ...headers },
    body: image ?? (json === undefined ? null : JSON.stringify(json)),
  })
}

async function live(url: string): Promise<void> {
  let id = ''
  for (const step of lifeCycle) {
    const response = await send(url, step, id)
    const told = `${step.method} ${step.path}: ${await response.text()}`
    expect(response.headers.get('Sl-Violations'), told).toBeNull()
    expect(response.status, told).toBe(step.status)
    expect(response.headers.get('X-Mock-Operation'), told).toBe(step.operation)
    if (step.operation === 'createResource') id = response.headers.get('Location')?.split('/').at(-1) ?? ''
  }
}

/** A response produced by a scenario. */
const BROKEN = {
  description: 'Not as documented',
  rules: [
    { effect: { answer: { status: 200, body: { version: 1, objectTypeProperty: { arrayOfIntExample: ['x'] } } } } },
  ],
}

describe('stock Prism in front of the mock', () => {
  it('finds every operation in the life cycle', () => {
    expect(new Set(lifeCycle.map(({ operation }) => operation))).toEqual(new Set(operationIds))
  })

  it('passes the life cycle with the served document', async () => {
    const mock = await startMock()
    await live(await startPrism(toDocument(mock), mock))
  })

  it('passes with inlined references, and then reports undocumented content', async () => {
    const mock = await startMock()
    const prism = await startPrism(await inline(mock), mock)
    await live(prism)

    const draft: Step = {
      operation: 'createResource',
      status: 422,
      method: 'POST',
      path: '',
      json: { objectTypeProperty: { arrayOfIntExample: ['x'] } },
    }
    const refused = await send(prism, draft, '')
    expect(refused.status).toBe(draft.status)
    expect(await refused.text()).toContain('arrayOfIntExample')

    await fetch(`${mock}/__admin/scenarios/broken`, { method: 'PUT', body: JSON.stringify(BROKEN) })
    const headers = { Authorization: 'Bearer any', 'X-Mock-Scenario': 'broken' }
    const found = await fetch(`${prism}/acme/resource/1`, { headers })
    expect(found.status).toBe(500)
    expect(found.headers.get('Sl-Violations')).toContain('arrayOfIntExample')
  })
})
