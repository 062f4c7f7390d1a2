import { checkRefusal } from '../answers.ts'
import type { Examination } from '../examination.ts'
import { compareHeader, fault, faultUnless, findStatusFaults, show } from '../fault.ts'
import { idsOf, selectAll } from '../pages.ts'
import type { ProviderAnswer } from '../provider.ts'
import { findId } from '../read-answer.ts'
import type { Sample } from '../resources.ts'
import { expectOwn } from '../samples.ts'

/** What holds for no operation alone: paths, correlation ids, projects. */
export async function anyPath(exam: Examination): Promise<void> {
  const { provider, project, run } = exam
  const name = 'X-Correlation-ID'
  const base = `/${encodeURIComponent(project)}`
  for (const path of [`${base}/nothing`, `${base}/resources`, `${base}/resource/${run}/nothing`]) {
    checkRefusal(exam, 'unknown-path', await provider.request('GET', path), 404)
  }
  const send = (id: string | null) =>
    provider.send('getAction', { headers: { [name]: id }, label: id === null ? `no ${name}` : `${name}: ${id}` })
  for (const id of ['abcd-_09', 'c'.repeat(256)]) {
    const answer = await send(id)
    exam.add('correlation-id', [...findStatusFaults(answer, 200), ...compareHeader(answer, name, id)])
  }
  const without = await send(null)
  const made = without.headers.get(name) ?? ''
  const another = (await send(null)).headers.get(name)
  const isMade = /^[A-Za-z0-9_-]{8,256}$/.test(made) && another !== made
  exam.add(
    'correlation-id',
    faultUnless(isMade, without, name, 'another 8 to 256 of [A-Za-z0-9_-] each time', show(made)),
  )
  const malformed = ['seven-7', 'c'.repeat(257), 'with a space', 'with.a.dot', 'with/slash', 'with:colon', 'with~tilde']
  for (const id of malformed) exam.add('correlation-id-refused', findStatusFaults(await send(id), 400))
  const headers = { [name]: 'with.a.dot' }
  const label = `${name}: with.a.dot`
  for (const operation of ['checkResources', 'sortedQuery', 'searchResources'] as const) {
    exam.add('correlation-id-refused', findStatusFaults(await provider.send(operation, { headers, label }), 400))
  }
  exam.add('status', [])
  if (exam.own !== undefined) {
    const [{ id, version }] = exam.own
    const sending = { path: { id }, json: { version, actions: [] }, headers, label }
    exam.add('correlation-id-refused', findStatusFaults(await provider.send('updateResource', sending), 400))
  }
  // Resources that others wrote may be in every project, as the fixtures of a mock are.
  await examineProjects(exam, expectOwn(exam)[0])
}

/** Section 1: a resource belongs to its project. */
async function examineProjects(exam: Examination, { id, key }: Sample): Promise<void> {
  const { provider, tokens, otherProject } = exam
  const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
  const path = { projectKey: otherProject, id, key: key ?? '' }
  const byId = await provider.send('getResourceById', { path, authorization })
  if (byId.status === 401 || byId.status === 403) {
    const reason = `the token does not reach the other project: ${byId.request} answered ${byId.status}`
    return exam.skip('projects', reason)
  }
  const expectOther = (answer: ProviderAnswer) => {
    const isOne = answer.status === 200 && (findId(answer) ?? id) === id
    exam.add('projects', isOne ? fault(answer, 'body', 'nothing of another project', `the resource ${id}`) : [])
  }
  expectOther(byId)
  if (key !== undefined) expectOther(await provider.send('getResourceByKey', { path, authorization }))
  for (const operation of ['sortedQuery', 'queryResources'] as const) {
    const page = await provider.send(operation, { path, query: selectAll([{ id }]), authorization })
    const isFound = idsOf(page).includes(id)
    exam.add('projects', isFound ? fault(page, 'results', 'nothing of another project', show(id)) : [])
  }
}
