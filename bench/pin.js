import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Whether servers and load can have a core each. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0

export const SERVER_CORE = 0
export const LOAD_CORE = 1

/**
 * Starts a Node script on one core, where the machine can.
 *
 * @param {number} core
 * @param {readonly string[]} script the file and its arguments
 * @param {import('node:child_process').SpawnOptions} options
 */
export const spawnNode = (core, script, options) =>
  canPin
    ? spawn('taskset', ['-c', String(core), process.execPath, ...script], options)
    : spawn(process.execPath, script, options)
