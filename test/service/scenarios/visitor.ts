import { onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { LogLine, RunningServer } from '../../../src/node.ts'
import { toPng } from '../http/image-samples.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if it is not JSON. */
  readonly body: unknown
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly image?: Uint8Array<ArrayBuffer>
}

/** A client that calls a server over a socket under a scenario. */
export interface Visitor {
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answered>
  /** The same client without a scenario. */
  readonly prepare: (method: string, path: string, sent?: Sent) => Promise<Answered>
  /** The response itself, its body unread. */
  readonly fetch: (path: string) => Promise<Response>
  readonly log: readonly LogLine[]
  /** `X-Mock-Scenario` of every response but the preliminary ones. */
  readonly told: ReadonlySet<string | null>
}

/** How a scenario is selected. */
export type Way = 'flag' | 'header' | 'admin'
export const ways: readonly Way[] = ['flag', 'header', 'admin']

export const image = new Uint8Array(toPng(1, 1))

function toInit(
  method: string,
  { headers = {}, json, image: bytes }: Sent,
  more: Readonly<Record<string, string>>,
): RequestInit {
  const type = bytes === undefined ? 'application/json' : 'image/png'
  const body = json === undefined ? (bytes ?? null) : JSON.stringify(json)
  return { method, headers: { Authorization: 'Bearer any', 'Content-Type': type, ...more, ...headers }, body }
}

async function toAnswered(response: Response): Promise<Answered> {
  const text = await response.text()
  const { status, headers } = response
  const isJson = headers.get('Content-Type')?.startsWith('application/json') === true
  return { status, headers, text, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined }
}

async function choose({ url }: RunningServer, scenario: string): Promise<void> {
  const response = await fetch(`${url}/__admin/scenarios/active`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ active: [scenario] }),
  })
  if (response.status !== 200) throw new Error(`${scenario} was not chosen: ${await response.text()}`)
}

/** Starts a server, and creates a client under one of its scenarios. */
export async function visit(scenario: string, way: Way): Promise<Visitor> {
  const log: LogLine[] = []
  const server = await startServer({
    port: 0,
    checkResponses: true,
    onRequest: (entry) => log.push(entry),
    ...(way === 'flag' ? { scenario } : {}),
  })
  onTestFinished(() => server.close())
  if (way === 'admin') await choose(server, scenario)
  const chosen: Readonly<Record<string, string>> = way === 'header' ? { 'X-Mock-Scenario': scenario } : {}
  const told = new Set<string | null>()
  const request = (method: string, path: string, sent: Sent, more: Readonly<Record<string, string>>) =>
    fetch(server.url + path, toInit(method, sent, more))
  async function ask(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const response = await request(method, path, sent, chosen)
    told.add(response.headers.get('X-Mock-Scenario'))
    return response
  }
  return {
    send: async (method, path, sent) => toAnswered(await ask(method, path, sent)),
    prepare: async (method, path, sent = {}) =>
      toAnswered(await request(method, path, sent, { 'X-Mock-Scenario': 'none' })),
    fetch: (path) => ask('GET', path),
    log,
    told,
  }
}
