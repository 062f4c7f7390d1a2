import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'

/** The documentation of Pact support. */
const page = readFileSync(new URL('../../../docs/pact.md', import.meta.url), 'utf8')

/** The programs in docs/pact.md: for the mock and for the service. */
export const [mockProgram = expect.fail('none'), serviceProgram = expect.fail('none')] = Array.from(
  page.matchAll(/```js\n(.*?)```/gs),
  ([, code = '']) => code,
)

/** The result of Pact's verifier. */
export interface Verified {
  readonly isHeld: boolean
  /** Everything it printed. */
  readonly output: string
}

/** Runs Pact's verifier in a child process, with a program from docs/pact.md. */
export async function verify(pact: string, providerUrl: string, program = mockProgram): Promise<Verified> {
  const folder = mkdtempSync(join(tmpdir(), 'resource-mock-pact-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'pact.json')
  writeFileSync(file, pact)
  const code = program
    .replaceAll(/http:\/\/127\.0\.0\.1:4010|https:\/\/resource-service\.test\.example\.com/g, providerUrl)
    .replace("'pact.json'", JSON.stringify(file))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    // So that the program can import Pact.
    cwd: fileURLToPath(new URL('..', import.meta.url)),
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
