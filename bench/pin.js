import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Whether servers and load can each have a core. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0

export const SERVER_CORE = 0
export const LOAD_CORE = 1

/**
 * Starts a command on one core, if the machine supports it.
 *
 * @param {number} core
 * @param {string} command
 * @param {readonly string[]} given its arguments
 * @param {import('node:child_process').SpawnOptions} options
 */
export const spawnOn = (core, command, given, options) =>
  canPin ? spawn('taskset', ['-c', String(core), command, ...given], options) : spawn(command, given, options)
