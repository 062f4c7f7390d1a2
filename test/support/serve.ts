import { onTestFinished } from 'vitest'
import { startServer } from '../../src/node.ts'
import type { ServerOptions } from '../../src/node.ts'

/** Starts a mock on a free port in this process until the test ends. Resolves with its URL. */
export async function serve(options: ServerOptions = {}): Promise<string> {
  const { url, close } = await startServer({ port: 0, ...options })
  onTestFinished(close)
  return url
}
