import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const VERIFIER = fileURLToPath(new URL('verifier.js', import.meta.url))

/** What Pact's verifier found. */
export interface Verified {
  readonly isHeld: boolean
  /** All that it has printed. */
  readonly output: string
}

/** Runs Pact's own verifier, in a process of its own, over a pact file. */
export async function verify(pact: string, providerBaseUrl: string): Promise<Verified> {
  const folder = mkdtempSync(join(tmpdir(), 'resource-mock-pact-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'pact.json')
  writeFileSync(file, pact)
  const child = spawn(process.execPath, [VERIFIER, file, providerBaseUrl], {
    env: { ...process.env, PACT_DO_NOT_TRACK: 'true', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [status] = await once(child, 'close')
  return { isHeld: status === 0, output }
}
