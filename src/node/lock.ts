import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { SetupError } from '../errors.ts'

/** A claim on a file, held until it is released or its process is gone. */
export interface Lock {
  release(): Promise<void>
}

const isCode = (fault: unknown, code: string): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === code

/** In a container a restarted process often has its predecessor's pid; when it started tells the two apart. */
const ownMark = (): string => `${process.pid} ${performance.timeOrigin}\n`

/** Whether a process has ended, and only its parent does not know yet; told where there is /proc. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (fault) {
    return isCode(fault, 'EPERM')
  }
}

/** The pid in a lock's mark, or undefined where its process is gone. */
function findHolder(mark: string): number | undefined {
  if (mark === ownMark()) return process.pid
  const pid = Number.parseInt(mark, 10)
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid) ? pid : undefined
}

async function findMark(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (fault) {
    if (isCode(fault, 'ENOENT')) return undefined
    throw fault
  }
}

const besides = (path: string): string => `${path}.${randomUUID()}`

/** Puts the lock there, unless one is. A link appears with its content: nobody ever reads half a mark. */
async function create(path: string): Promise<boolean> {
  const own = besides(path)
  await writeFile(own, ownMark())
  try {
    await link(own, path)
    return true
  } catch (fault) {
    if (isCode(fault, 'EEXIST')) return false
    throw fault
  } finally {
    await unlink(own)
  }
}

/** Takes a dead process's lock away. Of several that try, the rename lets one succeed. */
async function removeStale(path: string, mark: string): Promise<void> {
  const aside = besides(path)
  try {
    await rename(path, aside)
  } catch (fault) {
    if (isCode(fault, 'ENOENT')) return
    throw fault
  }
  // Between reading and renaming another process may have put its own lock here: it gets it back.
  if ((await findMark(aside)) !== mark) await link(aside, path).catch(() => undefined)
  await unlink(aside)
}

/**
 * Claims a file for this process by a lock file beside it, which names the process. A lock whose process is gone is taken over.
 *
 * @throws {SetupError} when a living process, this one included, holds it.
 */
export async function acquireLock(file: string): Promise<Lock> {
  const path = `${file}.lock`
  for (;;) {
    if (await create(path)) break
    const mark = await findMark(path)
    const holder = mark === undefined ? undefined : findHolder(mark)
    if (holder !== undefined) {
      throw new SetupError(
        `The state file ${file} is in use by process ${holder}. Stop that process, or give this mock a file of its own; if process ${holder} is no mock, delete ${path}.`,
      )
    }
    if (mark !== undefined) await removeStale(path, mark)
  }
  return {
    async release() {
      if ((await findMark(path)) === ownMark()) await unlink(path)
    },
  }
}
