import { expect, it } from 'vitest'
import { findTraceId } from '../../../src/service/http/request-head.ts'
import type { LogLine } from '../../../src/sessions/journal/record.ts'
import { createAsk } from '../../admin/api/ask.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

it.each([
  [PARENT, TRACE_ID],
  [` ${PARENT} `, TRACE_ID],
  [`01${PARENT.slice(2)}-later`, TRACE_ID],
  [`${PARENT}-more`, undefined],
  [`ff${PARENT.slice(2)}`, undefined],
  [PARENT.toUpperCase(), undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${TRACE_ID}-${'0'.repeat(16)}-01`, undefined],
  [`${PARENT}, ${PARENT}`, undefined],
  ['', undefined],
  [undefined, undefined],
])('the traceparent %s has the trace id %s', (header, traceId) => {
  expect(findTraceId(header)).toBe(traceId)
})

it('a request with a traceparent has its trace id in the log and the journal', async () => {
  const lines: LogLine[] = []
  const { ask, mock } = await createAsk({ onRequest: (line) => lines.push(line) })
  await ask('GET', '/acme/resource', { headers: { traceparent: PARENT } })
  await ask('GET', '/acme/resource')
  expect(lines.map(({ traceId }) => traceId)).toEqual([TRACE_ID, undefined])
  const [second, first] = await mock.session('default').requests({})
  expect(new Set([first?.traceId, second?.traceId])).toEqual(new Set([TRACE_ID, undefined]))
})

it('a trace id that --redact hides is in neither the log nor the journal', async () => {
  const lines: LogLine[] = []
  const { ask, mock } = await createAsk({ redact: ['traceparent'], onRequest: (line) => lines.push(line) })
  await ask('GET', '/acme/resource', { headers: { traceparent: PARENT } })
  expect(JSON.stringify([lines, await mock.session('default').requests({})])).not.toContain(TRACE_ID)
})
