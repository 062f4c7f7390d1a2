import { checkAnswer, checkHeaders, checkLocation, checkOrder, checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { compare, fault, show } from '../fault.ts'
import { readPage, selectAll } from '../pages.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import { findContent, findVersion, memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { Results } from '../results.ts'
import { examineAccess } from './access.ts'
import { examineJsonBody } from './json-body.ts'
import { examineMethods, examineRefusals } from './requests.ts'

/** Actions that set `someProperty` to each value in turn (section 2). */
const change = (...values: readonly string[]): readonly object[] =>
  values.map((someProperty) => ({ action: 'changeSomeProperty', someProperty }))

/** Faults where the resource is no longer as it was; none where GET does not tell. */
export async function findChanged(
  answer: ProviderAnswer,
  id: string,
  version: number,
  { resources }: VerifyContext,
): Promise<readonly Fault[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return fault(answer, 'body', 'the resource as it was', 'it is gone')
  if (found.kind === 'unclear' || found.version === version) return []
  return fault(answer, 'version as GET has it', show(version), show(found.version))
}

/** The 409 that names the actual version (decisions, "Errors"). */
export const findCurrentFaults = (answer: ProviderAnswer, version: number): readonly Fault[] => {
  const first = memberOf(memberOf(answer.body, 'errors'), '0')
  return compare(answer, ['errors', 0, 'currentVersion'], version, memberOf(first, 'currentVersion'))
}

/** The resource that updates are sent to, and what it is like now. */
async function createTarget(context: VerifyContext) {
  const { provider, resources } = context
  const { id, version, content } = await resources.create()
  let latest = version

  return {
    path: { id },
    content,
    /** What an update of the actual version sends. */
    async toJson(actions: unknown) {
      const found = await resources.find(id)
      latest = found.kind === 'found' ? found.version : latest
      return { version: latest, actions }
    },
    /** Sends actions with the actual version. */
    async update(actions: readonly object[]): Promise<{ readonly answer: ProviderAnswer; readonly version: number }> {
      const json = await this.toJson(actions)
      return { answer: await provider.send('updateResource', { path: { id }, json }), version: json.version }
    },
    /** `someProperty`, which results tell (D5); undefined where none does. */
    async readProperty(): Promise<{ readonly answer: ProviderAnswer; readonly value: unknown } | undefined> {
      const answer = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
      const result = readPage(answer).results.find((one) => one.id === id)
      return result === undefined ? undefined : { answer, value: result['someProperty'] }
    },
    /** Faults where a refused request left a trace all the same. */
    async findTraces(answer: ProviderAnswer, version: number, property: string): Promise<readonly Fault[]> {
      const read = await this.readProperty()
      const isSame = read === undefined || read.value === property
      return [
        ...(await findChanged(answer, id, version, context)),
        ...(isSame ? [] : compare(answer, 'someProperty as its result has it', property, read.value)),
      ]
    },
  }
}
type UpdateTarget = Awaited<ReturnType<typeof createTarget>>

/** Specification 4.10. */
export const updateResource: Examine<'updateResource'> = async (results, context) => {
  const operation = 'updateResource'
  const { provider, isStrict, project } = context
  const target = await createTarget(context)
  const { path } = target

  const { answer: first, version } = await target.update(change('first', 'second'))
  if (checkAnswer(results, operation, first, 200)) {
    checkHeaders(results, operation, first)
    checkLocation(results, first, { project, id: path.id })
    checkOrder(results, first)
    results.add('version-grows', compare(first, 'version', version + 1, findVersion(first)))
    results.add('keeps-content', compare(first, 'objectTypeProperty', target.content, findContent(first)))
    const read = await target.readProperty()
    if (read === undefined) results.skip('action-order', 'no query tells someProperty')
    else results.add('action-order', compare(read.answer, 'someProperty of its result', 'second', read.value))
  }
  await examineVersions(results, target, context)
  await examineActions(results, target, context)
  await examineBodies(results, target, context)

  const json = await target.toJson(change('unseen'))
  checkRefusal(results, 'not-found', await provider.send(operation, { path: { id: context.newId() }, json }), 404)
  const unknown = { ...json, verifyUnknown: 'a' }
  const ignored = await provider.send(operation, { path, json: unknown, label: 'the member verifyUnknown' })
  if (isStrict === true) checkRefusal(results, 'unknown-member', ignored, 400)
  else results.add('unknown-member', findStatusFaults(ignored, 200))
  const toGood = async () => ({ path, json: await target.toJson([{ action: 'doSomeThing' }]) })
  await examineJsonBody(results, operation, toGood, { status: [200], isObject: true }, context)
  await examineMethods(results, operation, ['PUT', 'PATCH'], await toGood(), context)
  await examineAccess(results, operation, await toGood(), context)
}

type Outcomes = Parameters<Examine<'updateResource'>>[0]

/** Section 9: the version that is stated has to be the actual one. */
async function examineVersions(results: Outcomes, target: UpdateTarget, context: VerifyContext): Promise<void> {
  const { path } = target
  const send = (json: object, label: string) => context.provider.send('updateResource', { path, json, label })
  const { version } = await target.toJson([])
  for (const stale of [version - 1, version + 1]) {
    const answer = await send({ version: stale, actions: change('stale') }, `version ${stale} for ${version}`)
    if (!checkRefusal(results, 'stale-version', answer, 409)) continue
    results.add('stale-version', await target.findTraces(answer, version, 'second'))
    results.add('current-version', findCurrentFaults(answer, version))
  }
  const { version: now } = await target.toJson([])
  const empty = await send({ version: now - 1, actions: [] }, 'a stale version and no action')
  checkRefusal(results, 'stale-without-actions', empty, 409)

  const mistyped = { version: now - 1, actions: [{ action: 'changeSomeProperty', someProperty: 5 }] }
  const shapes = [{ version: now - 1, actions: 'none' }, { version: now - 1, actions: [{}] }, mistyped]
  for (const json of shapes) {
    const label = `a stale version and actions ${show(json.actions)}`
    checkRefusal(results, 'shape-first', await send(json, label), 400)
  }
  for (const action of [{ action: 'noSuchAction' }, { action: 'changeSomeProperty' }]) {
    const label = `a stale version and the action ${show(action)}`
    checkRefusal(results, 'version-second', await send({ version: now - 1, actions: [action] }, label), 409)
  }

  const retried = await target.update(change('retried'))
  results.add('retry', findStatusFaults(retried.answer, 200))
  if (retried.answer.status !== 200) return
  results.add('version-grows', compare(retried.answer, 'version', retried.version + 1, findVersion(retried.answer)))
}

/** D18: what actions do, all of them or none. */
async function examineActions(results: Outcomes, target: UpdateTarget, context: VerifyContext): Promise<void> {
  const { path } = target
  const some = await target.update([{ action: 'doSomeThing' }])
  results.add('does-something', [
    ...findStatusFaults(some.answer, 200),
    ...(some.answer.status === 200
      ? [
          ...compare(some.answer, 'version', some.version + 1, findVersion(some.answer)),
          ...compare(some.answer, 'objectTypeProperty', target.content, findContent(some.answer)),
        ]
      : []),
  ])
  const empty = await target.update([])
  results.add('no-actions', [
    ...findStatusFaults(empty.answer, 200),
    ...(empty.answer.status === 200 ? compare(empty.answer, 'version', empty.version, findVersion(empty.answer)) : []),
  ])
  const before = await target.readProperty()
  for (const [name, action] of [
    ['unknown-action', { action: 'noSuchAction' }],
    ['incomplete-action', { action: 'changeSomeProperty' }],
  ] as const) {
    const json = await target.toJson([...change('half done'), action])
    const answer = await context.provider.send('updateResource', { path, json, label: `then ${show(action)}` })
    const code = name === 'unknown-action' ? 'InvalidInput' : undefined
    if (!checkRefusal(results, name, answer, 400, code)) continue
    results.add(name, await target.findTraces(answer, json.version, String(before?.value)))
  }
  const many = await target.update(Array.from({ length: 500 }, () => ({ action: 'doSomeThing' })))
  results.add('many-actions', [
    ...findStatusFaults(many.answer, 200),
    ...(many.answer.status === 200 ? compare(many.answer, 'version', many.version + 1, findVersion(many.answer)) : []),
  ])
  const { answer: tooMany } = await target.update(Array.from({ length: 501 }, () => ({ action: 'doSomeThing' })))
  checkRefusal(results, 'many-actions', { ...tooMany, request: `${tooMany.request} (501 actions)` }, 400)
}

/** Section 2: the update request. */
async function examineBodies(
  results: Results<'body-refused' | 'envelope' | 'correlation-id'>,
  target: UpdateTarget,
  context: VerifyContext,
) {
  const { version } = await target.toJson([])
  const bodies: readonly object[] = [
    { actions: [] },
    { version },
    { version: 'one', actions: [] },
    { version: String(version), actions: [] },
    { version: version + 0.5, actions: [] },
    { version, actions: {} },
    { version, actions: ['doSomeThing'] },
    { version, actions: [{ someProperty: 'a' }] },
    { version, actions: [{ action: 5 }] },
    { version, actions: [{ action: 'changeSomeProperty', someProperty: 5 }] },
  ]
  const sendings = bodies.map((json): Sending => ({ path: target.path, json, label: show(json) }))
  await examineRefusals(results, 'body-refused', 'updateResource', sendings, context)
}
