import { onTestFinished } from 'vitest'
import { connectMock } from '../../../src/index.ts'
import type { SessionHandle } from '../../../src/index.ts'
import { createMock } from '../../../src/mock.ts'
import { startServer } from '../../../src/node.ts'
import type { ServerOptions } from '../../../src/node.ts'

/** A mock that provides sessions, and its address. */
export interface Host {
  readonly url: string
  readonly session: (name: string) => SessionHandle
}

const rethrow = (fault: unknown): never => {
  throw fault
}

async function start(options: ServerOptions) {
  const server = await startServer({ port: 0, auth: 'off', onFault: rethrow, ...options })
  onTestFinished(() => server.close())
  return server
}

/** Every way to get a session, by name: all of them run the same cases. */
export const hosts: Readonly<Record<string, (options?: ServerOptions) => Promise<Host>>> = {
  async 'in-process'(options) {
    const mock = await createMock({ auth: 'off', onFault: rethrow, ...options })
    return { url: 'http://mock', session: mock.session }
  },
  async 'of a server in this process'(options = {}) {
    const { url, mock } = await start(options)
    return { url, session: mock.session }
  },
  async 'of a mock elsewhere'(options = {}) {
    const { url } = await start(options)
    return connectMock(`${url}/`, options.adminToken === undefined ? {} : { token: options.adminToken })
  },
}
