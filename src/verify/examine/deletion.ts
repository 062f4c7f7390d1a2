import { checkRefusal, checkResource } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import { compareContent, compareHeader, compareVersion, finding, compareStatus, idsOf, selectAll } from '../finding.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { OwnResource } from '../resources.ts'
import { examineAccess, examineQueries, examineRefusals } from './requests.ts'
import { findChanged, findCurrentFindings } from './update.ts'

/** Specification 4.11. */
export async function deleteResource(exam: OperationExamination): Promise<void> {
  const { resources } = exam
  // A resource of its own: what lets everyone delete must not be blamed for anything else.
  await examineAccess(exam, { path: { id: (await resources.create()).id } })

  const resource = await resources.create()
  const { id, key, version, content } = resource
  const path = { id }
  await examineRefusals(exam, 'not-found', [{ path: { id: exam.newId() } }], 404)
  await examineQueries(exam, 'refused', [{ version: 'abc' }, { version: '1.5' }], { path })
  const stale = String(version + 1)
  await examineQueries(exam, 'single-valued', [{ version: [stale, stale] }], { path })

  let isGone = false
  for (const stale of [version + 1, version - 1]) {
    const answer = await exam.send({ path, query: { version: String(stale) } })
    isGone ||= answer.status === 200
    if (!checkRefusal(exam, 'stale-version', answer, 409)) continue
    exam.add('stale-version', await findChanged(answer, id, version, exam))
    exam.add('current-version', findCurrentFindings(answer, version))
  }

  // Without a version, as section 4.11 has it; what should have stayed may be gone by now.
  const answer = await exam.send({ path })
  if (isGone && answer.status === 404) return
  if (!checkResource(exam, answer, 200)) return
  exam.add('headers', compareHeader(answer, 'Location', undefined))
  exam.add('resource', [...compareContent(answer, content), ...compareVersion(answer, version)])
  exam.add('gone', await findRemains(exam, answer, resource))

  const json = resources.redraft({ key })
  const again = await exam.provider.send('createResource', { json, label: 'the key of what was deleted' })
  exam.add('key-freed', [
    ...compareStatus(again, 201),
    ...compareVersion(again, 1),
    ...((await resources.findIdOfKey(key)) === id ? finding(again, 'Location', 'another id', id) : []),
  ])

  const other = await resources.create()
  const query = { version: String(other.version) }
  const body = { version: other.version + 1 }
  const deleted = await exam.send({ path: { id: other.id }, query, json: body, label: 'with a body' })
  exam.add('actual-version', compareStatus(deleted, 200))
}

/** What is still found of a resource that was deleted. */
async function findRemains(
  exam: OperationExamination,
  answer: ProviderAnswer,
  resource: OwnResource,
): Promise<readonly Finding[]> {
  const { provider, resources, send } = exam
  const { id, key, version } = resource
  const remains = (way: string) => finding(answer, 'body', 'a resource that is gone', way)
  const found = await resources.find(id)
  const named = await resources.findIdOfKey(key)
  const place = resource.content.arrayOfStringExample?.at(-1) ?? ''
  const pages = await Promise.all([
    provider.send('sortedQuery', { query: selectAll([resource]) }),
    provider.send('queryResources', { query: { stringParameter: place, arrayOfString: exam.run, limit: '500' } }),
    provider.send('searchResources', {
      query: { 'text.en': exam.run, filter: `arrayOfStringExample:"${place}"`, limit: '500' },
    }),
  ])
  const head = await provider.send('checkResources', { query: selectAll([resource]) })
  const actions = [{ action: 'doSomeThing' }]
  const updated = await provider.send('updateResource', { path: { id }, json: { version, actions } })
  return [
    ...(found.kind === 'found' ? remains('GET still finds it') : []),
    ...(named === undefined ? [] : remains('GET still finds it by its key')),
    ...pages.flatMap((page) => (idsOf(page).includes(id) ? remains(`${page.request} still finds it`) : [])),
    ...(head.status === 200 ? remains('HEAD still finds it') : []),
    ...compareStatus(updated, 404),
    ...compareStatus(await send({ path: { id } }), 404),
  ]
}
