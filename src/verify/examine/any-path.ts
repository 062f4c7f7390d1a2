import { checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { fault, show } from '../fault.ts'
import { idsOf, selectAll } from '../pages.ts'
import { findId } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { Sample } from '../resources.ts'
import { OWNLESS } from '../samples.ts'

/** What holds for no operation alone: paths, correlation ids, projects. */
export const anyPath: Examine<'anyPath'> = async (results, context) => {
  const { provider, project, run } = context
  const base = `/${encodeURIComponent(project)}`
  for (const path of [`${base}/nothing`, `${base}/resources`, `${base}/resource/${run}/nothing`]) {
    checkRefusal(results, 'unknown-path', await provider.request('GET', path), 404)
  }
  const ask = (correlationId: string) =>
    provider.send('getAction', {
      headers: { 'X-Correlation-ID': correlationId },
      label: `X-Correlation-ID: ${correlationId}`,
    })
  for (const text of ['abcd-_09', 'c'.repeat(256)]) {
    const answer = await ask(text)
    const echoed = answer.headers.get('X-Correlation-ID')
    results.add('correlation-id', [
      ...findStatusFaults(answer, 200),
      ...(echoed === text ? [] : fault(answer, 'X-Correlation-ID', text, show(echoed))),
    ])
  }
  const without = await provider.send('getAction', {
    headers: { 'X-Correlation-ID': null },
    label: 'no X-Correlation-ID',
  })
  const made = without.headers.get('X-Correlation-ID') ?? ''
  const isMade = /^[A-Za-z0-9_-]{8,256}$/.test(made)
  results.add(
    'correlation-id',
    isMade ? [] : fault(without, 'X-Correlation-ID', '8 to 256 of [A-Za-z0-9_-]', show(made)),
  )
  for (const text of ['seven-7', 'c'.repeat(257), 'with a space', 'with.a.dot']) {
    const answer = await ask(text)
    const faults = findStatusFaults(answer, 400)
    results.add('correlation-id-refused', faults)
  }
  results.add('status', [])
  // Resources that others wrote may be in every project, as the fixtures of a mock are.
  if (context.own === undefined) return results.skip('projects', OWNLESS)
  await examineProjects(results, context.own[0], context)
}

/** Section 1: a resource belongs to its project. */
async function examineProjects(
  results: Parameters<typeof anyPath>[0],
  sample: Sample,
  { provider, tokens, otherProject }: VerifyContext,
): Promise<void> {
  const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
  const inOther = { projectKey: otherProject }
  const byId = await provider.send('getResourceById', { path: { ...inOther, id: sample.id }, authorization })
  if (byId.status === 401 || byId.status === 403) {
    return results.skip(
      'projects',
      `the token does not reach the other project: ${byId.request} answered ${byId.status}`,
    )
  }
  const isOne = (answer: typeof byId): readonly Fault[] =>
    answer.status === 200 && (findId(answer) ?? sample.id) === sample.id
      ? fault(answer, 'body', 'nothing of another project', `the resource ${sample.id}`)
      : []
  results.add('projects', isOne(byId))
  if (sample.key !== undefined) {
    const path = { ...inOther, key: sample.key }
    results.add('projects', isOne(await provider.send('getResourceByKey', { path, authorization })))
  }
  for (const operation of ['sortedQuery', 'queryResources'] as const) {
    const page = await provider.send(operation, { path: inOther, query: selectAll([sample]), authorization })
    const isFound = idsOf(page).includes(sample.id)
    results.add('projects', isFound ? fault(page, 'results', 'nothing of another project', show(sample.id)) : [])
  }
}
