import { findStatusFaults, holdAnswer, holdRefusal } from '../answers.ts'
import { compare, fault } from '../fault.ts'
import { readPage, selectAll } from '../pages.ts'
import type { Query } from '../pages.ts'
import type { Answer } from '../provider.ts'
import type { Fault } from '../report.ts'
import { expectSamples } from '../samples.ts'
import type { Examine } from '../world.ts'
import { examineBearer, examineScope, findLacking, SCOPELESS } from './bearer.ts'
import { examinePages, examineRefused, examineSelection, examineTotalless, findOthers } from './pages.ts'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** The strings of a resource's content. */
const stringsOf = (content: unknown): readonly unknown[] => {
  const found = member(content, 'arrayOfStringExample')
  return Array.isArray(found) ? found : []
}

/** Faults of results that lack a string. */
const findWithout = (answer: Answer, text: string): readonly Fault[] =>
  readPage(answer).results.flatMap((result, at) =>
    stringsOf(member(result, 'objectTypeProperty')).includes(text)
      ? []
      : fault(answer, `results[${at}].objectTypeProperty.arrayOfStringExample`, JSON.stringify(text), 'without it'),
  )

/** Specification 4.1. */
export const queryResources: Examine<'queryResources'> = async (bench, world) => {
  const operation = 'queryResources'
  const { provider, word } = world
  const first = await provider.send(operation, { query: [['limit', '20']] })
  holdAnswer(bench, operation, first, 200)
  await examineRefused(bench, operation, [[['integerParameter', 'abc']], [['limit', '-1']]], world)
  await examineTotalless(bench, operation, world)
  await examineBearer(bench, operation, {}, world)
  await examineScope(bench, operation, {}, world)

  const samples = expectSamples(world)
  const query = selectAll(samples)
  await examinePages(bench, operation, query, world)
  await examineSelection(bench, operation, samples, world)

  const selected = await provider.send(operation, { query })
  const [result] = readPage(selected).results
  if (holdAnswer(bench, operation, selected, 200) && result !== undefined) {
    bench.hold('projection', findProjectionFaults(selected, member(result, 'objectTypeProperty')))
  }

  const [text] = word === undefined ? samples.flatMap(({ content }) => stringsOf(content)) : [word]
  if (typeof text !== 'string') return bench.skip('conditions', 'the resources that were found hold no string')
  const answer = await provider.send(operation, { query: [['stringParameter', text]] })
  const others = word === undefined ? findWithout(answer, text) : findOthers(answer, samples)
  bench.hold('conditions', answer.status === 200 ? others : findStatusFaults(answer, 200))
}

/** D10: the body is an ArrayTestType too, that of the first result. */
const findProjectionFaults = (answer: Answer, content: unknown): readonly Fault[] =>
  Object.entries(typeof content === 'object' && content !== null ? content : {}).flatMap(([name, value]) =>
    compare(answer, name, value, member(answer.body, name)),
  )

/** Specification 4.5. */
export const checkResources: Examine<'checkResources'> = async (bench, world) => {
  const operation = 'checkResources'
  const { provider, keyring, samples, sampleless } = world
  const ask = async (query: Query, authorization?: string | null) => {
    const answer = await provider.send(operation, { query, ...(authorization === undefined ? {} : { authorization }) })
    bench.hold('no-body', answer.text === '' ? [] : fault(answer, 'body', 'none', `${answer.text.length} characters`))
    return answer
  }

  const unmatched = await ask([['where', `id = ${JSON.stringify(world.newId())}`]])
  bench.hold('no-match', findStatusFaults(unmatched, 404))
  bench.hold('no-token', findStatusFaults(await ask([], null), 401))
  bench.hold('bad-token', findStatusFaults(await ask([], keyring.bad), 401))
  const lacking = await findLacking(operation, world)
  if (lacking === undefined) bench.skip('scope', SCOPELESS)
  else bench.hold('scope', findStatusFaults(await ask([], lacking), 403))

  if (samples.length === 0) return bench.skip('status', sampleless)
  bench.hold('status', findStatusFaults(await ask(selectAll(samples)), 200))
}

/** Specification 4.12. */
export const sortedQuery: Examine<'sortedQuery'> = async (bench, world) => {
  const operation = 'sortedQuery'
  const { provider } = world
  holdAnswer(bench, operation, await provider.send(operation), 200)
  await examineRefused(bench, operation, [[['limit', '20.5']], [['withTotal', 'perhaps']]], world)
  await examineTotalless(bench, operation, world)
  const unreadable = await provider.send(operation, { query: [['where', 'id = ']] })
  holdRefusal(bench, 'where-refused', unreadable, 400)
  await examineBearer(bench, operation, {}, world)
  await examineScope(bench, operation, {}, world)

  const samples = expectSamples(world)
  await examinePages(bench, operation, [...selectAll(samples), ['sort', 'id asc']], world)
  await examineSelection(bench, operation, samples, world)
}
