import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Process 1 adopts orphans, and starts everything in a container. */
const INIT = 1

/** How often the parents are checked, in milliseconds. */
const PARENT_INTERVAL = 500

/** The name of a shell, on macOS with its path, and with a hyphen if it is a login shell. */
const SHELL = /^(?:.*\/|-)?(?:[a-z]*sh|busybox)$/

/** The name of a process's program, and its parent; undefined if the system does not tell. */
async function findProcess(pid: number): Promise<{ readonly name: string; readonly parent: number } | undefined> {
  try {
    // proc_pid_stat(5), or the same members from ps. A name may contain spaces and parentheses.
    const text =
      process.platform === 'linux'
        ? await readFile(`/proc/${pid}/stat`, 'utf8')
        : (await promisify(execFile)('ps', ['-o', 'pid=,comm=,ppid=', '-p', String(pid)])).stdout
    const [, name, parent] = /^\s*\d+ \(?(.+?)\)?(?: [A-Z])? +(\d+)(?: [^)]*)?\s*$/.exec(text) ?? []
    return name === undefined ? undefined : { name, parent: Number(parent) }
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (fault) {
    // Another user's process is running, too.
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM'
  }
}

/**
 * Calls a function once npm or another package manager has ended, or the shell that they run the command in. Otherwise a killed npm leaves the
 * mock on its port. Does nothing if another program started the mock, or process 1, as in a container.
 */
export async function watchParents(
  env: Readonly<Record<string, string | undefined>>,
  onEnd: () => void,
): Promise<void> {
  const { ppid } = process
  // Set by npm, npx, pnpm, Yarn and other package managers.
  const isTheirs = env['npm_lifecycle_event'] !== undefined || env['npm_config_user_agent'] !== undefined
  if (!isTheirs || ppid <= INIT) return
  const parent = await findProcess(ppid)
  // A shell outlives npm. Only npm's: the mock must not end with the terminal, which nohup outlives.
  const starter = parent !== undefined && SHELL.test(parent.name) && parent.parent > INIT ? [parent.parent] : []
  const timer = setInterval(() => {
    if (process.ppid === ppid && [ppid, ...starter].every(isRunning)) return
    clearInterval(timer)
    onEnd()
  }, PARENT_INTERVAL)
  timer.unref()
}
