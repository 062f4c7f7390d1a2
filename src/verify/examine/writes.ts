import { findStatusFaults, holdAnswer, holdHeaders, holdRefusal } from '../answers.ts'
import { compare } from '../fault.ts'
import { findContent, findId, findVersion } from '../resources.ts'
import type { Examine } from '../world.ts'
import { examineBearer, examineScope } from './bearer.ts'
import { examineDrafts, findLost, findOtherContent } from './drafts.ts'

/** Specification 4.6. */
export const createResource: Examine<'createResource'> = async (bench, world) => {
  const operation = 'createResource'
  const { provider, resources, ledger } = world
  const draft = resources.draft()
  const answer = await provider.send(operation, { json: draft })
  const id = findId(answer) ?? (await resources.findIdOfKey(draft.key))
  if (id !== undefined) ledger.note(draft.key, id)
  if (holdAnswer(bench, operation, answer, 201)) {
    holdHeaders(bench, operation, answer)
    bench.hold('first-version', compare(answer, 'version', 1, findVersion(answer)))
    bench.hold('content', compare(answer, 'objectTypeProperty', draft.objectTypeProperty, findContent(answer)))
  }
  if (id !== undefined) {
    bench.hold('findable', await findLost(answer, id, draft, findVersion(answer) ?? 1, world))
    const named = await resources.findIdOfKey(draft.key)
    bench.hold('findable', compare(answer, 'id that the key leads to', id, named))

    const next = resources.redraft(draft)
    const again = await provider.send(operation, { json: next })
    const other = findId(again) ?? id
    ledger.note(draft.key, other)
    bench.hold('same-key', [
      ...findStatusFaults(again, 200, 201),
      ...compare(again, 'Location', id, other),
      ...compare(again, 'version', (findVersion(answer) ?? 1) + 1, findVersion(again)),
    ])
  }

  await examineDrafts(bench, operation, resources.draft(), world)
  const headers = { 'Content-Type': 'text/plain' }
  holdRefusal(bench, 'media-type', await provider.send(operation, { headers, json: resources.draft() }), 415)
  await examineBearer(bench, operation, { json: resources.draft() }, world)
  await examineScope(bench, operation, { json: resources.draft() }, world)
}

/** Specification 4.8. */
export const putResource: Examine<'putResource'> = async (bench, world) => {
  const operation = 'putResource'
  const { provider, resources, ledger } = world
  // Sure first that keys count: where they do not, a PUT overwrites what was written last, whoever wrote it (D15).
  await resources.createByKey()
  const draft = resources.draft()
  const answer = await provider.send(operation, { json: draft })
  const id = findId(answer) ?? (await resources.findIdOfKey(draft.key))
  if (holdAnswer(bench, operation, answer, 201)) holdHeaders(bench, operation, answer)
  if (id !== undefined) {
    ledger.note(draft.key, id)
    bench.hold('creates', [
      ...findOtherContent(answer, draft, 1),
      ...(await findLost(answer, id, draft, findVersion(answer) ?? 1, world)),
    ])
    const next = resources.redraft(draft)
    const again = await provider.send(operation, { json: next })
    if (holdAnswer(bench, operation, again, 201)) {
      const version = (findVersion(answer) ?? 1) + 1
      bench.hold('overwrites', [
        ...compare(again, 'Location', id, findId(again) ?? id),
        ...findOtherContent(again, next, version),
        ...(await findLost(again, id, next, version, world)),
      ])
    }
  }
  await examineDrafts(bench, operation, draft, world)
  await examineBearer(bench, operation, { json: draft }, world)
  await examineScope(bench, operation, { json: draft }, world)
}

/** Specification 4.7. */
export const overwriteResource: Examine<'overwriteResource'> = async (bench, world) => {
  const operation = 'overwriteResource'
  const { provider, resources } = world
  const resource = await resources.createByKey()
  const next = resources.redraft(resource)
  const answer = await provider.send(operation, { json: next })
  if (holdAnswer(bench, operation, answer, 201)) {
    holdHeaders(bench, operation, answer)
    const version = resource.version + 1
    bench.hold('overwrites', [
      ...compare(answer, 'Location', resource.id, findId(answer) ?? resource.id),
      ...findOtherContent(answer, next, version),
      ...(await findLost(answer, resource.id, next, version, world)),
    ])
  }
  holdRefusal(bench, 'not-found', await provider.send(operation, { json: resources.draft() }), 404)
  await examineDrafts(bench, operation, next, world)
  await examineBearer(bench, operation, { json: next }, world)
  await examineScope(bench, operation, { json: next }, world)
}
