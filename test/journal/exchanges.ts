import type { JournalEntry } from '../../src/journal/entry.ts'
import { createToEntry } from '../../src/journal/record.ts'
import type { ExchangeRecord } from '../../src/journal/record.ts'
import { createRedactor } from '../../src/journal/redact.ts'

/** An update that succeeded, in the default session; members may be replaced. */
export const toRecord = (members: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  time: Date.parse('2026-01-31T12:00:00Z'),
  durationMilliseconds: 4.5,
  session: 'default',
  correlationId: 'correlation-1',
  operation: 'createResource',
  projectKey: 'acme',
  scenarios: [],
  warnings: [],
  method: 'POST',
  url: 'http://127.0.0.1:4010/acme/resource',
  requestHeaders: new Headers({ 'Content-Type': 'application/json', Authorization: 'Bearer secret-token' }),
  requestBody: '{"objectTypeProperty":{"arrayOfIntExample":[1,2]}}',
  clientAddress: '127.0.0.1',
  status: 201,
  responseHeaders: { 'Content-Type': 'application/json; charset=utf-8', 'X-Mock-Operation': 'createResource' },
  responseBody: '{"version":1}',
  ...members,
})

/** The entry that the journal makes of {@link toRecord}. */
export const toTestEntry = (members: Partial<ExchangeRecord> = {}, id = 'entry-1'): JournalEntry =>
  createToEntry(createRedactor([]), () => id)(toRecord(members))

/** A request that met no operation. */
export const toUnmatched = (method: string, path: string): JournalEntry =>
  toTestEntry({
    method,
    url: `http://127.0.0.1:4010${path}`,
    operation: undefined,
    requestBody: undefined,
    status: 404,
    responseBody: '{"statusCode":404}',
  })
