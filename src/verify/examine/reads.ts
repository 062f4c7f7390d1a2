import { checkAnswer, checkHeaders, checkLocation, checkOrder, checkRefusal, findStatusFaults } from '../answers.ts'
import type { Examine } from '../context.ts'
import { compare } from '../fault.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import { findContent, findId, findVersion } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { Sample } from '../resources.ts'
import { expectSamples } from '../samples.ts'
import { examineAccess } from './access.ts'
import { examineHead, examineMethods, examineQueries, examineUnknownParameter } from './requests.ts'

/** Whether an answer is about a resource: what it holds, its version, and where it says that it is (D5). */
const findOtherness = (answer: ProviderAnswer, { id, version, content }: Sample): readonly Fault[] => [
  ...compare(answer, 'objectTypeProperty', content, findContent(answer)),
  ...compare(answer, 'version', version, findVersion(answer)),
  ...compare(answer, 'Content-Location', id, findId(answer) ?? id),
]

/** Specification 4.2. */
export const getResourceById: Examine<'getResourceById'> = async (results, context) => {
  const operation = 'getResourceById'
  const { provider, project } = context
  checkRefusal(results, 'not-found', await provider.send(operation, { path: { id: context.newId() } }), 404)
  const samples = expectSamples(context)
  const [sample] = samples
  const sending = { path: { id: sample.id } }
  // Not the first alone: what always answers one resource would pass.
  for (const one of samples.slice(0, 2)) {
    const answer = await provider.send(operation, { path: { id: one.id } })
    if (!checkAnswer(results, operation, answer, 200)) continue
    checkHeaders(results, operation, answer)
    checkLocation(results, answer, { project, id: one.id })
    checkOrder(results, answer)
    results.add('resource', findOtherness(answer, one))
    await examineHead(results, operation, { path: { id: one.id } }, answer, context)
  }

  const keyed = samples.find(({ key }) => key !== undefined)
  if (keyed === undefined) results.skip('escaped-key', 'none of the resources that were found has a key')
  else checkRefusal(results, 'escaped-key', await provider.send(operation, { path: { id: `key=${keyed.key}` } }), 404)

  const query = [
    ['optionalQueryParameter', 'a'],
    ['secondOptionalQueryParameter', 'b'],
  ] as const
  results.add('parameters', findStatusFaults(await provider.send(operation, { ...sending, query }), 200))
  const twice = query.map(([name, value]) => [[name, value] as const, [name, 'c'] as const])
  await examineQueries(results, 'parameters', operation, twice, context, sending)
  await examineUnknownParameter(results, operation, sending, context)
  await examineAccess(results, operation, sending, context)
}

const toSending = ({ key = '' }: Sample): Sending => ({ path: { key } })

/** Specification 4.3. */
export const getResourceByKey: Examine<'getResourceByKey'> = async (results, context) => {
  const operation = 'getResourceByKey'
  const { provider, run, project } = context
  checkRefusal(results, 'not-found', await provider.send(operation, { path: { key: `${run}-none` } }), 404)
  checkRefusal(results, 'empty-key', await provider.send(operation, { path: { key: '' } }), 404)
  const samples = expectSamples(context)
  const keyed = samples.filter(({ key }) => key !== undefined)
  if (keyed.length === 0) return results.skip('resource', 'none of the resources that were found has a key')
  for (const sample of keyed.slice(-2)) {
    const answer = await provider.send(operation, toSending(sample))
    if (!checkAnswer(results, operation, answer, 200)) continue
    checkHeaders(results, operation, answer)
    checkLocation(results, answer, { project, id: sample.id })
    checkOrder(results, answer)
    results.add('resource', findOtherness(answer, sample))
    await examineHead(results, operation, toSending(sample), answer, context)
  }
  const [sample] = keyed
  if (sample === undefined) return
  await examineAccess(results, operation, toSending(sample), context)
  await examineMethods(results, operation, ['POST', 'PUT', 'DELETE'], { path: { key: `${run}-none` } }, context)
}
