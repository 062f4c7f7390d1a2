import { findStatusFaults, holdAnswer, holdHeaders, holdRefusal } from '../answers.ts'
import { compare, fault, show } from '../fault.ts'
import { readPage, selectAll } from '../pages.ts'
import type { Answer } from '../provider.ts'
import type { Fault } from '../report.ts'
import { findVersion } from '../resources.ts'
import type { Examine, World } from '../world.ts'
import { examineBearer, examineScope } from './bearer.ts'

/** Actions that set `someProperty` to each value in turn (section 2). */
const change = (...values: readonly string[]): readonly object[] =>
  values.map((someProperty) => ({ action: 'changeSomeProperty', someProperty }))

/** Faults where the resource is no longer as it was; none where GET does not tell. */
export async function findChanged(
  answer: Answer,
  id: string,
  version: number,
  { resources }: World,
): Promise<readonly Fault[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return fault(answer, 'body', 'the resource as it was', 'it is gone')
  if (found.kind === 'unclear' || found.version === version) return []
  return fault(answer, 'version as GET has it', show(version), show(found.version))
}

/** The 409 that names the actual version (decisions, "Errors"). */
export const findCurrentFaults = (answer: Answer, version: number): readonly Fault[] =>
  compare(answer, ['errors', 0, 'currentVersion'], version, readCurrent(answer.body))

function readCurrent(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return undefined
  const errors: readonly unknown[] = body.errors
  const [error] = errors
  return typeof error === 'object' && error !== null && 'currentVersion' in error ? error.currentVersion : undefined
}

/** Specification 4.10. */
export const updateResource: Examine<'updateResource'> = async (bench, world) => {
  const operation = 'updateResource'
  const { provider, resources } = world
  const resource = await resources.create()
  const path = { id: resource.id }
  const update = (version: number, actions: readonly object[]) =>
    provider.send(operation, { path, json: { version, actions } })
  /** The version that the provider has now; what it should be where GET does not tell. */
  const actual = async (expected: number) => {
    const found = await resources.find(resource.id)
    return found.kind === 'found' ? found.version : expected
  }

  const first = await update(resource.version, change('first', 'second'))
  if (holdAnswer(bench, operation, first, 200)) {
    holdHeaders(bench, operation, first)
    bench.hold('version-grows', compare(first, 'version', resource.version + 1, findVersion(first)))
    await examineOrder()
  }

  const before = await actual(resource.version + 1)
  const stale = await update(before - 1, change('stale'))
  const isRefused = holdRefusal(bench, 'stale-version', stale, 409)
  bench.hold('stale-version', isRefused ? await findChanged(stale, resource.id, before, world) : [])
  if (isRefused) bench.hold('current-version', findCurrentFaults(stale, before))

  const now = await actual(before)
  const retried = await update(now, change('retried'))
  bench.hold('retry', findStatusFaults(retried, 200))
  if (retried.status === 200) bench.hold('version-grows', compare(retried, 'version', now + 1, findVersion(retried)))

  const still = await actual(now + 1)
  const empty = await update(still, [])
  bench.hold('no-actions', [
    ...findStatusFaults(empty, 200),
    ...(empty.status === 200 ? compare(empty, 'version', still, findVersion(empty)) : []),
  ])

  const latest = await actual(still)
  const unknown = await update(latest, [...change('half done'), { action: 'noSuchAction' }])
  if (holdRefusal(bench, 'unknown-action', unknown, 400)) {
    bench.hold('unknown-action', await findChanged(unknown, resource.id, latest, world))
  }
  for (const json of [{ actions: [] }, { version: 'one', actions: [] }, { version: latest }]) {
    holdRefusal(bench, 'body-refused', await provider.send(operation, { path, json }), 400)
  }
  const json = { version: latest, actions: change('unseen') }
  holdRefusal(bench, 'not-found', await provider.send(operation, { path: { id: world.newId() }, json }), 404)
  await examineBearer(bench, operation, { path, json }, world)
  await examineScope(bench, operation, { path, json }, world)

  /** Results tell `someProperty` (D5), which only the last action decides. */
  async function examineOrder(): Promise<void> {
    const answer = await provider.send('sortedQuery', { query: selectAll([resource]) })
    const result = readPage(answer).results.find(({ id }) => id === resource.id)
    if (answer.status !== 200 || result === undefined) return bench.skip('order', 'no query tells someProperty')
    bench.hold('order', compare(answer, 'someProperty of its result', 'second', result['someProperty']))
  }
}
