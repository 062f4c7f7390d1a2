import { checkResource } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import { compare, compareContent, compareVersion, compareStatus, findId } from '../finding.ts'
import type { Sending } from '../provider.ts'
import type { Sample } from '../resources.ts'
import { expectSamples } from '../samples.ts'
import {
  examineAccess,
  examineHead,
  examineMethods,
  examineQueries,
  examineRefusals,
  examineUnknownParameter,
  findBodyFindings,
} from './requests.ts'

/** Reads a resource: what it holds, its version, and where it says that it is (D5). */
async function examineRead(exam: OperationExamination, sending: Sending, sample: Sample): Promise<void> {
  const { id, version, content } = sample
  const answer = await exam.send(sending)
  if (!checkResource(exam, answer, 200, id)) return
  exam.add('resource', [
    ...compareContent(answer, content),
    ...compareVersion(answer, version),
    ...compare(answer, 'Content-Location', id, findId(answer) ?? id),
  ])
  await examineHead(exam, sending, answer)
}

const NO_KEY = 'none of the resources that were found has a key'

/** Specification 4.2. */
export async function getResourceById(exam: OperationExamination): Promise<void> {
  const nowhere = { path: { id: exam.newId() } }
  await examineRefusals(exam, 'not-found', [nowhere], 404)
  const absent = await exam.send({ ...nowhere, method: 'HEAD' })
  exam.add('head', [...compareStatus(absent, 404), ...findBodyFindings(absent)])
  const samples = expectSamples(exam)
  const sending = { path: { id: samples[0].id } }
  // Not the first alone: what always answers one resource would pass.
  for (const sample of samples.slice(0, 2)) await examineRead(exam, { path: { id: sample.id } }, sample)

  const keyed = samples.find(({ key }) => key !== undefined)
  if (keyed === undefined) exam.skip('escaped-key', NO_KEY)
  else await examineRefusals(exam, 'escaped-key', [{ path: { id: `key=${keyed.key}` } }], 404)

  const query = { optionalQueryParameter: 'a', secondOptionalQueryParameter: 'b' }
  exam.add('parameters', compareStatus(await exam.send({ ...sending, query }), 200))
  const twice = Object.entries(query).map(([name, value]) => ({ [name]: [value, 'c'] }))
  await examineQueries(exam, 'parameters', twice, sending)
  await examineUnknownParameter(exam, sending)
  await examineAccess(exam, sending)
}

/** Specification 4.3. */
export async function getResourceByKey(exam: OperationExamination): Promise<void> {
  const nowhere = { path: { key: `${exam.run}-none` } }
  await examineRefusals(exam, 'not-found', [nowhere], 404)
  await examineRefusals(exam, 'empty-key', [{ path: { key: '' } }], 404)
  const keyed = expectSamples(exam).flatMap((sample) =>
    sample.key === undefined ? [] : [{ sample, sending: { path: { key: sample.key } } }],
  )
  const [first] = keyed
  if (first === undefined) return exam.skip('resource', NO_KEY)
  for (const { sample, sending } of keyed.slice(-2)) await examineRead(exam, sending, sample)
  if (exam.own === undefined)
    exam.skip('key-case', 'only of a resource of its own is it known that no other key differs')
  else await examineRefusals(exam, 'key-case', [{ path: { key: exam.own[0].key.toUpperCase() } }], 404)
  await examineAccess(exam, first.sending)
  await examineMethods(exam, ['POST', 'PUT', 'DELETE'], nowhere)
}
