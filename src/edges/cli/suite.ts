import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findErrorCode, SetupError } from '../../errors.ts'
import type { TrialResult } from '../../tools/resilience/report.ts'

// Running the user's suite of tests as a child process.

/** How long a suite may take to end after a signal, in milliseconds; then it is killed. */
const GRACE = 10_000

/** Sends a signal to a child with all of its processes, as Ctrl-C in a terminal does. */
function signalGroup(pid: number | undefined, signal: 'SIGINT' | 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It has ended.
  }
}

const START_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you do not have permission',
  EEXIST: 'a part of its path is a file',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file',
}

export function reasonOf(error: unknown): string {
  const code = findErrorCode(error)
  return code === undefined ? String(error) : (START_REASONS[code] ?? code)
}

/** How the suite is run. */
export interface Suite {
  readonly words: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/**
 * A reporter for Playwright that notes which tests belong to a serial suite: tests cannot find out, and the internals that
 * it reads are the same from Playwright 1.45 to 1.65.
 */
export const SUITES_REPORTER = `module.exports = class {
  onBegin(_config, suite) {
    const found = {}
    for (const test of suite.allTests())
      for (let parent = test.parent; parent; parent = parent.parent)
        if (parent._parallelMode === 'serial') found[test.id] = parent.titlePath().filter(Boolean).join(' › ')
    require('node:fs').writeFileSync(require('node:path').join(__dirname, 'serial.json'), JSON.stringify(found))
  }
  printsToStdio() { return false }
}
`

/** Starts the suite, and resolves with its exit status once it has ended; null if a signal ended it. */
async function runCommand({ words, env, signal }: Suite): Promise<number | null> {
  const [command = '', ...rest] = words
  const isWindows = process.platform === 'win32'
  // The shell of Windows would split arguments at spaces, and interpret `|`.
  const quoted = isWindows ? rest.map((word) => `"${word.replaceAll('"', '""')}"`) : rest
  // A group of its own, so that Ctrl-C reaches it once.
  const child = spawn(command, quoted, { env, stdio: ['ignore', 2, 2], detached: !isWindows, shell: isWindows })
  let timer: NodeJS.Timeout | undefined
  const kill = (): void => signalGroup(child.pid, 'SIGKILL')
  function stop(): void {
    signalGroup(child.pid, 'SIGINT')
    timer = setTimeout(kill, GRACE)
  }
  process.once('exit', kill)
  // The signal may have aborted while the command prepared the run.
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    // Node documents the arguments of the event.
    const [status] = (await once(child, 'close')) as [number | null]
    return status
  } finally {
    process.off('exit', kill)
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

/** The commands of npm that run a script. */
const NPM_VERBS = new Set(['run', 'run-script', 'test', 't'])

/** Adds arguments for Playwright to the suite's command; npm takes those of a script after `--`. */
function addArguments(words: readonly string[], added: readonly string[]): readonly string[] {
  const isScript = words[0] === 'npm' && words.some((word) => NPM_VERBS.has(word)) && !words.includes('--')
  return added.length === 0 ? words : [...words, ...(isScript ? ['--'] : []), ...added]
}

/** Reads what a test wrote; undefined if its process was killed while it wrote. */
async function readResult(path: string): Promise<TrialResult | undefined> {
  try {
    // Written by the fixture.
    return JSON.parse(await readFile(path, 'utf8')) as TrialResult
  } catch {
    return undefined
  }
}

/** Runs the suite to its end, or until the signal aborts. Its output goes to standard error. */
export async function runSuite(suite: Suite, file: object, added: readonly string[]) {
  const { words, folder } = suite
  await writeFile(join(folder, 'run.json'), JSON.stringify(file))
  const status = await runCommand({ ...suite, words: addArguments(words, added) }).catch((error: unknown) => {
    throw new SetupError(`${words[0]} cannot be run: ${reasonOf(error)}. Correct the command after --.`)
  })
  const written = join(folder, 'results')
  const names = await readdir(written).catch(() => [])
  const results = await Promise.all(names.map((name) => readResult(join(written, name))))
  await rm(written, { recursive: true, force: true })
  return { status, results: results.filter((result) => result !== undefined) }
}
