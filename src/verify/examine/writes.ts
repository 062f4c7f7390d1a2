import { checkAnswer, checkHeaders, checkLocation, checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { compare } from '../fault.ts'
import type { ProviderAnswer } from '../provider.ts'
import { findContent, findId, findVersion } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { SampleDraft } from '../resources.ts'
import type { Results } from '../results.ts'
import { readPage, selectAll } from '../pages.ts'
import { examineAccess } from './access.ts'
import { examineDrafts, findLost, findOtherContent } from './drafts.ts'

/** What is sent over a resource that has all seven arrays: some of them alone, unless the provider wants all (D2). */
const toNext = (draft: Pick<SampleDraft, 'key'>, { resources, isStrict }: VerifyContext): SampleDraft => {
  const { key, objectTypeProperty } = resources.redraft(draft)
  if (isStrict === true) return { key, objectTypeProperty }
  const { arrayOfTwonumbersExample, arrayOfStringExample } = objectTypeProperty
  return { key, objectTypeProperty: { arrayOfTwonumbersExample, arrayOfStringExample } }
}

/** Checks an answer of 201, and where it leads. */
function checkWritten(
  results: Results<
    'status' | 'content-type' | 'shape' | 'correlation-id' | 'nosniff' | 'headers' | 'etag' | 'location'
  >,
  operation: 'createResource' | 'putResource' | 'overwriteResource',
  answer: ProviderAnswer,
  id: string | undefined,
  { project }: VerifyContext,
): boolean {
  if (!checkAnswer(results, operation, answer, 201)) return false
  checkHeaders(results, operation, answer)
  if (id !== undefined) checkLocation(results, answer, { project, id })
  return true
}

/** Faults where a resource was not overwritten by a draft: another one, another content, another version. */
async function findNotOverwritten(
  answer: ProviderAnswer,
  id: string,
  draft: SampleDraft,
  version: number,
  context: VerifyContext,
): Promise<readonly Fault[]> {
  return [
    ...findStatusFaults(answer, 201),
    ...compare(answer, 'Location', id, findId(answer) ?? id),
    ...findOtherContent(answer, draft, version),
    ...(await findLost(answer, id, draft, version, context)),
  ]
}

/** Specification 4.6. */
export const createResource: Examine<'createResource'> = async (results, context) => {
  const operation = 'createResource'
  const { provider, resources, cleanup, run, isStrict } = context
  const draft = resources.draft()
  const answer = await provider.send(operation, { json: draft })
  const named = await resources.findIdOfKey(draft.key)
  const id = findId(answer) ?? named
  if (id !== undefined) cleanup.note(draft.key, id)
  if (checkWritten(results, operation, answer, id, context)) {
    results.add('first-version', compare(answer, 'version', 1, findVersion(answer)))
    results.add('content', compare(answer, 'objectTypeProperty', draft.objectTypeProperty, findContent(answer)))
  }
  if (id !== undefined) {
    results.add('findable', await findLost(answer, id, draft, findVersion(answer) ?? 1, context))
    results.add('findable', compare(answer, 'id that the key leads to', id, named))

    const next = toNext(draft, context)
    const again = await provider.send(operation, { json: next, label: 'a key that exists' })
    cleanup.note(draft.key, findId(again) ?? id)
    if (again.status < 300) checkWritten(results, operation, again, id, context)
    const version = (findVersion(answer) ?? 1) + 1
    results.add('same-key', await findNotOverwritten(again, id, next, version, context))
  }
  const partial = resources.draft({ arrayOfStringExample: [run], arrayOfFloatExample: [] })
  const kept = await provider.send(operation, { json: partial, label: 'two arrays' })
  if (isStrict === true) checkRefusal(results, 'partial', kept, 400)
  else {
    const content = compare(kept, 'objectTypeProperty', partial.objectTypeProperty, findContent(kept))
    results.add('partial', [...findStatusFaults(kept, 201), ...content])
  }
  const long = { ...resources.draft(), key: `${run}${'k'.repeat(256 - run.length)}` }
  cleanup.note(long.key)
  const longest = await provider.send(operation, { json: long, label: 'a key of 256 characters' })
  results.add('long-key', findStatusFaults(longest, 201))
  await examineKeyless()
  await examineDrafts(results, operation, resources.draft(), context)
  await examineAccess(results, operation, { json: resources.draft() }, context)

  /** The second time a faulty provider may overwrite what was written last: most likely the first. */
  async function examineKeyless(): Promise<void> {
    const { objectTypeProperty } = resources.draft()
    const json = { objectTypeProperty }
    const first = await provider.send(operation, { json, label: 'no key' })
    const second = await provider.send(operation, { json, label: 'no key' })
    const isOther = findId(second) !== undefined && findId(second) !== findId(first)
    results.add('keyless', [
      ...findStatusFaults(second, 201),
      ...compare(second, 'version', 1, findVersion(second)),
      ...(isOther ? [] : compare(second, 'Location', 'that of another resource', findId(second))),
    ])
  }
}

/** Specification 4.8. */
export const putResource: Examine<'putResource'> = async (results, context) => {
  const operation = 'putResource'
  const { provider, resources, cleanup } = context
  // Sure first that keys count: where they do not, a PUT overwrites what was written last, whoever wrote it (D15).
  await resources.createByKey()
  const draft = resources.draft()
  const answer = await provider.send(operation, { json: draft })
  const id = findId(answer) ?? (await resources.findIdOfKey(draft.key))
  checkWritten(results, operation, answer, id, context)
  if (id !== undefined) {
    cleanup.note(draft.key, id)
    results.add('creates', [
      ...findOtherContent(answer, draft, 1),
      ...(await findLost(answer, id, draft, findVersion(answer) ?? 1, context)),
    ])
    const next = toNext(draft, context)
    const again = await provider.send(operation, { json: next, label: 'a key that exists' })
    checkWritten(results, operation, again, id, context)
    const version = (findVersion(answer) ?? 1) + 1
    results.add('overwrites', await findNotOverwritten(again, id, next, version, context))
  }
  await examineDrafts(results, operation, draft, context)
  await examineAccess(results, operation, { json: draft }, context)
}

/** Specification 4.7. */
export const overwriteResource: Examine<'overwriteResource'> = async (results, context) => {
  const operation = 'overwriteResource'
  const { provider, resources } = context
  const resource = await resources.createByKey()
  const { id } = resource
  const actions = [{ action: 'changeSomeProperty', someProperty: 'kept' }]
  const changed = await provider.send('updateResource', { path: { id }, json: { version: resource.version, actions } })
  const version = (changed.status === 200 ? (findVersion(changed) ?? resource.version + 1) : resource.version) + 1

  const next = toNext(resource, context)
  const answer = await provider.send(operation, { json: next })
  if (checkWritten(results, operation, answer, id, context)) {
    results.add('overwrites', await findNotOverwritten(answer, id, next, version, context))
    await examineProperty()
  }
  checkRefusal(results, 'not-found', await provider.send(operation, { json: resources.draft() }), 404)
  await examineDrafts(results, operation, resources.redraft(resource), context)
  await examineAccess(results, operation, { json: next }, context)

  async function examineProperty(): Promise<void> {
    const page = await provider.send('sortedQuery', { query: selectAll([resource]) })
    const result = readPage(page).results.find((one) => one.id === id)
    if (changed.status !== 200 || result === undefined) {
      return results.skip('keeps-property', 'no update set someProperty, or no query tells it')
    }
    results.add('keeps-property', compare(page, 'someProperty of its result', 'kept', result['someProperty']))
  }
}
