import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../support/listen.ts'

/** A request as a service received it. */
export interface Received {
  readonly line: string
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const { method, url, rawHeaders } = incoming
  return { line: `${method} ${url}`, rawHeaders, body: await buffer(incoming) }
}

/** Starts a service that responds to every request with these bytes, and records what it received. */
export async function startUpstream(answer: string) {
  const received: Received[] = []
  async function serve(incoming: IncomingMessage): Promise<void> {
    received.push(await receive(incoming))
    incoming.socket.end(answer, 'latin1')
  }
  const port = await listen(createServer((incoming) => void serve(incoming)))
  return { url: `http://127.0.0.1:${port}`, received }
}
