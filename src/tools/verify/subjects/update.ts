import { recordResource, checkTolerated, compareRefusal, expectStatus } from '../answers.ts'
import {
  compare,
  compareAnswer,
  compareParts,
  compareStatus,
  findInTurn,
  findUnless,
  finding,
  toFindings,
} from '../finding.ts'
import { checkConflict, show } from '../../../service/contract/check-response.ts'
import { pause } from '../resources.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import { bearer, findAccepted, jsonBody, JSON_TYPE, methods, missing, ordered, scoped, written } from './common.ts'
import { dated, readEntry } from './dates.ts'
import type { SubjectContext, Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'

/** Actions that set `someProperty` to each value in turn (section 2). */
const change = (...values: readonly string[]): readonly object[] =>
  values.map((someProperty) => ({ action: 'changeSomeProperty', someProperty }))

const NO_EFFECT = { action: 'doSomeThing' } as const
const NO_SUCH = { action: 'noSuchAction' } as const
const INCOMPLETE = { action: 'changeSomeProperty' } as const
const repeat = (many: number) => Array.from({ length: many }, () => NO_EFFECT)

/** Finds changes to a resource; no findings if GET does not return it. */
export async function findChanged(
  answer: ProviderAnswer,
  id: string,
  version: number,
  { resources }: SubjectContext,
): Promise<Findings> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return finding(answer, 'body', 'the unchanged resource', 'it is gone')
  if (found.kind === 'unclear') return []
  return findUnless(found.version === version, answer, 'version returned by GET', show(version), show(found.version))
}

/** Checks that a 409 names the current version (decisions, "Errors"). */
export const compareCurrent = (answer: ProviderAnswer, current: number): Findings =>
  toFindings(answer, checkConflict(answer.body, { current }))

/** Creates a resource and updates it. */
async function prepare(context: OperationContext) {
  const { id, version, content } = await context.resources.create()
  const path = { id }
  let latest = version

  /** Builds an update with the current version. */
  async function toJson(actions: unknown) {
    const found = await context.resources.find(id)
    latest = found.kind === 'found' ? found.version : latest
    return { version: latest, actions }
  }

  /** Sends actions with the current version. */
  async function update(actions: readonly object[]) {
    const json = await toJson(actions)
    return { answer: await context.send({ path, json }), version: json.version }
  }

  /** Sends an update that must be rejected, and checks that nothing changed. */
  async function refuse(json: object, label: string, status?: number, code?: string): Promise<Findings> {
    const { version: actual } = await toJson([])
    const before = await readEntry(context, id)
    const answer = await context.send({ path, json, label })
    const findings = compareRefusal(context, answer, status, code)
    if (findings.length > 0) return findings
    const after = await readEntry(context, id)
    const property = [before, after].map((read) => read?.entry['someProperty'])
    return [
      ...(await findChanged(answer, id, actual, context)),
      ...(after === undefined ? [] : compare(after.page, 'someProperty in its query result', property[0], property[1])),
    ]
  }

  const first = await update(change('first', 'second'))
  recordResource(context, first.answer, 200, id)
  const valid = async () => ({ path, json: await toJson([NO_EFFECT]) })
  return { path, content, toJson, update, refuse, first, valid, accepted: [200] }
}

type UpdateContext = OperationContext & Awaited<ReturnType<typeof prepare>>

/** Sends actions with the current version, and compares the resulting version. */
const raises =
  (by: number, ...actions: readonly object[]) =>
  async ({ update }: UpdateContext): Promise<Findings> => {
    const { answer, version } = await update(actions)
    return compareAnswer(answer, 200, { version: version + by })
  }

/** Sends updates with a version that is too low, and one that is too high. */
async function sendStale({ path, toJson, send }: UpdateContext, actions: readonly object[]) {
  const { version } = await toJson([])
  const answers: ProviderAnswer[] = []
  for (const stale of [version - 1, version + 1]) {
    answers.push(await send({ path, json: { version: stale, actions }, label: `version ${stale} for ${version}` }))
  }
  return { version, answers }
}

/** Creates a check that sends different actions with a stale version. */
const refusesStale =
  (status: number, ...all: readonly unknown[]) =>
  async (context: UpdateContext) => {
    const { version } = await context.toJson([])
    const sendings = all.map((actions) => ({
      path: context.path,
      json: { version: version - 1, actions },
      label: `a stale version and actions ${show(actions)}`,
    }))
    return findAccepted(context, sendings, status)
  }

/** Specification 4.10. */
export const updateResource = defineSubject(prepare)({
  ...written,
  ...ordered,
  ...bearer,
  ...scoped('D30'),
  'unknown-member': check(
    'ignores undocumented members, also in an action; a strict service rejects them with 400',
    'D4',
    async (context) => {
      const { path, toJson, send } = context
      const json = { ...(await toJson([NO_EFFECT])), verifyUnknown: 'a' }
      const outside = await send({ path, json, label: 'the member verifyUnknown' })
      const actions = [{ ...NO_EFFECT, verifyUnknown: 'a' }]
      const inside = await send({ path, json: await toJson(actions), label: 'the member verifyUnknown of an action' })
      return [outside, inside].flatMap((answer) => checkTolerated(context, answer, () => compareStatus(answer, 200)))
    },
  ),
  'version-grows': check('increments the version by exactly 1', 'spec 9, D7', ({ first: { answer, version } }) =>
    compareParts(expectStatus(answer, 200), { version: version + 1 }),
  ),
  'same-content': check('increments the version by 1 even if the value does not change', 'D7', async (context) => [
    ...(await raises(1, ...change('retried'))(context)),
    ...(await raises(1, ...change('retried'))(context)),
  ]),
  dates: dated(
    ({ path }) => path.id,
    async ({ update }) => (await update(change('dated'))).answer,
  ),
  'whole-version': check('accepts version 1.0 as 1', 'D9', async ({ path, toJson, send }) => {
    const { version } = await toJson([])
    const body = `{"version":${version}.0,"actions":[]}`
    return compareStatus(await send({ path, headers: JSON_TYPE, body, label: `version ${version}.0` }), 200)
  }),
  'stale-version': check(
    'returns 409 for a version that is too low or too high, and changes nothing',
    'spec 7',
    async ({ toJson, refuse }) => {
      const { version } = await toJson([])
      return findInTurn([version - 1, version + 1], (stale) =>
        refuse({ version: stale, actions: change('stale') }, `version ${stale} for ${version}`, 409),
      )
    },
  ),
  'current-version': check(
    'returns the current version in its 409, as currentVersion',
    'spec 7, D33',
    async (context) => {
      const { version, answers } = await sendStale(context, [])
      return answers.flatMap((answer) => compareCurrent(expectStatus(answer, 409), version))
    },
  ),
  retry: check('accepts the same actions with the current version', 'spec 9', async (context) => {
    await sendStale(context, change('retried'))
    return raises(1, ...change('retried'))(context)
  }),
  'action-order': check('applies actions in order', 'spec 2, D18', async (context) => {
    expectStatus((await context.update(change('earlier', 'later'))).answer, 200)
    const read = await readEntry(context, context.path.id)
    if (read === undefined) throw new Stop('no query returns someProperty')
    return compare(read.page, 'someProperty in its query result', 'later', read.entry['someProperty'])
  }),
  'keeps-content': check('leaves the arrays unchanged', 'spec 2, D18', ({ first, content }) =>
    compareParts(expectStatus(first.answer, 200), { content }),
  ),
  'does-something': check(
    'increments the version for doSomeThing, and changes nothing else',
    'D18',
    async (context) => {
      const { answer, version } = await context.update([NO_EFFECT])
      return compareAnswer(answer, 200, { version: version + 1, content: context.content })
    },
  ),
  'no-actions': check('changes nothing without actions, not even lastModifiedAt', 'D7', async (context) => {
    const before = await readEntry(context, context.path.id)
    await pause()
    const findings = await raises(0)(context)
    const after = await readEntry(context, context.path.id)
    if (before === undefined || after === undefined) return findings
    return [...findings, ...compare(after.page, ['its result'], before.entry, after.entry)]
  }),
  'stale-without-actions': check(
    'checks the version even without actions, and returns 409',
    'spec 9',
    refusesStale(409, []),
  ),
  'unknown-action': check(
    'returns 400 for an unknown action after a valid one, and applies neither',
    'D18',
    async ({ toJson, refuse }) =>
      refuse(await toJson([...change('half done'), NO_SUCH]), 'then an unknown action', 400, 'InvalidInput'),
  ),
  'incomplete-action': check(
    'returns 400 for changeSomeProperty without someProperty after a valid action, and applies neither',
    'D18',
    async ({ toJson, refuse }) =>
      refuse(await toJson([...change('half done'), INCOMPLETE]), 'then an incomplete action', 400),
  ),
  'many-actions': check('applies 500 actions as one version, and returns 400 for 501', 'D18', async (context) => [
    ...(await raises(1, ...repeat(500))(context)),
    ...(await context.refuse(await context.toJson(repeat(501)), '501 actions')),
  ]),
  'shape-first': check(
    'returns 400 for a body of the wrong shape, even with a stale version',
    'D18',
    refusesStale(400, 'none', [{}], [{ ...INCOMPLETE, someProperty: 5 }]),
  ),
  'version-second': check(
    'returns 409 for a stale version, even with an unknown or incomplete action',
    'D18',
    refusesStale(409, [NO_SUCH], [INCOMPLETE]),
  ),
  'body-refused': check(
    'returns 400 for a missing version or actions, a version that is a string, true or null, and actions that are null, or not objects with a string `action`',
    'spec 2, D18',
    async (context) => {
      const { version } = await context.toJson([])
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
        context,
        bodies.map((json) => ({ path: context.path, json, label: show(json) })),
      )
    },
  ),
  'not-found': missing('D33', 'an unknown id', async ({ newId, toJson }) => [
    { path: { id: newId() }, json: await toJson(change('unseen')) },
  ]),
  method: methods(['PUT', 'PATCH'], ({ valid }) => valid(), ' of an id'),
  ...jsonBody(true),
})
