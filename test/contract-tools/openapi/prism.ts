import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { binaryOf } from './tool.ts'

/**
 * Starts stock Prism as a proxy that lets nothing pass that is not as the document says, neither request nor answer.
 *
 * @param document the path or the address of the document
 * @returns its address
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
    // It is read to its end: Prism notes every request, and would wait for one that does not listen.
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, url] = /listening on (http:\S+)/.exec(output) ?? []
      if (url !== undefined) resolve(url)
    })
    child.on('exit', () => reject(new Error(`Prism ended: ${output}`)))
  })
}
