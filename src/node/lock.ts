import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import * as z from 'zod'
import { SetupError } from '../errors.ts'
import { findErrorCode } from '../util/error-code.ts'

/** A file that is this mock's alone, until it is released or the process ends. */
export interface Lock {
  /** @throws {Error} once another process holds the lock, as after this one was stopped for a while. */
  expectHeld(): void
  release(): Promise<void>
}

/** After so many milliseconds without a sign of life a lock is free. Its holder gives one a second. */
const STALE = 3_000
const SIGN_OF_LIFE = 1_000

/** How often a lock that is held is tried again: until a dead process's lock is surely free. */
const TRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

const holderRecord = z.object({ pid: z.number(), host: z.string(), boot: z.string(), since: z.string() })

type Holder = z.output<typeof holderRecord>

/** Which start of the machine this is: Linux names it; elsewhere the time of it does, to the minute. */
function findBoot(clock: () => number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return new Date(Math.round((clock() / 1000 - uptime()) / 60) * 60_000).toISOString()
  }
}

const thisProcess = (clock: () => number): Holder => ({
  pid: process.pid,
  host: hostname(),
  boot: findBoot(clock),
  since: new Date(clock()).toISOString(),
})

/** Who holds a lock, in words: processes of two containers may have one number, so host and boot tell them apart. */
async function describeHolder(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const { pid, host, boot, since } = holderRecord.parse(JSON.parse(text))
    return `process ${pid} on host ${host} (boot ${boot}) since ${since}`
  } catch {
    return 'another process'
  }
}

/**
 * Claims a file by a lock folder next to it (`state.json.lock`), whose time its holder renews every second. That holds
 * across containers and machines, where a process number says nothing. A lock that nobody renews is taken over after
 * three seconds. Who holds it is written to `state.json.holder`.
 *
 * @throws {SetupError} when somebody else, this process included, holds it.
 */
export async function acquireLock(file: string, clock: () => number = Date.now): Promise<Lock> {
  // Loaded by those who keep state in a file.
  const { default: lockfile } = await import('proper-lockfile')
  const holderFile = `${file}.holder`
  let lost: Error | undefined
  const onCompromised = (cause: Error): void => {
    lost = new Error(
      `This mock lost its lock on ${file}: it was stopped for more than ${STALE / 1000} seconds, or the lock was deleted. Nothing is written from now on. Restart it.`,
      { cause },
    )
  }
  const options = { realpath: false, stale: STALE, update: SIGN_OF_LIFE, retries: TRIES, onCompromised }
  const release = await lockfile.lock(file, options).catch(async (fault: unknown) => {
    if (findErrorCode(fault) !== 'ELOCKED') throw fault
    throw new SetupError(
      `The state file ${file} is in use by ${await describeHolder(holderFile)}. Stop that mock, or give this one a file of its own.`,
      { cause: fault },
    )
  })
  await writeFile(holderFile, JSON.stringify(thisProcess(clock)))
  return {
    expectHeld() {
      if (lost !== undefined) throw lost
    },
    async release() {
      if (lost !== undefined) return
      await rm(holderFile, { force: true })
      await release()
    },
  }
}
