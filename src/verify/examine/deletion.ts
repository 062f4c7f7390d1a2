import { checkAnswer, checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { compare, fault } from '../fault.ts'
import { idsOf, selectAll } from '../pages.ts'
import type { ProviderAnswer } from '../provider.ts'
import { findContent, findVersion } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { OwnResource } from '../resources.ts'
import { examineAccess } from './access.ts'
import { examineQueries } from './requests.ts'
import { findChanged, findCurrentFaults } from './update.ts'

/** Specification 4.11. */
export const deleteResource: Examine<'deleteResource'> = async (results, context) => {
  const operation = 'deleteResource'
  const { provider, resources } = context
  // One of its own: what lets everyone delete must not be blamed for anything else.
  const guarded = { path: { id: (await resources.create()).id } }
  await examineAccess(results, operation, guarded, context)

  const resource = await resources.create()
  const path = { id: resource.id }
  checkRefusal(results, 'not-found', await provider.send(operation, { path: { id: context.newId() } }), 404)
  const versions = [[['version', 'abc']], [['version', '1.5']]] as const
  await examineQueries(results, 'refused', operation, versions, context, { path })

  const { version } = resource
  let isGone = false
  for (const stale of [version + 1, version - 1]) {
    const answer = await provider.send(operation, { path, query: [['version', String(stale)]] })
    isGone ||= answer.status === 200
    if (!checkRefusal(results, 'stale-version', answer, 409)) continue
    results.add('stale-version', await findChanged(answer, resource.id, version, context))
    results.add('current-version', findCurrentFaults(answer, version))
  }

  // Without a version, as section 4.11 has it; what should have stayed may be gone by now.
  const answer = await provider.send(operation, { path })
  if (isGone && answer.status === 404) return
  if (!checkAnswer(results, operation, answer, 200)) return
  results.add('headers', [
    ...(answer.headers.has('ETag') ? [] : fault(answer, 'ETag', 'a value', 'nothing')),
    ...compare(answer, 'Location', null, answer.headers.get('Location')),
  ])
  results.add('etag', compare(answer, 'ETag', `"${String(findVersion(answer))}"`, answer.headers.get('ETag')))
  results.add('resource', [
    ...compare(answer, 'objectTypeProperty', resource.content, findContent(answer)),
    ...compare(answer, 'version', version, findVersion(answer)),
  ])
  results.add('gone', await findRemains(answer, resource, context))
  await examineKey(resource)
  await examineActualVersion()

  async function examineKey({ key, id }: OwnResource): Promise<void> {
    const draft = resources.redraft({ key })
    const again = await provider.send('createResource', { json: draft, label: 'the key of what was deleted' })
    results.add('key-freed', [
      ...findStatusFaults(again, 201),
      ...compare(again, 'version', 1, findVersion(again)),
      ...((await resources.findIdOfKey(key)) === id ? fault(again, 'Location', 'another id', id) : []),
    ])
  }

  async function examineActualVersion(): Promise<void> {
    const { id, version } = await resources.create()
    const query = [['version', String(version)]] as const
    const json = { version: version + 1 }
    const answer = await provider.send(operation, { path: { id }, query, json, label: 'with a body' })
    results.add('actual-version', findStatusFaults(answer, 200))
  }
}

/** What is still found of a resource that was deleted. */
async function findRemains(
  answer: ProviderAnswer,
  resource: OwnResource,
  { provider, resources }: VerifyContext,
): Promise<readonly Fault[]> {
  const { id, key, version } = resource
  const found = await resources.find(id)
  const named = await resources.findIdOfKey(key)
  const page = await provider.send('sortedQuery', { query: selectAll([resource]) })
  const actions = [{ action: 'doSomeThing' }]
  const updated = await provider.send('updateResource', { path: { id }, json: { version, actions } })
  return [
    ...(found.kind === 'found' ? fault(answer, 'body', 'a resource that is gone', 'GET still finds it') : []),
    ...(named === undefined ? [] : fault(answer, 'body', 'a resource that is gone', 'GET still finds it by its key')),
    ...(idsOf(page).includes(id) ? fault(answer, 'body', 'a resource that is gone', 'a query still finds it') : []),
    ...findStatusFaults(updated, 404),
    ...findStatusFaults(await provider.send('deleteResource', { path: { id } }), 404),
  ]
}
