import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import type { ServerOptions } from '../../../src/app/options/options.ts'
import { AUTHORIZED, COMMAND, start } from '../../edges/cli/command.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { parseXml } from './xml.ts'

const readPage = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
const page = readPage('contract-testing')

/** The commands of a page, one per line. */
const readCommands = (text: string): readonly string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trimEnd().split('\n'))
const commands = readCommands(page)
const [, pipelineCommand = ''] = /^ {2}run: (.*)$/m.exec(page) ?? []
const [, shown = ''] = /^```\n(• carts.*?)^```/ms.exec(page) ?? []

const MOCK = 'http://127.0.0.1:4010'
const SERVICE = 'https://resource-service.test.example.com'

async function serve(options: ServerOptions = {}): Promise<string> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server.url
}

/** Runs a line as a shell does, with this package's command. */
async function runLine(line: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  // Other tests send all requests.
  const sampled = line.includes(' --quick') ? line : line.replace(' verify ', ' verify --quick ')
  const command = sampled.replaceAll('npx resource-mock', `"${process.execPath}" "${COMMAND}"`)
  const { PATH } = process.env
  const running = promisify(execFile)('sh', ['-c', command], { cwd, env: { PATH, ...env } })
  return running.then(
    ({ stdout }) => ({ status: 0, stdout }),
    // The rejection of a failed command.
    ({ code, stdout }: { code: number; stdout: string }) => ({ status: code, stdout }),
  )
}

const isServing = (line: string): boolean => /^npx resource-mock (?:--|proxy )/.test(line)

it('docs/contract-testing.md shows commands that work', async () => {
  const folder = await createTemporaryFolder()
  const [mock, service] = [await serve(), await serve()]
  await fetch(`${mock}/@suite/acme/resource`, AUTHORIZED)
  const here = (line: string) => line.replaceAll(MOCK, mock).replaceAll(SERVICE, service)

  const statuses: (readonly [line: string, status: number])[] = []
  for (const line of commands.filter((one) => !isServing(one))) {
    const { status } = await runLine(here(line), folder)
    statuses.push([line, status])
  }
  expect(statuses).toEqual(statuses.map(([line]) => [line, 0]))
  expect(JSON.parse(await readFile(join(folder, 'pact.json'), 'utf8'))).toHaveProperty('interactions[0].request')
  expect(JSON.parse(await readFile(join(folder, 'suite.har'), 'utf8'))).toHaveProperty('log.entries[0].request')
  expect(JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'))).toHaveProperty('paths')

  const serving = commands.filter(isServing)
  for (const line of serving) {
    const args = here(line).split(' ').slice(2)
    const url = await start([...args, '--port', '0', '--log', 'silent'], { cwd: folder }).ready
    expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
  }
  expect([statuses.length, serving.length]).toEqual([10, 2])
})

it('docs/contract-testing.md shows a pipeline step that works', async () => {
  const folder = await createTemporaryFolder()
  const env = { SERVICE_URL: await serve(), RESOURCE_MOCK_VERIFY_CLIENT: 'ci:secret' }
  expect(await runLine(pipelineCommand, folder, env)).toEqual({ status: 0, stdout: '' })
  expect(parseXml((await readFile(join(folder, 'verify.xml'), 'utf8')).trimEnd()).attributes).toMatchObject({
    failures: '0',
    skipped: '2',
  })
})

it('docs/contract-testing.md shows the report for a cart that has drifted', async () => {
  const folder = await createTemporaryFolder()
  const cart = {
    cartId: 'c1',
    cartVersion: 4,
    lineItems: [],
    sum: { fractionDigits: 2, centAmount: 18_990.5, currencyCode: 'EUR' },
    shippingAddress: {},
    billingAddress: {},
    payments: [],
    voucher: 'SUMMER',
  }
  const effect = { answer: { status: 200, body: cart } }
  const drifted = { description: 'Drifted', rules: [{ match: { operation: 'getActionWithExample' }, effect }] }
  await mkdir(join(folder, 'scenarios'))
  await writeFile(join(folder, 'scenarios', 'drifted.json'), JSON.stringify(drifted))
  const url = await start(['--port', '0', '--log', 'silent', '--scenarios', 'scenarios', '--scenario', 'drifted'], {
    cwd: folder,
  }).ready
  const line = commands.find((one) => one.includes('--only carts')) ?? ''
  const { status, stdout } = await runLine(line.replace(MOCK, url), folder)
  expect(status).toBe(1)
  expect(stdout.replace(url, MOCK).replace(/in \d+\.\d s/, 'in 0.1 s')).toBe(shown)
})

it('docs/mock-drift.md replays what tests sent', async () => {
  const folder = await createTemporaryFolder()
  const [mock, service] = [await serve(), await serve()]
  await fetch(`${mock}/@suite/acme/resource/key=oak-side-table`, AUTHORIZED)
  const statuses: number[] = []
  for (const line of readCommands(readPage('mock-drift'))) {
    const here = line.replaceAll(MOCK, mock).replaceAll('http://127.0.0.1:8080', service)
    statuses.push((await runLine(here, folder)).status)
  }
  expect(statuses).toEqual([0, 0])
})
