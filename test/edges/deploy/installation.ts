import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Packs the built package into a folder. */
export async function packInto(folder: string): Promise<void> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
}

interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The user id to run as; by default, the user who runs the tests. */
  readonly uid?: number
}

/** Starts a command that reports when it listens, and ends it with the test. */
export async function startListening(
  [command = '', ...args]: readonly string[],
  { cwd, env, ...who }: Place,
): Promise<ChildProcess> {
  const { PATH } = process.env
  const child = spawn(command, args, { cwd, env: { PATH, ...env }, ...who, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(120_000),
  })) as [string]
  expect(line).toBe(`Listening on port ${env['PORT']} (http://${toShown(env['HOST'])}:${env['PORT']})`)
  return child
}

/** A server that listens on all addresses is called at the loopback. */
const toShown = (host: string | undefined): string => (host === '0.0.0.0' ? '127.0.0.1' : (host ?? '127.0.0.1'))

/** Runs a command to its end; rejects if its status is not 0. */
export async function runToEnd([command = '', ...args]: readonly string[], { cwd, env, ...who }: Place): Promise<void> {
  await run(command, args, { cwd, env: { PATH: process.env['PATH'], ...env }, ...who })
}
