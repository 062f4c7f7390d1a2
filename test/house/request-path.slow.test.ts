import { once } from 'node:events'
import http from 'node:http'
import { Session } from 'node:inspector/promises'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/node.ts'
import { readText } from './sources.ts'

const WARM_UP = 100
const MEASURED = 50

/** Vite turns each export into a function that returns it, so reading a constant looks like a call. */
const isAccessor = (code: string): boolean => /^(?:get\(\)|\(\) =>) ?\{ (?:try \{ )?return \w+/.test(code)

/**
 * The files of `src/` that run for at least every second request. Slow tests have a process of their own: what other files
 * of a shared one leave running would be counted, too.
 */
async function findFiles(request: () => Promise<void>): Promise<readonly string[]> {
  for (let at = 0; at < WARM_UP; at++) await request()
  const inspector = new Session()
  inspector.connect()
  onTestFinished(() => inspector.disconnect())
  await inspector.post('Debugger.enable')
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (let at = 0; at < MEASURED; at++) await request()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  await inspector.post('Profiler.stopPreciseCoverage')
  const files = new Set<string>()
  for (const { url, scriptId, functions } of result) {
    const path = /\/(src\/[\w/-]+\.ts)/.exec(url)?.[1]
    const ranges = functions.flatMap((one) => one.ranges.slice(0, 1)).filter(({ count }) => count >= MEASURED / 2)
    if (path === undefined || ranges.length === 0) continue
    const { scriptSource } = await inspector.post('Debugger.getScriptSource', { scriptId })
    const isOwn = ranges.some(({ startOffset, endOffset }) => !isAccessor(scriptSource.slice(startOffset, endOffset)))
    if (isOwn) files.add(path)
  }
  return [...files].toSorted()
}

/** The files that CONTRIBUTING.md lists in the section with this title. */
function readList(title: string): readonly string[] {
  const [, section = ''] = readText('CONTRIBUTING.md').split(`**${title}**`)
  const [list = ''] = section.split(/\n\n(?:\*\*|#)/)
  return [...list.matchAll(/`(src\/[\w/-]+\.ts)`/g)].map(([, path = '']) => path)
}

async function startClient() {
  const server = await startServer({ port: 0, identity: 'body' })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(async () => {
    agent.destroy()
    await server.close()
  })
  return async (path: string, body?: string) => {
    const sent = http.request(new URL(path, server.url), {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: 'Bearer anything',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    })
    const answered = once(sent, 'response') as Promise<[http.IncomingMessage]>
    sent.end(body)
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    return JSON.parse(await text(response)) as {
      readonly version: number
      readonly results: readonly { readonly id: string }[]
    }
  }
}

it('CONTRIBUTING.md lists the files that a GET runs through', async () => {
  const send = await startClient()
  const [first] = (await send('/acme/resource?limit=1')).results
  const files = await findFiles(async () => void (await send(`/acme/resource/${first?.id}`)))
  expect(readList('A GET by id').toSorted()).toEqual(files)
})

it('CONTRIBUTING.md lists the further files of an update', async () => {
  const send = await startClient()
  const [first] = (await send('/acme/resource?limit=1')).results
  const path = `/acme/resource/${first?.id}`
  let { version } = await send(path)
  const files = await findFiles(async () => {
    const actions = [{ action: 'changeSomeProperty', someProperty: `value ${version}` }]
    ;({ version } = await send(path, JSON.stringify({ version, actions })))
  })
  const ofGet = readList('A GET by id')
  expect(readList('An update').toSorted()).toEqual(files.filter((file) => !ofGet.includes(file)))
})
