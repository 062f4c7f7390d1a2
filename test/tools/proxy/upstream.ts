import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

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
  const server = createServer((incoming) => void serve(incoming))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}
