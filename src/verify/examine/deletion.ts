import { findStatusFaults, holdAnswer, holdHeaders, holdRefusal } from '../answers.ts'
import { compare, fault } from '../fault.ts'
import { findContent, findVersion } from '../resources.ts'
import type { Examine } from '../world.ts'
import { examineBearer, examineScope } from './bearer.ts'
import { findChanged, findCurrentFaults } from './update.ts'

/** Specification 4.11. */
export const deleteResource: Examine<'deleteResource'> = async (bench, world) => {
  const operation = 'deleteResource'
  const { provider, resources } = world
  // One of its own: what lets everyone delete must not be blamed for anything else.
  const guarded = { path: { id: (await resources.create()).id } }
  await examineBearer(bench, operation, guarded, world)
  await examineScope(bench, operation, guarded, world)

  const resource = await resources.create()
  const path = { id: resource.id }
  holdRefusal(bench, 'not-found', await provider.send(operation, { path: { id: world.newId() } }), 404)

  const { version } = resource
  const stale = await provider.send(operation, { path, query: [['version', String(version + 1)]] })
  if (holdRefusal(bench, 'stale-version', stale, 409)) {
    bench.hold('stale-version', await findChanged(stale, resource.id, version, world))
    bench.hold('current-version', findCurrentFaults(stale, version))
  }

  // Without a version, as section 4.11 has it; what should have stayed may be gone by now.
  const answer = await provider.send(operation, { path })
  if (stale.status === 200 && answer.status === 404) return
  if (!holdAnswer(bench, operation, answer, 200)) return
  holdHeaders(bench, operation, answer)
  bench.hold('resource', [
    ...compare(answer, 'objectTypeProperty', resource.content, findContent(answer)),
    ...compare(answer, 'version', version, findVersion(answer)),
  ])
  const found = await resources.find(resource.id)
  bench.hold(
    'gone',
    found.kind === 'found' ? fault(answer, 'body', 'a resource that is gone', 'GET still finds it') : [],
  )
  bench.hold('gone', findStatusFaults(await provider.send(operation, { path }), 404))
}
