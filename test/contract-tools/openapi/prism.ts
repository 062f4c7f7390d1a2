import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { binaryOf } from './tool.ts'

/**
 * Starts stock Prism as a proxy that rejects every request and response that violates the document.
 *
 * @param document the path or URL of the document
 * @returns its URL
 */
export async function startPrism(document: string, upstream: string): Promise<string> {
  const child = spawn(binaryOf('prism'), ['proxy', document, upstream, '--errors', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  let output = ''
  return new Promise((resolve, reject) => {
    // Read to the end: Prism logs every request, and would block on a full pipe.
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, url] = /listening on (http:\S+)\s/.exec(output) ?? []
      if (url !== undefined) resolve(url)
    })
    child.on('exit', () => reject(new Error(`Prism ended: ${output}`)))
  })
}
