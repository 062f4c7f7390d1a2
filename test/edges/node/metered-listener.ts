import { expect } from 'vitest'
import type { Mock } from '../../../src/mock.ts'
import { createListener } from '../../../src/edges/node/listener.ts'
import { createOpenRequests } from '../../../src/edges/node/open-requests.ts'

/** A listener of a mock, with its open requests on a clock that moves only on request. */
export function createMeteredListener(mock: Mock) {
  const notices: string[] = []
  let time = 0
  const openRequests = createOpenRequests({
    elapsed: () => time,
    onNotice: (sentence) => notices.push(sentence),
  })
  const listener = createListener({
    mock,
    openRequests,
    host: 'localhost',
    lightweightGlobals: false,
    onFault: (fault) => expect.fail(String(fault)),
  })
  return { listener, openRequests, notices, advance: (milliseconds: number) => (time += milliseconds) }
}

/** Creates resources, whose list is far longer than what the system buffers for an unread response. */
export async function createLargeList(mock: Mock, size = 30): Promise<void> {
  const body = JSON.stringify({ objectTypeProperty: { arrayOfStringExample: ['x'.repeat(900_000)] } })
  for (let at = 0; at < size; at += 1) {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer any' }
    expect((await mock.fetch('/acme/resource', { method: 'POST', headers, body })).status).toBe(201)
  }
}
