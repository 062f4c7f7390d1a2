import { recordResource, compareRefusal, expectStatus } from '../answers.ts'
import {
  compareAnswer,
  compareParts,
  compareStatus,
  findInTurn,
  finding,
  idsOf,
  isSuccess,
  selectAll,
  toStop,
} from '../finding.ts'
import { check, defineSubject } from '../subject.ts'
import { answered, bearer, located, missing, scoped } from './common.ts'
import { queried } from './parameters.ts'
import { compareCurrent, findChanged } from './update.ts'
import type { Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { OwnResource } from '../resources.ts'

/** Finds the requests that still return a deleted resource. */
async function findRemains(
  context: OperationContext,
  answer: ProviderAnswer,
  resource: OwnResource,
): Promise<Findings> {
  const { provider, resources, send } = context
  const { id, key, version } = resource
  const remains = (way: string) => finding(answer, 'body', 'no deleted resource', way)
  const found = await resources.find(id)
  const named = await resources.findIdOfKey(key)
  const place = resource.content.arrayOfStringExample?.at(-1) ?? ''
  const pages = await Promise.all([
    provider.send('sortedQuery', { query: selectAll([resource]) }),
    provider.send('queryResources', { query: { stringParameter: place, arrayOfString: context.run, limit: '500' } }),
    provider.send('searchResources', {
      query: { 'text.en': context.run, filter: `arrayOfStringExample:"${place}"`, limit: '500' },
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

/** Deletes one resource and keeps others, so that a provider with broken authorization fails only those checks. */
async function prepare(context: OperationContext) {
  const resource = await context.resources.create()
  const answer = await context.send({ path: { id: resource.id } })
  if (recordResource(context, answer, 200))
    context.add('headers', compareParts(answer, { headers: { Location: undefined } }))
  const gone = isSuccess(answer.status) ? await findRemains(context, answer, resource) : undefined
  const open = await context.resources.create()
  /** Deletes with a version that is too low, and with one that is too high. */
  async function sendStale() {
    const { id, version } = await context.resources.create()
    const answers: ProviderAnswer[] = []
    for (const stale of [version + 1, version - 1]) {
      answers.push(await context.send({ path: { id }, query: { version: String(stale) } }))
    }
    return { id, version, answers }
  }
  return { resource, answer, gone, sendStale, valid: () => ({ path: { id: open.id } }) }
}

/** Specification 4.11. */
export const deleteResource = defineSubject(prepare)({
  ...answered,
  ...located('an ETag, and no Location'),
  ...bearer,
  ...scoped(),
  'stale-version': check(
    'returns 409 for a version that is too low or too high, and deletes nothing',
    'D19',
    async (context) => {
      const { id, version, answers } = await context.sendStale()
      return findInTurn(answers, async (answer) => [
        ...compareRefusal(context, answer, 409),
        ...(answer.status === 409 ? await findChanged(answer, id, version, context) : []),
      ])
    },
  ),
  'current-version': check(
    'returns the current version in its 409, as currentVersion',
    'spec 7, D33',
    async (context) => {
      const { version, answers } = await context.sendStale()
      return answers.flatMap((answer) => compareCurrent(expectStatus(answer, 409), version))
    },
  ),
  'actual-version': check('deletes with the current version, and ignores a body', 'D19', async (context) => {
    const { id, version } = await context.resources.create()
    const query = { version: String(version) }
    const deleted = await context.send({ path: { id }, query, json: { version: version + 1 }, label: 'with a body' })
    return compareStatus(deleted, 200)
  }),
  ...queried('deleteResource'),
  resource: check('returns the deleted resource', '', ({ answer, resource: { content, version } }) =>
    compareParts(expectStatus(answer, 200), { content, version }),
  ),
  gone: check(
    'deletes: GET by id or key, queries, HEAD, search and update no longer find the resource, and another DELETE returns 404',
    '',
    ({ gone, answer }) => {
      if (gone === undefined) throw toStop(answer, 200)
      return gone
    },
  ),
  'key-freed': check(
    'frees the key: POST creates a new resource with it, at version 1',
    'D15',
    async ({ answer, resource: { id, key }, resources, provider }) => {
      expectStatus(answer, 200)
      const json = resources.redraft({ key })
      const again = await provider.send('createResource', { json, label: 'the key of the deleted resource' })
      return [
        ...compareAnswer(again, 201, { version: 1 }),
        ...((await resources.findIdOfKey(key)) === id ? finding(again, 'Location', 'another id', id) : []),
      ]
    },
  ),
  'not-found': missing('D33', 'an unknown id', ({ newId }) => [{ path: { id: newId() } }]),
})
