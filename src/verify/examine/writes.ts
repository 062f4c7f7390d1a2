import { checkRefusal, checkResource, checkTolerated } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import {
  compare,
  compareContent,
  compareVersion,
  finding,
  findUnless,
  compareStatus,
  show,
  readPage,
  selectAll,
  findId,
  findVersion,
} from '../finding.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { SampleDraft } from '../resources.ts'
import { examineAccess, examineRefusals } from './requests.ts'
import { examineDates } from './dates.ts'
import { examineDrafts, findLost, findOtherContent } from './drafts.ts'

/** What is sent over a resource that has all seven arrays: some of them alone, unless the provider wants all (D2). */
const toNext = (draft: Pick<SampleDraft, 'key'>, { resources, isStrict }: OperationExamination): SampleDraft => {
  const { key, objectTypeProperty } = resources.redraft(draft)
  if (isStrict === true) return { key, objectTypeProperty }
  const { arrayOfTwonumbersExample, arrayOfStringExample } = objectTypeProperty
  return { key, objectTypeProperty: { arrayOfTwonumbersExample, arrayOfStringExample } }
}

/** Faults where a resource was not overwritten by a draft: another one, another content, another version. */
async function findNotOverwritten(
  exam: OperationExamination,
  answer: ProviderAnswer,
  id: string,
  draft: SampleDraft,
  version: number,
): Promise<readonly Finding[]> {
  return [
    ...compareStatus(answer, 201),
    ...compare(answer, 'Location', id, findId(answer) ?? id),
    ...findOtherContent(answer, draft, version),
    ...(await findLost(answer, id, draft, version, exam)),
  ]
}

/** Specification 4.6. */
export async function createResource(exam: OperationExamination): Promise<void> {
  const { resources, cleanup, run } = exam
  const draft = resources.draft()
  const { key, objectTypeProperty } = draft
  const answer = await exam.send({ json: draft })
  const named = await resources.findIdOfKey(key)
  const id = findId(answer) ?? named
  if (id !== undefined) cleanup.note(key, id)
  if (checkResource(exam, answer, 201, id)) {
    exam.add('first-version', compareVersion(answer, 1))
    exam.add('content', compareContent(answer, objectTypeProperty))
  }
  if (id !== undefined) {
    const version = findVersion(answer) ?? 1
    exam.add('findable', await findLost(answer, id, draft, version, exam))
    exam.add('findable', compare(answer, 'id that the key leads to', id, named))

    const next = toNext(draft, exam)
    const again = await exam.send({ json: next, label: 'a key that exists' })
    cleanup.note(key, findId(again) ?? id)
    if (again.status < 300) checkResource(exam, again, 201, id)
    exam.add('same-key', await findNotOverwritten(exam, again, id, next, version + 1))
    if (again.status === 201) await examineSameContent(exam, id, next, version + 1)
  }
  const partial = resources.draft({ arrayOfStringExample: [run], arrayOfFloatExample: [] })
  const kept = await exam.send({ json: partial, label: 'two arrays' })
  checkTolerated(exam, 'partial', kept, () => [
    ...compareStatus(kept, 201),
    ...compareContent(kept, partial.objectTypeProperty),
  ])
  const long = { ...resources.draft(), key: `${run}${'k'.repeat(256 - run.length)}` }
  cleanup.note(long.key)
  const longest = await exam.send({ json: long, label: 'a key of 256 characters' })
  exam.add('long-key', compareStatus(longest, 201))

  await examineKeyLetters(exam)
  // A PUT or PATCH without a key may overwrite somebody else's resource (D15), so they are not sent such a key.
  const { objectTypeProperty: some } = resources.draft()
  const odd = [null, 5, ''].map((key) => ({
    json: { key, objectTypeProperty: some },
    label: `the key ${show(key)}`,
  }))
  await examineRefusals(exam, 'odd-key', odd)

  // The second time a faulty provider may overwrite what was written last: most likely the first.
  const keyless = { json: { objectTypeProperty: resources.draft().objectTypeProperty }, label: 'no key' }
  const [first, second] = [await exam.send(keyless), await exam.send(keyless)]
  const other = findId(second)
  const isOther = other !== undefined && other !== findId(first)
  exam.add('keyless', [
    ...compareStatus(second, 201),
    ...compareVersion(second, 1),
    ...findUnless(isOther, second, 'Location', 'that of another resource', show(other)),
  ])
  await examineDrafts(exam, resources.draft())
  await examineAccess(exam, { json: resources.draft() })
}

/** D6: which letters a key may have, and that each is another one. */
async function examineKeyLetters(exam: OperationExamination): Promise<void> {
  const { resources, cleanup, run } = exam
  const capital = `${run}-Key_A-9`
  const ids: (string | undefined)[] = []
  for (const key of [capital, capital.toLowerCase()]) {
    const { objectTypeProperty } = resources.draft()
    cleanup.note(key)
    const answer = await exam.send({ json: { key, objectTypeProperty }, label: `the key ${key}` })
    const id = await resources.findIdOfKey(key)
    ids.push(id)
    exam.add('key-letters', [
      ...compareStatus(answer, 201),
      ...compareVersion(answer, 1),
      ...findUnless(id !== undefined, answer, 'key', `one that leads to ${show(findId(answer))}`, 'one of nothing'),
    ])
  }
  const [first, second] = ids
  if (first === undefined || first !== second) return
  const answer = await exam.provider.send('getResourceByKey', { path: { key: capital } })
  exam.add('key-letters', finding(answer, 'Content-Location', 'another id than in lower case', first))
}

/** D7, D5: the same draft again is a write like any other. */
async function examineSameContent(
  exam: OperationExamination,
  id: string,
  draft: SampleDraft,
  version: number,
): Promise<void> {
  await examineDates(exam, id, async () => {
    const answer = await exam.send({ json: draft, label: 'the same draft again' })
    exam.add('same-content', [...compareStatus(answer, 201), ...compareVersion(answer, version + 1)])
    return answer.status === 201
  })
}

/** Specification 4.8. */
export async function putResource(exam: OperationExamination): Promise<void> {
  const { resources, cleanup } = exam
  // First of all, keys must count: where they do not, a PUT overwrites what anybody wrote last (D15).
  await resources.createByKey()
  const draft = resources.draft()
  const answer = await exam.send({ json: draft })
  const id = findId(answer) ?? (await resources.findIdOfKey(draft.key))
  checkResource(exam, answer, 201, id)
  if (id !== undefined) {
    const version = findVersion(answer) ?? 1
    cleanup.note(draft.key, id)
    exam.add('creates', findOtherContent(answer, draft, 1))
    exam.add('creates', await findLost(answer, id, draft, version, exam))
    const next = toNext(draft, exam)
    const again = await exam.send({ json: next, label: 'a key that exists' })
    checkResource(exam, again, 201, id)
    exam.add('overwrites', await findNotOverwritten(exam, again, id, next, version + 1))
    if (again.status === 201) await examineSameContent(exam, id, next, version + 1)
  }
  await examineDrafts(exam, draft)
  await examineAccess(exam, { json: draft })
}

/** Specification 4.7. */
export async function overwriteResource(exam: OperationExamination): Promise<void> {
  const { provider, resources } = exam
  const resource = await resources.createByKey()
  const { id } = resource
  const actions = [{ action: 'changeSomeProperty', someProperty: 'kept' }]
  const changed = await provider.send('updateResource', { path: { id }, json: { version: resource.version, actions } })
  const version = (changed.status === 200 ? (findVersion(changed) ?? resource.version + 1) : resource.version) + 1

  const next = toNext(resource, exam)
  const answer = await exam.send({ json: next })
  if (checkResource(exam, answer, 201, id)) {
    exam.add('overwrites', await findNotOverwritten(exam, answer, id, next, version))
    const page = await provider.send('sortedQuery', { query: selectAll([resource]) })
    const result = readPage(page).results.find((one) => one.id === id)
    if (changed.status !== 200 || result === undefined) {
      exam.skip('keeps-property', 'no update set someProperty, or no query tells it')
    } else exam.add('keeps-property', compare(page, 'someProperty of its result', 'kept', result['someProperty']))
    await examineSameContent(exam, id, next, version)
  }
  const nobody = resources.draft()
  const refused = await exam.send({ json: nobody })
  checkRefusal(exam, 'not-found', refused, 404)
  const made = await resources.findIdOfKey(nobody.key)
  exam.add('creates-none', made === undefined ? [] : finding(refused, 'body', 'no resource of that key', made))
  await examineDrafts(exam, resources.redraft(resource))
  await examineAccess(exam, { json: next })
}
