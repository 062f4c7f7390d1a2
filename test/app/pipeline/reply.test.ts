import { expect, it } from 'vitest'
import { createExchanges } from '../../../src/app/pipeline/exchange.ts'
import { createRecorder } from '../../../src/app/pipeline/recorder.ts'
import { createRuleRunner } from '../../../src/service/scenarios/rule-runner.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import { createStore } from '../../../src/service/state/store.ts'
import { createEvents } from '../../../src/sessions/events.ts'
import { createCoverage, createMetrics } from '../../../src/sessions/journal/counts.ts'
import { createJournals } from '../../../src/sessions/journal/journal.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { Session } from '../../../src/sessions/sessions.ts'

const redactor = createRedactor([])
const elapsed = () => 0
const journals = createJournals({ capacity: 10, memory: createMemory(Infinity), newId: () => 'id', redactor })

it('sends a response only once a shared store has the request', async () => {
  const happened: string[] = []
  let store = (): void => undefined
  const stored = new Promise<void>((resolve) => {
    store = resolve
  })
  const session = new Session('shared', 0, {
    store: createStore({ sources: { initial: createProjectData([], '{}') } }),
    clock: () => 0,
    elapsed,
    createRuleRunner: () => createRuleRunner({ seed: 1, elapsed }),
    createJournal: () => expect.fail('another mock shares the session'),
    createCoverage: () => expect.fail('another mock shares the session'),
    findTest: () => undefined,
    shared: {
      openPart: (name) => ({
        // Only the journal is used.
        counters: undefined as never,
        coverage: createCoverage().openSession(),
        journal: Object.assign(journals.open(name), {
          readDelta: () => expect.fail('nobody reads the journal'),
          recordRead: () => expect.fail('nothing is read'),
        }),
        settled: () => stored,
      }),
    },
  })
  const recorder = createRecorder({
    elapsed,
    metrics: createMetrics(),
    events: createEvents(redactor.url),
    redactor,
    isKept: true,
    isReportedLater: true,
    refresh: undefined,
    log: undefined,
  })
  const createExchange = createExchanges({ cors: 'any', clock: () => 0, elapsed, newId: () => 'prefix' })
  const exchange = createExchange(new Request('http://mock/acme/resource'))
  exchange.session = session
  const sent = Promise.resolve(recorder.end(exchange, Promise.resolve(new Response('{}')))).then(() =>
    happened.push('sent'),
  )
  await new Promise(setImmediate)
  happened.push('stored')
  store()
  await sent
  expect(happened).toEqual(['stored', 'sent'])
  expect(session.journal.size).toBe(1)
})
