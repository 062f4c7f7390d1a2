import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { Mock } from '../../../src/mock.ts'
import { createListener } from '../../../src/edges/node/listener.ts'
import { createOpenRequests, createUnreadResponses } from '../../../src/edges/node/open-requests.ts'

/** A listener of a mock, with the sizes of its unread responses on a clock that moves only on request. */
export function createMeteredListener(mock: Mock, mostBytes?: number) {
  const notices: string[] = []
  let time = 0
  const unread = createUnreadResponses({
    ...(mostBytes === undefined ? {} : { mostBytes }),
    elapsed: () => time,
    onNotice: (sentence) => notices.push(sentence),
  })
  const listener = createListener({
    mock,
    unread,
    openRequests: createOpenRequests(),
    host: 'localhost',
    lightweightGlobals: false,
    onFault: (fault) => expect.fail(String(fault)),
  })
  return { listener, unread, notices, advance: (milliseconds: number) => (time += milliseconds) }
}

/** Opens a server on a free local port, and resolves to the port. The server stops listening after the test. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
