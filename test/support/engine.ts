import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { findPort } from './find-port.ts'

/** The server command of a supported store. */
export type EngineCommand = 'redis-server' | 'valkey-server'

/** A store server for one test. */
export interface EngineServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Kills it, like a crash. */
  kill(): Promise<void>
  /** Restarts it on the same port with its persisted data. */
  restart(): Promise<void>
  /** Stops it and removes its data. */
  close(): Promise<void>
}

/** Whether a server answers a command: one that listens may still end, for example because its cluster port is not free. */
async function isAnswering(path: string): Promise<boolean> {
  const socket = connect(path, () => socket.write('PING\r\n'))
  try {
    return !(await socket[Symbol.asyncIterator]().next()).done
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function start(
  engine: EngineCommand,
  port: number,
  folder: string,
  options: readonly string[],
): Promise<ChildProcess> {
  // On its port, another process may answer.
  const socket = join(folder, 'socket')
  const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--unixsocket', socket, '--dir', folder, '--save', '']
  const child = spawn(engine, [...own, ...options], { stdio: 'ignore' })
  await once(child, 'spawn')
  while (!(await isAnswering(socket))) {
    const status = child.exitCode ?? child.signalCode
    if (status !== null) throw new Error(`${engine} ended with ${status}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return child
}

/**
 * Starts a store server on a free port.
 *
 * @param options command-line options, such as `['--appendonly', 'yes']`
 */
export async function startEngine(
  engine: EngineCommand,
  options: readonly string[] = ['--appendonly', 'no'],
): Promise<EngineServer> {
  const folder = await mkdtemp(join(tmpdir(), 'resource-mock-redis-'))
  const port = await findPort()
  let child = await start(engine, port, folder, options)
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid ?? 0
    },
    kill,
    async restart() {
      await kill()
      child = await start(engine, port, folder, options)
    },
    async close() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a cluster with one node that owns all slots. */
export async function startCluster(engine: EngineCommand): Promise<EngineServer> {
  // By default the cluster port is 10,000 above the other port, which may exceed the maximum.
  const ownPort = ['--cluster-port', `${await findPort()}`]
  const node = await startEngine(engine, ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', ...ownPort])
  const client = new Redis(node.url)
  await client.cluster('ADDSLOTSRANGE', 0, 16_383)
  client.disconnect()
  return node
}
