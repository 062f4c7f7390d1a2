import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { RelayedRequest } from './page-scripts.ts'

/** Opens a server that sends requests on which Playwright would lose, because their page is being left. */
export async function openRelay(send: (request: RelayedRequest) => Promise<Response>) {
  // Other pages do not know it.
  const path = `/${crypto.randomUUID()}`
  const server = createServer((incoming, outgoing) => {
    async function relay(): Promise<void> {
      // Written by the script of the page.
      const response = await send(JSON.parse(await text(incoming)) as RelayedRequest)
      const { status, headers } = response
      outgoing.end(JSON.stringify({ status, headers: [...headers], body: await response.text() }))
    }
    outgoing.setHeader('Access-Control-Allow-Origin', '*')
    if (incoming.url === path) relay().catch(() => outgoing.destroy())
    else outgoing.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a server on a TCP port is an object.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, close: () => void server.close() }
}
