import { checkResource, checkTolerated, compareRefusal } from '../answers.ts'
import {
  compare,
  compareContent,
  compareStatus,
  compareVersion,
  finding,
  findIfStatus,
  findUnless,
  memberOf,
  show,
} from '../finding.ts'
import { pause } from '../resources.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import {
  bearer,
  expectStatus,
  findAccepted,
  jsonBody,
  JSON_TYPE,
  methods,
  missing,
  ordered,
  scoped,
  written,
} from './common.ts'
import { dated, readEntry } from './dates.ts'
import type { Examination, Findings, OperationExamination } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Finding } from '../report.ts'

/** Actions that set `someProperty` to each value in turn (section 2). */
const change = (...values: readonly string[]): readonly object[] =>
  values.map((someProperty) => ({ action: 'changeSomeProperty', someProperty }))

const NO_EFFECT = { action: 'doSomeThing' } as const
const NO_SUCH = { action: 'noSuchAction' } as const
const INCOMPLETE = { action: 'changeSomeProperty' } as const
const repeat = (many: number) => Array.from({ length: many }, () => NO_EFFECT)

/** What is no longer as it was; nothing if GET does not show the resource. */
export async function findChanged(
  answer: ProviderAnswer,
  id: string,
  version: number,
  { resources }: Examination,
): Promise<Findings> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return finding(answer, 'body', 'the resource as it was', 'it is gone')
  if (found.kind === 'unclear') return []
  return findUnless(found.version === version, answer, 'version as GET has it', show(version), show(found.version))
}

/** A 409 names the actual version (decisions, "Errors"). */
export const compareCurrent = (answer: ProviderAnswer, version: number): Findings => {
  const first = memberOf(memberOf(answer.body, 'errors'), '0')
  return compare(answer, ['errors', 0, 'currentVersion'], version, memberOf(first, 'currentVersion'))
}

/** Makes a resource, and updates it. */
async function prepare(exam: OperationExamination) {
  const { id, version, content } = await exam.resources.create()
  const path = { id }
  let latest = version

  /** What an update of the actual version sends. */
  async function toJson(actions: unknown) {
    const found = await exam.resources.find(id)
    latest = found.kind === 'found' ? found.version : latest
    return { version: latest, actions }
  }

  /** Sends actions with the actual version. */
  async function update(actions: readonly object[]) {
    const json = await toJson(actions)
    return { answer: await exam.send({ path, json }), version: json.version }
  }

  /** Sends what must be refused, and finds what it changed all the same. */
  async function refuse(json: object, label: string, status?: number, code?: string): Promise<Findings> {
    const { version: actual } = await toJson([])
    const before = await readEntry(exam, id)
    const answer = await exam.send({ path, json, label })
    const findings = compareRefusal(exam, answer, status, code)
    if (findings.length > 0) return findings
    const after = await readEntry(exam, id)
    const property = [before, after].map((read) => read?.entry['someProperty'])
    return [
      ...(await findChanged(answer, id, actual, exam)),
      ...(after === undefined
        ? []
        : compare(after.page, 'someProperty as its result has it', property[0], property[1])),
    ]
  }

  const first = await update(change('first', 'second'))
  checkResource(exam, first.answer, 200, id)
  const valid = async () => ({ path, json: await toJson([NO_EFFECT]) })
  return { path, content, toJson, update, refuse, first, valid, accepted: [200] }
}

type UpdateExamination = OperationExamination & Awaited<ReturnType<typeof prepare>>

/** Sends actions with the actual version, and compares the version that they lead to. */
const raises =
  (by: number, ...actions: readonly object[]) =>
  async ({ update }: UpdateExamination): Promise<Findings> => {
    const { answer, version } = await update(actions)
    return findIfStatus(answer, 200, () => compareVersion(answer, version + by))
  }

/** Updates of versions too low and too high. */
async function sendStale({ path, toJson, send }: UpdateExamination, actions: readonly object[]) {
  const { version } = await toJson([])
  const answers: ProviderAnswer[] = []
  for (const stale of [version - 1, version + 1]) {
    answers.push(await send({ path, json: { version: stale, actions }, label: `version ${stale} for ${version}` }))
  }
  return { version, answers }
}

/** Sends a stale version with actions of all kinds. */
const refusesStale =
  (status: number, ...all: readonly unknown[]) =>
  async (exam: UpdateExamination) => {
    const { version } = await exam.toJson([])
    const sendings = all.map((actions) => ({
      path: exam.path,
      json: { version: version - 1, actions },
      label: `a stale version and actions ${show(actions)}`,
    }))
    return findAccepted(exam, sendings, status)
  }

/** Specification 4.10. */
export const updateResource = defineSubject(prepare)({
  ...written,
  ...ordered,
  ...bearer,
  ...scoped('D30'),
  'unknown-member': check(
    'ignores undocumented members, also in an action; a strict service refuses them: 400',
    'D4',
    async (exam) => {
      const { path, toJson, send } = exam
      const json = { ...(await toJson([NO_EFFECT])), verifyUnknown: 'a' }
      const outside = await send({ path, json, label: 'the member verifyUnknown' })
      const actions = [{ ...NO_EFFECT, verifyUnknown: 'a' }]
      const inside = await send({ path, json: await toJson(actions), label: 'the member verifyUnknown of an action' })
      return [outside, inside].flatMap((answer) => checkTolerated(exam, answer, () => compareStatus(answer, 200)))
    },
  ),
  'version-grows': check('raises the version by exactly 1', 'spec 9, D7', ({ first: { answer, version } }) =>
    compareVersion(expectStatus(answer, 200), version + 1),
  ),
  'same-content': check('raises the version by 1 for a value that is already there, too', 'D7', async (exam) => [
    ...(await raises(1, ...change('retried'))(exam)),
    ...(await raises(1, ...change('retried'))(exam)),
  ]),
  dates: dated(
    ({ path }) => path.id,
    async ({ update }) => (await update(change('dated'))).answer,
  ),
  'whole-version': check('takes version 1.0 for 1', 'D9', async ({ path, toJson, send }) => {
    const { version } = await toJson([])
    const body = `{"version":${version}.0,"actions":[]}`
    return compareStatus(await send({ path, headers: JSON_TYPE, body, label: `version ${version}.0` }), 200)
  }),
  'stale-version': check(
    'refuses a version too low and one too high with 409, and changes nothing',
    'spec 7',
    async ({ toJson, refuse }) => {
      const { version } = await toJson([])
      const findings: Finding[] = []
      for (const stale of [version - 1, version + 1]) {
        const json = { version: stale, actions: change('stale') }
        findings.push(...(await refuse(json, `version ${stale} for ${version}`, 409)))
      }
      return findings
    },
  ),
  'current-version': check('names the actual version in its 409, as currentVersion', 'spec 7, D33', async (exam) => {
    const { version, answers } = await sendStale(exam, [])
    return answers.flatMap((answer) => compareCurrent(expectStatus(answer, 409), version))
  }),
  retry: check('takes the same actions with the actual version', 'spec 9', async (exam) => {
    await sendStale(exam, change('retried'))
    return raises(1, ...change('retried'))(exam)
  }),
  'action-order': check('applies its actions in their order', 'spec 2, D18', async (exam) => {
    expectStatus((await exam.update(change('earlier', 'later'))).answer, 200)
    const read = await readEntry(exam, exam.path.id)
    if (read === undefined) throw new Stop('no query returns someProperty')
    return compare(read.page, 'someProperty of its result', 'later', read.entry['someProperty'])
  }),
  'keeps-content': check('leaves the arrays as they are', 'spec 2, D18', ({ first, content }) =>
    compareContent(expectStatus(first.answer, 200), content),
  ),
  'does-something': check('counts doSomeThing as an action, and changes nothing else by it', 'D18', async (exam) => {
    const { answer, version } = await exam.update([NO_EFFECT])
    return findIfStatus(answer, 200, () => [
      ...compareVersion(answer, version + 1),
      ...compareContent(answer, exam.content),
    ])
  }),
  'no-actions': check('changes nothing without an action, lastModifiedAt included', 'D7', async (exam) => {
    const before = await readEntry(exam, exam.path.id)
    await pause()
    const findings = await raises(0)(exam)
    const after = await readEntry(exam, exam.path.id)
    if (before === undefined || after === undefined) return findings
    return [...findings, ...compare(after.page, ['its result'], before.entry, after.entry)]
  }),
  'stale-without-actions': check('compares the version without an action too: 409', 'spec 9', refusesStale(409, [])),
  'unknown-action': check(
    'refuses an unknown action after a good one with 400, and applies neither',
    'D18',
    async ({ toJson, refuse }) =>
      refuse(await toJson([...change('half done'), NO_SUCH]), 'then an unknown action', 400, 'InvalidInput'),
  ),
  'incomplete-action': check(
    'refuses changeSomeProperty without someProperty after a good action with 400, and applies neither',
    'D18',
    async ({ toJson, refuse }) =>
      refuse(await toJson([...change('half done'), INCOMPLETE]), 'then an incomplete action', 400),
  ),
  'many-actions': check('takes 500 actions as one version, and refuses 501: 400', 'D18', async (exam) => [
    ...(await raises(1, ...repeat(500))(exam)),
    ...(await exam.refuse(await exam.toJson(repeat(501)), '501 actions')),
  ]),
  'shape-first': check(
    'answers 400 to a body of the wrong shape, though its version is stale',
    'D18',
    refusesStale(400, 'none', [{}], [{ ...INCOMPLETE, someProperty: 5 }]),
  ),
  'version-second': check(
    'answers 409 to a stale version, though an action is unknown or incomplete',
    'D18',
    refusesStale(409, [NO_SUCH], [INCOMPLETE]),
  ),
  'body-refused': check(
    'refuses a missing version or actions, a version that is a text, true or null, and actions that are null, or not objects with a text `action`: 400',
    'spec 2, D18',
    async (exam) => {
      const { version } = await exam.toJson([])
      const versions = [undefined, 'one', String(version), version + 0.5, null, true]
      const action = { action: 'changeSomeProperty' }
      const lists = [
        undefined,
        null,
        {},
        [null],
        ['doSomeThing'],
        [{ someProperty: 'a' }],
        [{ action: 5 }],
        ...[5, null].map((someProperty) => [{ ...action, someProperty }]),
      ]
      const bodies = [
        ...versions.map((wrong) => ({ version: wrong, actions: [] })),
        ...lists.map((actions) => ({ version, actions })),
      ]
      return findAccepted(
        exam,
        bodies.map((json) => ({ path: exam.path, json, label: show(json) })),
      )
    },
  ),
  'not-found': missing('D33', 'an unknown id', async ({ newId, toJson }) => [
    { path: { id: newId() }, json: await toJson(change('unseen')) },
  ]),
  method: methods(['PUT', 'PATCH'], ({ valid }) => valid(), ' of an id'),
  ...jsonBody(true),
})
