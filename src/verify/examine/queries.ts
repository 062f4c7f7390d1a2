import { checkAnswer, checkEcho, checkNosniff, findStatusFaults } from '../answers.ts'
import { arrayNames } from '../../contract/models.ts'
import type { CheckName } from '../checks.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { compare, fault } from '../fault.ts'
import { readPage, selectAll } from '../pages.ts'
import type { RequestQuery } from '../pages.ts'
import type { ProviderAnswer } from '../provider.ts'
import { memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { Results } from '../results.ts'
import { expectSamples, OWNLESS } from '../samples.ts'
import { examineAccess } from './access.ts'
import { conditionNames, examineConditions, examineUnion } from './conditions.ts'
import { examineIdentity, examineLimits, examinePages, examineTotalless } from './paging.ts'
import { examineHead, examineMethods, examineQueries, examineUnknownParameter } from './requests.ts'
import { examineSelection, examineUnreadable, findOtherPlaces } from './selection.ts'

const twice = (name: string, one: string, other: string): RequestQuery => [
  [name, one],
  [name, other],
]

/** Values that are not of their parameter's type (4.1). */
const MISTYPED: readonly RequestQuery[] = [
  [['floatParameter', 'abc']],
  [['integerParameter', 'abc']],
  [['integerParameter', '1.5']],
  [['integerParameter', '9223372036854775808']],
  [['withMarkdownDescription', 'abc']],
  [['unionParameter', 'abc']],
  [['unionParameter', '{"version":1}']],
  [['objectParameter', 'abc']],
  [['objectParameter', '{"arrayOfString":5}']],
  [['withTotal', 'perhaps']],
]

/** Specification 4.1. */
export const queryResources: Examine<'queryResources'> = async (results, context) => {
  const operation = 'queryResources'
  const { provider, own } = context
  const first = await provider.send(operation, { query: [['limit', '20']] })
  checkAnswer(results, operation, first, 200)
  await examineQueries(results, 'refused', operation, MISTYPED, context)
  const doubled = [
    twice('stringParameter', 'a', 'b'),
    twice('integerParameter', '1', '2'),
    twice('unionParameter', '1', '2'),
    twice('limit', '1', '2'),
  ]
  await examineQueries(results, 'single-valued', operation, doubled, context)
  await examineUnknownParameter(results, operation, {}, context)
  await examineUnreadable(results, operation, context)
  await examineLimits(results, operation, context)
  await examineTotalless(results, operation, context)
  await examineAccess(results, operation, {}, context)
  const none = await provider.send(operation, { query: [['where', `id = ${JSON.stringify(context.newId())}`]] })
  const empty = Object.fromEntries(arrayNames.map((name) => [name, []]))
  if (checkAnswer(results, operation, none, 200)) results.add('projection', findProjectionFaults(none, empty))

  const samples = expectSamples(context)
  const query = selectAll(samples)
  await examinePages(results, operation, query, context)
  await examineSelection(results, operation, samples, context)
  await examineIdentity(results, operation, query, samples, context)
  const selected = await provider.send(operation, { query })
  const [result] = readPage(selected).results
  if (checkAnswer(results, operation, selected, 200) && result !== undefined) {
    results.add('projection', findProjectionFaults(selected, result['objectTypeProperty']))
  }
  if (own === undefined) {
    for (const name of [...conditionNames, 'union-number', 'union-date-time', 'union-object'] as const) {
      results.skip(name, OWNLESS)
    }
    return
  }
  const findFaults = (answer: ProviderAnswer, places: Parameters<typeof findOtherPlaces>[2]) =>
    findOtherPlaces(answer, own, places)
  await examineConditions(results, operation, own, context, findFaults)
  await examineUnion(results, own, context, findFaults)
}

/** D10: the body is an ArrayTestType too, that of the first result. */
const findProjectionFaults = (answer: ProviderAnswer, content: unknown): readonly Fault[] =>
  Object.entries(typeof content === 'object' && content !== null ? content : {}).flatMap(([name, value]) =>
    compare(answer, name, value, memberOf(answer.body, name)),
  )

type HeadResults = Results<CheckName<'checkResources'>>

/** Specification 4.5. */
export const checkResources: Examine<'checkResources'> = async (results, context) => {
  const operation = 'checkResources'
  const { samples, sampleless, own } = context
  const provider = withoutBodies(results, context)
  const inContext = { ...context, provider }
  const bodiless = withoutEnvelope(results)
  const ask = (query: RequestQuery) => provider.send(operation, { query })
  results.add('no-match', findStatusFaults(await ask([['where', `id = ${JSON.stringify(context.newId())}`]]), 404))
  await examineAccess(bodiless, operation, {}, inContext)
  const wrong = [...MISTYPED.slice(0, 5), [['limit', 'abc'] as const], [['where', 'id = '] as const]]
  await examineQueries(bodiless, 'refused', operation, wrong, inContext)

  if (samples.length === 0) return results.skip('status', sampleless)
  const [one] = expectSamples(context)
  const selected = await ask(selectAll(samples))
  results.add('status', findStatusFaults(selected, 200))
  results.add(
    'where',
    findStatusFaults(
      await ask([
        ['where', 'id = :a'],
        ['var.a', one.id],
      ]),
      200,
    ),
  )
  const apart: RequestQuery = [...selectAll(samples), ['where', `id = ${JSON.stringify(context.newId())}`]]
  results.add('where', findStatusFaults(await ask(apart), 404))
  for (const union of ['abc', '77.5', '{"version":1}']) {
    const answer = await ask([...selectAll(samples), ['unionParameter', union]])
    results.add('union', findStatusFaults(answer, 200))
  }
  if (own === undefined) {
    for (const name of conditionNames) results.skip(name, OWNLESS)
    return
  }
  await examineConditions(results, operation, own, inContext, (answer, places) =>
    findStatusFaults(answer, places.length > 0 ? 200 : 404),
  )
}

/** The results of a HEAD, whose refusals have no envelope. */
function withoutEnvelope(results: HeadResults): Results<CheckName<'checkResources'> | 'envelope'> {
  return {
    note: results.note,
    add: (name, faults) => (name === 'envelope' ? undefined : results.add(name, faults)),
    skip: (name, reason) => (name === 'envelope' ? undefined : results.skip(name, reason)),
  }
}

/** A provider each of whose answers is held to have no body. */
function withoutBodies(results: HeadResults, { provider }: VerifyContext): VerifyContext['provider'] {
  return {
    ...provider,
    async send(operation, sending) {
      const answer = await provider.send(operation, sending)
      const isEmpty = operation !== 'checkResources' || answer.text === ''
      results.add('no-body', isEmpty ? [] : fault(answer, 'body', 'none', `${answer.text.length} characters`))
      if (answer.status === 200) {
        checkEcho(results, answer)
        checkNosniff(results, answer)
      }
      return answer
    },
  }
}

/** Specification 4.12. */
export const sortedQuery: Examine<'sortedQuery'> = async (results, context) => {
  const operation = 'sortedQuery'
  const answer = await context.provider.send(operation)
  if (checkAnswer(results, operation, answer, 200)) await examineHead(results, operation, {}, answer, context)
  await examineQueries(results, 'refused', operation, [[['withTotal', 'perhaps']], [['withTotal', '1']]], context)
  const doubled = [twice('limit', '1', '2'), twice('offset', '1', '2'), twice('withTotal', 'true', 'false')]
  await examineQueries(results, 'single-valued', operation, doubled, context)
  await examineUnknownParameter(results, operation, {}, context)
  await examineUnreadable(results, operation, context)
  await examineLimits(results, operation, context)
  await examineTotalless(results, operation, context)
  await examineMethods(results, operation, ['POST', 'DELETE'], {}, context)
  await examineAccess(results, operation, {}, context)

  const samples = expectSamples(context)
  const query = selectAll(samples)
  await examinePages(results, operation, [...query, ['sort', 'id asc']], context)
  await examineSelection(results, operation, samples, context)
  await examineIdentity(results, operation, query, samples, context)
}
