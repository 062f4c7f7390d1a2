import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { optionEntries } from '../../../src/app/options/options.ts'
import { parseValue, toFlag } from '../../../src/app/options/option.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { parseExample } from './examples.ts'

const readText = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

interface Service {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly stop_grace_period: string
}

interface Probe {
  readonly httpGet: { readonly path: string }
}

interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string }[]
  readonly startupProbe: Probe & { readonly periodSeconds: number; readonly failureThreshold: number }
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
}

const [{ services }] = parseExample('compose.yaml') as readonly [
  { readonly services: Readonly<Record<string, Service | undefined>> },
]
const [deployment] = parseExample('kubernetes.yaml') as readonly [
  { readonly spec: { readonly template: { readonly spec: Pod } } },
]
const pod = deployment.spec.template.spec
const [container] = pod.containers
const composed = services['mock-1'] ?? expect.fail('no mock-1')
const caddyfile = readText('examples/deploy/Caddyfile')

/** The mocks that each of the files starts. */
const mocks = [
  {
    file: 'compose.yaml',
    args: composed.command,
    variables: Object.keys(composed.environment),
    graceSeconds: Number.parseInt(composed.stop_grace_period, 10),
  },
  {
    file: 'kubernetes.yaml',
    args: container.args,
    variables: container.env.map(({ name }) => name),
    graceSeconds: pod.terminationGracePeriodSeconds,
  },
]

/** The values by flag, as the command parses them. */
function parseFlags(args: readonly string[]): ReadonlyMap<string, unknown> {
  const parsed = new Map<string, unknown>()
  for (let at = 0; at < args.length; at += 2) {
    const [flag = '', value] = args.slice(at, at + 2)
    const [, option] = optionEntries.find(([, one]) => toFlag(one) === flag) ?? expect.fail(`unknown flag ${flag}`)
    parsed.set(flag, parseValue(option, value, flag))
  }
  return parsed
}

describe.each(mocks)('the mocks of $file', ({ args, variables, graceSeconds }) => {
  const flags = parseFlags(args)

  it('get variables that the command reads, the admin token among them', () => {
    const known = new Set(optionEntries.map(([, option]) => option.env))
    expect(variables).toContain('RESOURCE_MOCK_ADMIN_TOKEN')
    expect(variables.filter((name) => !known.has(name))).toEqual([])
  })

  it('share a store', () => {
    expect(flags.has('--store') || variables.includes('RESOURCE_MOCK_STORE')).toBe(true)
  })

  it('have at least ten seconds after --drain to finish open requests', () => {
    const drain = Number(flags.get('--drain')) / 1000
    expect(drain).toBeGreaterThan(0)
    expect(graceSeconds).toBeGreaterThanOrEqual(drain + 10)
  })
})

it('a pod has longer to start than it waits for the store', () => {
  const { periodSeconds, failureThreshold } = container.startupProbe
  const storeWait = Number(parseFlags(container.args).get('--store-wait')) / 1000
  expect(periodSeconds * failureThreshold).toBeGreaterThan(storeWait)
})

it('the health checks get an answer without a token, under any host name', async () => {
  const server = await startServer({ port: 0, adminToken: 'choose-one' })
  onTestFinished(() => server.close())
  const { port } = new URL(server.url)
  const ask = async (host: string, path: string) =>
    (await sendRaw(Number(port), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(9, 12)
  const host = /Host (\S+)/.exec(caddyfile)?.[1] ?? ''
  const { startupProbe, livenessProbe, readinessProbe } = container
  const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe.httpGet.path)
  for (const path of [...paths, /health_uri (\S+)/.exec(caddyfile)?.[1] ?? '']) {
    expect([await ask(host, path), await ask('mock-1:4010', path)]).toEqual(['200', '200'])
  }
})

it('the balancer of compose.yaml knows each of its mocks', () => {
  const [, upstreams = ''] = /^\t\tto (.*)$/m.exec(caddyfile) ?? []
  const names = Object.keys(services).filter((name) => name.startsWith('mock-'))
  expect(names).toHaveLength(3)
  expect(upstreams.split(' ')).toEqual(names.map((name) => `${name}:4010`))
})

it('the store of compose.yaml keeps a file and drops no keys', () => {
  const command = services['valkey']?.command.join(' ')
  expect(command).toContain('--appendonly yes')
  expect(command).toContain('--maxmemory-policy noeviction')
})

it('the image has the tested version of the store client', () => {
  const { devDependencies } = JSON.parse(readText('package.json')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  expect(readText('examples/deploy/Dockerfile')).toContain(` ioredis@${devDependencies['ioredis']}\n`)
})
