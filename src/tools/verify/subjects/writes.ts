import { recordResource, checkTolerated, compareRefusal, expectStatus } from '../answers.ts'
import {
  compare,
  compareAnswer,
  compareParts,
  compareStatus,
  findId,
  findInTurn,
  findUnless,
  findVersion,
  finding,
  isSuccess,
  memberOf,
  toStop,
} from '../finding.ts'
import { show } from '../../../service/contract/check-response.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import { findAccepted, missing, jsonBody } from './common.ts'
import { readEntry } from './dates.ts'
import { drafted, toDraftContext } from './drafts.ts'
import type { SubjectContext, Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { SampleDraft } from '../resources.ts'

/**
 * Checks that the provider stores a draft and a version under an id; no findings if its response is unexpected. Comparing
 * two numbers is enough to distinguish the drafts of a run: other checks cover the complete content.
 */
async function findLost(
  answer: ProviderAnswer,
  id: string,
  { objectTypeProperty }: SampleDraft,
  version: number,
  { resources }: SubjectContext,
): Promise<Findings> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return finding(answer, 'body', `a resource with the id ${id}`, 'none')
  if (found.kind === 'unclear') return []
  const name = 'arrayOfTwonumbersExample'
  const held = memberOf(found.content, name)
  return [
    ...compare(answer, `objectTypeProperty.${name} returned by GET`, objectTypeProperty[name], held),
    ...findUnless(found.version === version, answer, 'version returned by GET', show(version), show(found.version)),
  ]
}

/**
 * A draft that overwrites a resource with all seven arrays: with only two of them, unless the provider requires all (D2).
 */
const toNext = (draft: Pick<SampleDraft, 'key'>, { resources, isStrict }: OperationContext): SampleDraft => {
  const { key, objectTypeProperty } = resources.redraft(draft)
  if (isStrict === true) return { key, objectTypeProperty }
  const { arrayOfTwonumbersExample, arrayOfStringExample } = objectTypeProperty
  return { key, objectTypeProperty: { arrayOfTwonumbersExample, arrayOfStringExample } }
}

/** Overwrites a resource, and checks its id, content and version. */
async function findNotOverwritten(
  context: OperationContext,
  { id, key, version }: { readonly id: string; readonly key: string; readonly version: number },
): Promise<Findings> {
  const next = toNext({ key }, context)
  const answer = await context.send({ json: next, label: 'a key that exists' })
  context.cleanup.note(key, findId(answer) ?? id)
  if (answer.status < 300) recordResource(context, answer, 201, id)
  return [
    ...compareAnswer(answer, 201, { content: next.objectTypeProperty, version: version + 1 }),
    ...compare(answer, 'Location', id, findId(answer) ?? id),
    ...(await findLost(answer, id, next, version + 1, context)),
  ]
}

/** Creates a resource. Most checks write another draft. */
async function create(context: OperationContext) {
  const { resources, cleanup } = context
  const draft = resources.draft()
  const answer = await context.send({ json: draft })
  const named = await resources.findIdOfKey(draft.key)
  const isMade = isSuccess(answer.status)
  const id = findId(answer) ?? named ?? (isMade ? await resources.findListedId(draft) : undefined)
  if (id !== undefined) cleanup.note(draft.key, id)
  recordResource(context, answer, 201, id)
  const made = { answer, draft, key: draft.key, version: findVersion(answer) ?? 1, named }
  return {
    ...toDraftContext(resources.draft()),
    made,
    /** @throws {Stop} if the resource was not created. */
    expectMade() {
      if (id === undefined) throw isMade ? toStop(answer, 201, 'an id in Location or the body') : toStop(answer, 201)
      return { ...made, id }
    },
  }
}

/** Specification 4.6. */
export const createResource = defineSubject(create)({
  ...drafted,
  'first-version': check('starts at version 1', 'spec 9, D7', ({ made: { answer } }) =>
    compareParts(expectStatus(answer, 201), { version: 1 }),
  ),
  content: check('returns the submitted content, with exact int64 and int32 limits', 'spec 2, D3', ({ made }) =>
    compareParts(expectStatus(made.answer, 201), { content: made.draft.objectTypeProperty }),
  ),
  partial: check(
    'stores a draft with only some of the arrays unchanged; a strict service rejects it with 400',
    'D2',
    async (context) => {
      const json = context.resources.draft({ arrayOfStringExample: [context.run], arrayOfFloatExample: [] })
      const answer = await context.send({ json, label: 'two arrays' })
      return checkTolerated(context, answer, () => compareAnswer(answer, 201, { content: json.objectTypeProperty }))
    },
  ),
  findable: check('creates a resource that GET finds by id and by key', 'D6', async (context) => {
    const { answer, id, draft, version, named } = context.expectMade()
    return [
      ...(await findLost(answer, id, draft, version, context)),
      ...compare(answer, 'id of the resource with this key', id, named),
    ]
  }),
  'same-key': check(
    'updates the resource with the key of the draft: 201, the same id, the next version, only the new content',
    'D15',
    async (context) => findNotOverwritten(context, context.expectMade()),
  ),
  'long-key': check('accepts a key of 256 characters', 'D6', async ({ run, resources, cleanup, send }) => {
    const key = `${run}${'k'.repeat(256 - run.length)}`
    cleanup.note(key)
    return compareStatus(await send({ json: { ...resources.draft(), key }, label: 'a key of 256 characters' }), 201)
  }),
  'key-letters': check(
    'accepts A-Z, a-z, 0-9, _ and - in keys, and treats keys as case-sensitive',
    'D6',
    async (context) => {
      const { resources, cleanup, run } = context
      const capital = `${run}-Key_A-9`
      const ids: (string | undefined)[] = []
      const findings = await findInTurn([capital, capital.toLowerCase()], async (key) => {
        const { objectTypeProperty } = resources.draft()
        cleanup.note(key)
        const answer = await context.send({ json: { key, objectTypeProperty }, label: `the key ${key}` })
        const id = await resources.findIdOfKey(key)
        ids.push(id)
        return [
          ...compareAnswer(answer, 201, { version: 1 }),
          ...findUnless(id !== undefined, answer, 'key', `the key of ${show(findId(answer))}`, 'one of nothing'),
        ]
      })
      const [first, second] = ids
      if (first === undefined || first !== second) return findings
      const answer = await context.provider.send('getResourceByKey', { path: { key: capital } })
      return [...findings, ...finding(answer, 'Content-Location', 'an id other than that of the lower-case key', first)]
    },
  ),
  // Only sent with POST: a PUT or PATCH without a key may overwrite someone else's resource (D15).
  'odd-key': check('returns 400 if the key is null, a number or an empty string', 'D6', (context) => {
    const { objectTypeProperty } = context.resources.draft()
    const keys = [null, 5, '']
    return findAccepted(
      context,
      keys.map((key) => ({ json: { key, objectTypeProperty }, label: `the key ${show(key)}` })),
    )
  }),
  // On the second request, a faulty provider may overwrite the last written resource, most likely the first one.
  keyless: check('creates another resource each time the draft has no key', 'D15', async ({ resources, send }) => {
    const keyless = { json: { objectTypeProperty: resources.draft().objectTypeProperty }, label: 'no key' }
    const first = await send(keyless)
    const second = await send(keyless)
    const id = findId(second)
    const isOther = id !== undefined && id !== findId(first)
    return [
      ...compareAnswer(second, 201, { version: 1 }),
      ...findUnless(isOther, second, 'Location', 'that of another resource', show(id)),
    ]
  }),
  ...jsonBody(true),
})

const OVERWRITES = 'replaces all content of the resource with this key, as the next version'

/** Specification 4.8. */
export const putResource = defineSubject(async (context: OperationContext) => {
  // Check first that keys work: otherwise a PUT could overwrite the last written resource of anyone (D15).
  await context.resources.createByKey()
  return create(context)
})({
  ...drafted,
  creates: check('creates a resource at version 1 if no resource has its key', 'D15', async (context) => {
    const { answer, draft, id, version } = context.expectMade()
    const expected = { content: draft.objectTypeProperty, version: 1 }
    return [...compareParts(answer, expected), ...(await findLost(answer, id, draft, version, context))]
  }),
  overwrites: check(OVERWRITES, 'D15', async (context) => findNotOverwritten(context, context.expectMade())),
  ...jsonBody(false),
})

/** Specification 4.7. */
export const overwriteResource = defineSubject(async ({ provider, resources }: OperationContext) => {
  const resource = await resources.createByKey()
  const { id, version } = resource
  const actions = [{ action: 'changeSomeProperty', someProperty: 'kept' }]
  const changed = await provider.send('updateResource', { path: { id }, json: { version, actions } })
  const isChanged = changed.status === 200
  const changedVersion = isChanged ? (findVersion(changed) ?? version + 1) : version
  const { key } = await resources.createByKey()
  return {
    ...toDraftContext(resources.redraft({ key })),
    target: { ...resource, version: changedVersion },
    isChanged,
    nothing: resources.draft(),
  }
})({
  ...drafted,
  overwrites: check(OVERWRITES, 'D15', (context) => findNotOverwritten(context, context.target)),
  'keeps-property': check('keeps someProperty, which is not part of a draft', 'D50', async (context) => {
    const read = await readEntry(context, context.target.id)
    if (!context.isChanged || read === undefined) throw new Stop('no update set someProperty, or no query returns it')
    return compare(read.page, 'someProperty in its query result', 'kept', read.entry['someProperty'])
  }),
  'not-found': missing('D15', 'an unknown key', ({ nothing }) => [{ json: nothing }]),
  'creates-none': check('creates no resource for an unknown key', 'D15', async (context) => {
    const { nothing, resources } = context
    const answer = await context.send({ json: nothing })
    compareRefusal(context, answer, 404)
    const made = await resources.findIdOfKey(nothing.key)
    return made === undefined ? [] : finding(answer, 'body', 'no resource with this key', made)
  }),
  ...jsonBody(false),
})
