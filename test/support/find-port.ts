import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to clients, and to servers that ask for any: a free one stays free until it is used. */
const [FIRST, LAST] = [20_000, 32_000]

/** Finds a free port, for a server whose port must be known before it starts. */
export async function findPort(): Promise<number> {
  const port = randomInt(FIRST, LAST)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return findPort()
  }
  server.close()
  await once(server, 'close')
  return port
}
