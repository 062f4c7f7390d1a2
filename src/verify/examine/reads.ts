import { findStatusFaults, holdAnswer, holdHeaders, holdRefusal } from '../answers.ts'
import { compare, fault } from '../fault.ts'
import type { Answer, Sending } from '../provider.ts'
import type { Fault } from '../report.ts'
import { findContent, findId, findVersion } from '../resources.ts'
import type { Sample } from '../resources.ts'
import { expectSamples } from '../samples.ts'
import type { Examine } from '../world.ts'
import { examineBearer, examineScope } from './bearer.ts'

/** Whether an answer is about a resource: what it holds, its version, and where it says that it is (D5). */
const findOtherness = (answer: Answer, { id, version, content }: Sample): readonly Fault[] => [
  ...compare(answer, 'objectTypeProperty', content, findContent(answer)),
  ...compare(answer, 'version', version, findVersion(answer)),
  ...compare(answer, 'Content-Location', id, findId(answer) ?? id),
]

/** Specification 4.2. */
export const getResourceById: Examine<'getResourceById'> = async (bench, world) => {
  const operation = 'getResourceById'
  const { provider } = world
  const [sample] = expectSamples(world)
  const sending = { path: { id: sample.id } }
  const answer = await provider.send(operation, sending)
  const isRight = holdAnswer(bench, operation, answer, 200)
  if (isRight) {
    holdHeaders(bench, operation, answer)
    bench.hold('resource', findOtherness(answer, sample))
    const head = await provider.send(operation, { ...sending, method: 'HEAD' })
    bench.hold('head', findHeadFaults(head, answer))
  }
  holdRefusal(bench, 'not-found', await provider.send(operation, { path: { id: world.newId() } }), 404)
  await examineBearer(bench, operation, sending, world)
  await examineScope(bench, operation, sending, world)
}

/** RFC 9110, section 9.3.2: the same fields as GET, and no content. */
const findHeadFaults = (head: Answer, got: Answer): readonly Fault[] => [
  ...findStatusFaults(head, got.status),
  ...(head.text === '' ? [] : fault(head, 'body', 'none', `${head.text.length} characters`)),
  ...compare(head, 'ETag', got.headers.get('ETag'), head.headers.get('ETag')),
]

/** Specification 4.3. */
export const getResourceByKey: Examine<'getResourceByKey'> = async (bench, world) => {
  const operation = 'getResourceByKey'
  const { provider, run } = world
  holdRefusal(bench, 'not-found', await provider.send(operation, { path: { key: `${run}-none` } }), 404)
  const samples = expectSamples(world)
  const keyed = samples.filter(({ key }) => key !== undefined)
  if (keyed.length === 0) return bench.skip('resource', 'none of the resources that were found has a key')
  // Not the first alone: what always answers one resource would pass.
  for (const sample of keyed.slice(-2)) {
    const sending: Sending = { path: { key: sample.key ?? '' } }
    const answer = await provider.send(operation, sending)
    if (!holdAnswer(bench, operation, answer, 200)) continue
    holdHeaders(bench, operation, answer)
    bench.hold('resource', findOtherness(answer, sample))
  }
  const sending = { path: { key: keyed[0]?.key ?? '' } }
  await examineBearer(bench, operation, sending, world)
  await examineScope(bench, operation, sending, world)
}
