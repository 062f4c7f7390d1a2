import { createContext, Script } from 'node:vm'
import type { Context } from 'node:vm'
import { findErrorCode } from '../../errors.ts'

/** The longest that a task may run, in milliseconds. */
const TIME_LIMIT = 100

const vmScript = new Script('task()')
let context: Context | undefined

/**
 * Runs a task, and stops it after 100 ms, even within a regular expression. What is stopped can leave its data incomplete,
 * so the task must change nothing that outlives it. It may run again: on a busy machine, the process may have been suspended
 * for that long.
 *
 * @returns whether the task completed
 */
export function runInTime(task: () => void): boolean {
  context ??= createContext({})
  Object.assign(context, { task })
  const start = process.cpuUsage()
  for (;;) {
    try {
      vmScript.runInContext(context, { timeout: TIME_LIMIT })
      return true
    } catch (error) {
      if (findErrorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const { user, system } = process.cpuUsage(start)
      if (user + system >= (TIME_LIMIT * 1000) / 2) return false
    }
  }
}
