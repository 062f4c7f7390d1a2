import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** proc(5): after the command in parentheses come state, parent, process group, session, terminal, its foreground group. */
async function isForegroundOnLinux(): Promise<boolean> {
  const text = await readFile('/proc/self/stat', 'utf8')
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return foreground === group || foreground === '-1'
}

/** POSIX `ps` marks who is in the foreground with a plus. */
async function isForegroundBesides(): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(process.pid)])
  return stdout.includes('+')
}

/**
 * Whether the terminal is this process's to read from: the system stops one in the background (`resource-mock &`) that
 * tries. Where there is no telling, it is not.
 */
export async function isForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true
  try {
    return process.platform === 'linux' ? await isForegroundOnLinux() : await isForegroundBesides()
  } catch {
    return false
  }
}
