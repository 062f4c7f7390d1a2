import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const COMMAND = fileURLToPath(new URL('../../../bin/resource-mock.js', import.meta.url))

/** A running `resource-mock`. */
export interface Running {
  readonly process: ChildProcessByStdio<null, Readable, Readable>
  /** All its output so far. */
  readonly output: { stdout: string; stderr: string }
  /** Resolves with the address of the ready line; rejects if the process ends before it. */
  readonly ready: Promise<string>
  /** Resolves with the exit status, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Returns the JSON log's lines that are not about a request, one per call, from the first one on. */
  notes(): () => Promise<Note>
}

/** A line of the JSON log that is not about a request. */
export interface Note {
  readonly level: string
  readonly message: string
}

interface StartOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** The system refuses to write more than this to one file, like a full disk. */
  readonly maxFileKibibytes?: number
}

/** Starts the built command. It ends with the test, if it is still running. */
export function start(
  args: readonly string[],
  { cwd = process.cwd(), env = {}, maxFileKibibytes }: StartOptions = {},
): Running {
  const { PATH } = process.env
  const command = [process.execPath, COMMAND, ...args]
  // `ulimit` counts blocks of 512 bytes.
  const limit = ['/bin/sh', '-c', `ulimit -f ${(maxFileKibibytes ?? 0) * 2}; exec "$@"`, 'sh']
  const [file = '', ...rest] = maxFileKibibytes === undefined ? command : [...limit, ...command]
  const child = spawn(file, rest, {
    cwd,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = once(child, 'close').then(([status, signal]) => status ?? signal)
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, url] = /^Listening on port \d+ \((.+)\)\n/.exec(output.stdout) ?? []
      if (url !== undefined) resolve(url)
    })
    void ended.then((status) => reject(new Error(`It ended with ${status} before it was ready: ${output.stderr}`)))
  })
  // A test that waits for the end instead does not need it.
  ready.catch(() => undefined)

  function notes() {
    let read = 0
    return async function next(): Promise<Note> {
      for (;;) {
        const end = output.stderr.indexOf('\n', read)
        if (end !== -1) {
          const { level, message } = JSON.parse(output.stderr.slice(read, end)) as Partial<Note>
          read = end + 1
          if (level !== undefined && message !== undefined) return { level, message }
        } else {
          await Promise.race([once(child.stderr, 'data'), ended.then(() => Promise.reject(new Error('It ended.')))])
        }
      }
    }
  }

  return { process: child, output, ready, ended, notes }
}

/** Runs the command to its end. */
export async function run(args: readonly string[], options?: Parameters<typeof start>[1]) {
  const running = start(args, options)
  const status = await running.ended
  return { status, ...running.output }
}

export const AUTHORIZED = { headers: { Authorization: 'Bearer any' } }
