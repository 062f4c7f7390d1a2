import { checkRefusal, checkResource, checkTolerated } from '../answers.ts'
import type { Examination, OperationExamination } from '../examination.ts'
import {
  compare,
  compareContent,
  compareVersion,
  finding,
  findUnless,
  findIfStatus,
  compareStatus,
  show,
  memberOf,
} from '../finding.ts'
import { pause } from '../resources.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import type { Finding } from '../report.ts'
import { examineAccess, examineJsonBody, examineMethods, examineRefusals } from './requests.ts'
import { examineDates, readEntry } from './dates.ts'

/** Actions that set `someProperty` to each value in turn (section 2). */
const change = (...values: readonly string[]): readonly object[] =>
  values.map((someProperty) => ({ action: 'changeSomeProperty', someProperty }))

const NO_EFFECT = { action: 'doSomeThing' } as const

/** Faults where the resource is no longer as it was; none where GET does not tell. */
export async function findChanged(
  answer: ProviderAnswer,
  id: string,
  version: number,
  { resources }: Examination,
): Promise<readonly Finding[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return finding(answer, 'body', 'the resource as it was', 'it is gone')
  if (found.kind === 'unclear') return []
  return findUnless(found.version === version, answer, 'version as GET has it', show(version), show(found.version))
}

/** The 409 that names the actual version (decisions, "Errors"). */
export const findCurrentFindings = (answer: ProviderAnswer, version: number): readonly Finding[] => {
  const first = memberOf(memberOf(answer.body, 'errors'), '0')
  return compare(answer, ['errors', 0, 'currentVersion'], version, memberOf(first, 'currentVersion'))
}

/** The resource that updates are sent to, and what it is like now. */
async function createTarget(exam: OperationExamination) {
  const { resources } = exam
  const { id, version, content } = await resources.create()
  const path = { id }
  let latest = version

  /** What an update of the actual version sends. */
  async function toJson(actions: unknown) {
    const found = await resources.find(id)
    latest = found.kind === 'found' ? found.version : latest
    return { version: latest, actions }
  }

  /** `someProperty`, which results tell (D5); undefined where none does. */
  async function readProperty(): Promise<{ readonly page: ProviderAnswer; readonly value: unknown } | undefined> {
    const read = await readEntry(exam, id)
    return read === undefined ? undefined : { page: read.page, value: read.entry['someProperty'] }
  }

  return {
    path,
    content,
    toJson,
    readProperty,
    /** Sends actions with the actual version. */
    async update(actions: readonly object[]) {
      const json = await toJson(actions)
      return { answer: await exam.send({ path, json }), version: json.version }
    },
    /** Faults where a refused request left a trace all the same. */
    async findTraces(answer: ProviderAnswer, version: number, property: string): Promise<readonly Finding[]> {
      const read = await readProperty()
      return [
        ...(await findChanged(answer, id, version, exam)),
        ...(read === undefined ? [] : compare(answer, 'someProperty as its result has it', property, read.value)),
      ]
    },
  }
}
type UpdateTarget = Awaited<ReturnType<typeof createTarget>>

/** Specification 4.10. */
export async function updateResource(exam: OperationExamination): Promise<void> {
  const target = await createTarget(exam)
  const { path } = target

  const { answer: first, version } = await target.update(change('first', 'second'))
  if (checkResource(exam, first, 200, path.id)) {
    exam.add('version-grows', compareVersion(first, version + 1))
    exam.add('keeps-content', compareContent(first, target.content))
    const read = await target.readProperty()
    if (read === undefined) exam.skip('action-order', 'no query tells someProperty')
    else exam.add('action-order', compare(read.page, 'someProperty of its result', 'second', read.value))
  }
  await examineVersions(exam, target)
  await examineActions(exam, target)
  await examineBodies(exam, target)
  await examineDates(exam, path.id, async () => {
    const { answer, version } = await target.update(change('retried'))
    exam.add(
      'same-content',
      findIfStatus(answer, 200, () => compareVersion(answer, version + 1)),
    )
    return answer.status === 200
  })

  const json = await target.toJson(change('unseen'))
  await examineRefusals(exam, 'not-found', [{ path: { id: exam.newId() }, json }], 404)
  const unknown = { ...json, verifyUnknown: 'a' }
  const taken = await exam.send({ path, json: unknown, label: 'the member verifyUnknown' })
  checkTolerated(exam, 'unknown-member', taken, (answer) => compareStatus(answer, 200))
  const inside = await target.toJson([{ ...NO_EFFECT, verifyUnknown: 'a' }])
  const takenInside = await exam.send({ path, json: inside, label: 'the member verifyUnknown of an action' })
  checkTolerated(exam, 'unknown-member', takenInside, (answer) => compareStatus(answer, 200))

  const { version: now } = await target.toJson([])
  const body = `{"version":${now}.0,"actions":[]}`
  const headers = { 'Content-Type': 'application/json' }
  exam.add('whole-version', compareStatus(await exam.send({ path, headers, body, label: `version ${now}.0` }), 200))
  const toGood = async () => ({ path, json: await target.toJson([NO_EFFECT]) })
  await examineJsonBody(exam, toGood, [200], true)
  await examineMethods(exam, ['PUT', 'PATCH'], await toGood())
  await examineAccess(exam, await toGood())
}

/** Section 9: the version that is stated has to be the actual one. */
async function examineVersions(exam: OperationExamination, target: UpdateTarget): Promise<void> {
  const send = (json: object, label: string) => exam.send({ path: target.path, json, label })
  const { version } = await target.toJson([])
  for (const stale of [version - 1, version + 1]) {
    const answer = await send({ version: stale, actions: change('stale') }, `version ${stale} for ${version}`)
    if (!checkRefusal(exam, 'stale-version', answer, 409)) continue
    exam.add('stale-version', await target.findTraces(answer, version, 'second'))
    exam.add('current-version', findCurrentFindings(answer, version))
  }
  const { version: now } = await target.toJson([])
  const noSuch = [{ action: 'noSuchAction' }]
  const incomplete = [{ action: 'changeSomeProperty' }]
  const mistyped = [{ action: 'changeSomeProperty', someProperty: 5 }]
  for (const [name, status, actions] of [
    ['stale-without-actions', 409, []],
    ['shape-first', 400, 'none'],
    ['shape-first', 400, [{}]],
    ['shape-first', 400, mistyped],
    ['version-second', 409, noSuch],
    ['version-second', 409, incomplete],
  ] as const) {
    const answer = await send({ version: now - 1, actions }, `a stale version and actions ${show(actions)}`)
    checkRefusal(exam, name, answer, status)
  }

  const retried = await target.update(change('retried'))
  exam.add('retry', compareStatus(retried.answer, 200))
  if (retried.answer.status === 200) exam.add('version-grows', compareVersion(retried.answer, retried.version + 1))
}

/** D18: what actions do, all of them or none. */
async function examineActions(exam: OperationExamination, target: UpdateTarget): Promise<void> {
  const some = await target.update([NO_EFFECT])
  exam.add(
    'does-something',
    findIfStatus(some.answer, 200, () => [
      ...compareVersion(some.answer, some.version + 1),
      ...compareContent(some.answer, target.content),
    ]),
  )
  const untouched = await readEntry(exam, target.path.id)
  await pause()
  const empty = await target.update([])
  exam.add(
    'no-actions',
    findIfStatus(empty.answer, 200, () => compareVersion(empty.answer, empty.version)),
  )
  const later = await readEntry(exam, target.path.id)
  if (untouched !== undefined && later !== undefined) {
    exam.add('no-actions', compare(later.page, ['its result'], untouched.entry, later.entry))
  }
  const before = await target.readProperty()
  for (const [name, action, code] of [
    ['unknown-action', { action: 'noSuchAction' }, 'InvalidInput'],
    ['incomplete-action', { action: 'changeSomeProperty' }, undefined],
  ] as const) {
    const json = await target.toJson([...change('half done'), action])
    const answer = await exam.send({ path: target.path, json, label: `then ${show(action)}` })
    if (!checkRefusal(exam, name, answer, 400, code)) continue
    exam.add(name, await target.findTraces(answer, json.version, String(before?.value)))
  }
  const many = await target.update(Array.from({ length: 500 }, () => NO_EFFECT))
  exam.add(
    'many-actions',
    findIfStatus(many.answer, 200, () => compareVersion(many.answer, many.version + 1)),
  )
  const { answer: tooMany } = await target.update(Array.from({ length: 501 }, () => NO_EFFECT))
  checkRefusal(exam, 'many-actions', { ...tooMany, request: `${tooMany.request} (501 actions)` })
}

/** Section 2: the update request. */
async function examineBodies(exam: OperationExamination, target: UpdateTarget): Promise<void> {
  const { version } = await target.toJson([])
  const bodies: readonly object[] = [
    { actions: [] },
    { version },
    { version: 'one', actions: [] },
    { version: String(version), actions: [] },
    { version: version + 0.5, actions: [] },
    { version: null, actions: [] },
    { version: true, actions: [] },
    { version, actions: null },
    { version, actions: [null] },
    { version, actions: {} },
    { version, actions: ['doSomeThing'] },
    { version, actions: [{ someProperty: 'a' }] },
    { version, actions: [{ action: 5 }] },
    { version, actions: [{ action: 'changeSomeProperty', someProperty: 5 }] },
    { version, actions: [{ action: 'changeSomeProperty', someProperty: null }] },
  ]
  const sendings = bodies.map((json): Sending => ({ path: target.path, json, label: show(json) }))
  await examineRefusals(exam, 'body-refused', sendings)
}
