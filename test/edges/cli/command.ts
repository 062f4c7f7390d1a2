import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import { commands, createProgram, fail, runProgram } from '../../../src/edges/cli/program.ts'

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
  /** Ends it with SIGTERM, and resolves with the exit status. */
  stop(): Promise<number | NodeJS.Signals>
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

  function stop() {
    child.kill('SIGTERM')
    return ended
  }

  return { process: child, output, ready, ended, stop, notes }
}

/** Runs the command to its end. */
export async function run(args: readonly string[], options?: Parameters<typeof start>[1]) {
  const running = start(args, options)
  const status = await running.ended
  return { status, ...running.output }
}

/** The events of the process that commands listen to. */
const EVENTS = ['exit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR2', 'SIGXFSZ'] as const

/**
 * Runs a command to its end in this process, in a fraction of the time that {@link run} takes. For what depends neither on
 * signals nor on the bundle: what a command does, prints and refuses.
 */
export async function runHere(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: Pick<StartOptions, 'cwd' | 'env'> = {},
) {
  const own = { env: process.env, argv: process.argv, folder: process.cwd(), exitCode: process.exitCode }
  // The command replaces them for its own process.
  const { console, Request, Response } = globalThis
  const listeners = EVENTS.map((event) => [event, process.listeners(event as 'exit')] as const)
  const streams = [process.stdout, process.stderr].map((stream) => [stream, stream.listeners('error')] as const)
  // Node's warnings about what earlier tests left behind are not the command's.
  const warned = process.listeners('warning')
  process.removeAllListeners('warning')
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    }),
  )
  process.env = { PATH: own.env['PATH'], ...env }
  process.argv = [process.execPath, COMMAND, ...args]
  process.exitCode = undefined
  process.chdir(cwd)
  try {
    const program = createProgram(commands, { folder: process.cwd(), env: process.env, version: '1.2.3' })
    await runProgram(program, args).catch(fail)
    return { status: process.exitCode ?? 0, ...output }
  } finally {
    for (const [event, known] of listeners) {
      for (const listener of process.listeners(event as 'exit').filter((one) => !known.includes(one))) {
        process.off(event, listener)
        if (event === 'exit') listener(0)
      }
    }
    for (const [stream, known] of streams) {
      stream.removeAllListeners('error')
      for (const listener of known) stream.on('error', listener as (fault: Error) => void)
    }
    for (const spy of spies) spy.mockRestore()
    for (const listener of warned) process.on('warning', listener)
    process.chdir(own.folder)
    process.env = own.env
    process.argv = own.argv
    process.exitCode = own.exitCode
    Object.assign(globalThis, { console, Request, Response })
  }
}

export const AUTHORIZED = { headers: { Authorization: 'Bearer any' } }
