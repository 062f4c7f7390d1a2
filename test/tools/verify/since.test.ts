import { expect, it } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { toJson } from '../../../src/tools/verify/reporters.ts'
import { compareReports, parseEarlierReport } from '../../../src/tools/verify/since.ts'
import { bendAnswers, bendMethods } from './bends.ts'
import { verifyMock } from './verifier.ts'

const only = ['getAction'] as const

it('lists the checks that pass now and did not before, and the other way round', async () => {
  const bad = await verifyMock({
    only,
    bend: bendAnswers('getAction', ({ headers }) => headers.set('Content-Type', 'text/html')),
  })
  const good = await verifyMock({ only })
  const toEarlier = (report: typeof good) => parseEarlierReport(toJson(report), 'last.json')
  expect(compareReports(good, toEarlier(bad))).toEqual({ better: ['getAction/content-type'], worse: [], revealed: [] })
  expect(compareReports(bad, toEarlier(good))).toEqual({ better: [], worse: ['getAction/content-type'], revealed: [] })
})

it('lists the failed checks that could not be tried before', async () => {
  const only = ['getActionWithExample'] as const
  const without = await verifyMock({ only, allowsWrites: false })
  const refused = await verifyMock({
    only,
    bend: bendMethods('/namespace-action-with-example', (bent) => (bent.status = 404)),
  })
  const { revealed } = compareReports(refused, parseEarlierReport(toJson(without), 'last.json'))
  expect(revealed).toEqual(['getActionWithExample/method'])
})

it('ignores checks that the earlier report does not have', async () => {
  const report = await verifyMock({ only })
  const none = { better: [], worse: [], revealed: [] }
  expect(compareReports(report, parseEarlierReport('{"subjects":[]}', 'last.json'))).toEqual(none)
})

it.each(['', '{"subjects":1}', '<testsuites/>'])('refuses the text %j', (text) => {
  const parse = () => parseEarlierReport(text, 'last.json')
  expect(parse).toThrow(SetupError)
  expect(parse).toThrow('last.json is not a report of verify. Write one with --reporter json > last.json.')
})
