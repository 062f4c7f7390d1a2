import { checkResource, checkTolerated, compareRefusal } from '../answers.ts'
import {
  compare,
  compareContent,
  compareStatus,
  compareVersion,
  finding,
  findId,
  findUnless,
  findVersion,
  memberOf,
  show,
} from '../finding.ts'
import { check, defineSubject, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import { expectStatus, findAccepted, missing, jsonBody } from './common.ts'
import { readEntry } from './dates.ts'
import { drafted, toDraftContext } from './drafts.ts'
import type { Examination, Findings, OperationExamination } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { SampleDraft } from '../resources.ts'

/** What an answer does not return of a draft and a version. */
const compareDraft = (answer: ProviderAnswer, { objectTypeProperty }: SampleDraft, version: number): Findings => [
  ...compareContent(answer, objectTypeProperty),
  ...compareVersion(answer, version),
]

/**
 * Whether the provider holds a draft and a version at an id now; nothing if its answer does not show that. Two numbers
 * distinguish the drafts of a run: that GET returns all of a content is for its own checks.
 */
async function findLost(
  answer: ProviderAnswer,
  id: string,
  { objectTypeProperty }: SampleDraft,
  version: number,
  { resources }: Examination,
): Promise<Findings> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return finding(answer, 'body', `a resource that ${id} leads to`, 'none')
  if (found.kind === 'unclear') return []
  const name = 'arrayOfTwonumbersExample'
  const held = memberOf(found.content, name)
  return [
    ...compare(answer, `objectTypeProperty.${name} as GET has it`, objectTypeProperty[name], held),
    ...findUnless(found.version === version, answer, 'version as GET has it', show(version), show(found.version)),
  ]
}

/** What is sent over a resource that has all seven arrays: some of them alone, unless the provider wants all (D2). */
const toNext = (draft: Pick<SampleDraft, 'key'>, { resources, isStrict }: OperationExamination): SampleDraft => {
  const { key, objectTypeProperty } = resources.redraft(draft)
  if (isStrict === true) return { key, objectTypeProperty }
  const { arrayOfTwonumbersExample, arrayOfStringExample } = objectTypeProperty
  return { key, objectTypeProperty: { arrayOfTwonumbersExample, arrayOfStringExample } }
}

/** Overwrites a resource, and finds what was not: another id, another content, another version. */
async function findNotOverwritten(
  exam: OperationExamination,
  { id, key, version }: { readonly id: string; readonly key: string; readonly version: number },
): Promise<Findings> {
  const next = toNext({ key }, exam)
  const answer = await exam.send({ json: next, label: 'a key that exists' })
  exam.cleanup.note(key, findId(answer) ?? id)
  if (answer.status < 300) checkResource(exam, answer, 201, id)
  return [
    ...compareStatus(answer, 201),
    ...compare(answer, 'Location', id, findId(answer) ?? id),
    ...compareDraft(answer, next, version + 1),
    ...(await findLost(answer, id, next, version + 1, exam)),
  ]
}

/** Creates a resource, which the drafts of most checks do not touch. */
async function create(exam: OperationExamination) {
  const { resources, cleanup } = exam
  const draft = resources.draft()
  const answer = await exam.send({ json: draft })
  const named = await resources.findIdOfKey(draft.key)
  const id = findId(answer) ?? named
  if (id !== undefined) cleanup.note(draft.key, id)
  checkResource(exam, answer, 201, id)
  const made = { answer, draft, key: draft.key, version: findVersion(answer) ?? 1, named }
  return {
    ...toDraftContext(resources.draft()),
    made,
    /** @throws {Stop} if there is no resource. */
    expectMade() {
      if (id === undefined) throw new Stop(UNEXPECTED)
      return { ...made, id }
    },
  }
}

/** Specification 4.6. */
export const createResource = defineSubject(create)({
  ...drafted,
  'first-version': check('starts with version 1', 'spec 9, D7', ({ made: { answer } }) =>
    compareVersion(expectStatus(answer, 201), 1),
  ),
  content: check('answers what was sent, the bounds of int64 and int32 digit for digit', 'spec 2, D3', ({ made }) =>
    compareContent(expectStatus(made.answer, 201), made.draft.objectTypeProperty),
  ),
  partial: check(
    'keeps a draft with some of the arrays as it was sent; a strict service refuses it: 400',
    'D2',
    async (exam) => {
      const json = exam.resources.draft({ arrayOfStringExample: [exam.run], arrayOfFloatExample: [] })
      const answer = await exam.send({ json, label: 'two arrays' })
      return checkTolerated(exam, answer, () => [
        ...compareStatus(answer, 201),
        ...compareContent(answer, json.objectTypeProperty),
      ])
    },
  ),
  findable: check('makes a resource that GET finds by id and by key', 'D6', async (exam) => {
    const { answer, id, draft, version, named } = exam.expectMade()
    return [
      ...(await findLost(answer, id, draft, version, exam)),
      ...compare(answer, 'id that the key leads to', id, named),
    ]
  }),
  'same-key': check(
    'updates the resource that has the key of the draft: 201, the same id, one version on, the new content alone',
    'D15',
    async (exam) => findNotOverwritten(exam, exam.expectMade()),
  ),
  'long-key': check('takes a key of 256 characters', 'D6', async ({ run, resources, cleanup, send }) => {
    const key = `${run}${'k'.repeat(256 - run.length)}`
    cleanup.note(key)
    return compareStatus(await send({ json: { ...resources.draft(), key }, label: 'a key of 256 characters' }), 201)
  }),
  'key-letters': check(
    'takes A-Z, a-z, 0-9, _ and - in keys, and distinguishes keys by their capitals',
    'D6',
    async (exam) => {
      const { resources, cleanup, run } = exam
      const capital = `${run}-Key_A-9`
      const ids: (string | undefined)[] = []
      const findings: Finding[] = []
      for (const key of [capital, capital.toLowerCase()]) {
        const { objectTypeProperty } = resources.draft()
        cleanup.note(key)
        const answer = await exam.send({ json: { key, objectTypeProperty }, label: `the key ${key}` })
        const id = await resources.findIdOfKey(key)
        ids.push(id)
        findings.push(
          ...compareStatus(answer, 201),
          ...compareVersion(answer, 1),
          ...findUnless(id !== undefined, answer, 'key', `one that leads to ${show(findId(answer))}`, 'one of nothing'),
        )
      }
      const [first, second] = ids
      if (first === undefined || first !== second) return findings
      const answer = await exam.provider.send('getResourceByKey', { path: { key: capital } })
      return [...findings, ...finding(answer, 'Content-Location', 'another id than in lower case', first)]
    },
  ),
  // A PUT or PATCH without a key may overwrite somebody else's resource (D15), so they are not sent such a key.
  'odd-key': check('refuses null, a number and an empty text as a key: 400', 'D6', (exam) => {
    const { objectTypeProperty } = exam.resources.draft()
    const keys = [null, 5, '']
    return findAccepted(
      exam,
      keys.map((key) => ({ json: { key, objectTypeProperty }, label: `the key ${show(key)}` })),
    )
  }),
  // The second time a faulty provider may overwrite what was written last: most likely the first.
  keyless: check('makes another resource each time the draft has no key', 'D15', async ({ resources, send }) => {
    const keyless = { json: { objectTypeProperty: resources.draft().objectTypeProperty }, label: 'no key' }
    const first = await send(keyless)
    const second = await send(keyless)
    const id = findId(second)
    const isOther = id !== undefined && id !== findId(first)
    return [
      ...compareStatus(second, 201),
      ...compareVersion(second, 1),
      ...findUnless(isOther, second, 'Location', 'that of another resource', show(id)),
    ]
  }),
  ...jsonBody(true),
})

const OVERWRITES =
  'replaces the content of the resource of its key, and keeps nothing of what was there; one version on'

/** Specification 4.8. */
export const putResource = defineSubject(async (exam: OperationExamination) => {
  // First of all, keys must count: otherwise a PUT overwrites what anybody wrote last (D15).
  await exam.resources.createByKey()
  return create(exam)
})({
  ...drafted,
  creates: check('creates a resource if its key names nothing, with version 1', 'D15', async (exam) => {
    const { answer, draft, id, version } = exam.expectMade()
    return [...compareDraft(answer, draft, 1), ...(await findLost(answer, id, draft, version, exam))]
  }),
  overwrites: check(OVERWRITES, 'D15', async (exam) => findNotOverwritten(exam, exam.expectMade())),
  ...jsonBody(false),
})

/** Specification 4.7. */
export const overwriteResource = defineSubject(async ({ provider, resources }: OperationExamination) => {
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
  overwrites: check(OVERWRITES, 'D15', (exam) => findNotOverwritten(exam, exam.target)),
  'keeps-property': check('keeps someProperty, which no draft carries', 'D50', async (exam) => {
    const read = await readEntry(exam, exam.target.id)
    if (!exam.isChanged || read === undefined) throw new Stop('no update set someProperty, or no query returns it')
    return compare(read.page, 'someProperty of its result', 'kept', read.entry['someProperty'])
  }),
  'not-found': missing('D15', 'an unknown key', ({ nothing }) => [{ json: nothing }]),
  'creates-none': check('makes no resource of a key that names none', 'D15', async (exam) => {
    const { nothing, resources } = exam
    const answer = await exam.send({ json: nothing })
    compareRefusal(exam, answer, 404)
    const made = await resources.findIdOfKey(nothing.key)
    return made === undefined ? [] : finding(answer, 'body', 'no resource of that key', made)
  }),
  ...jsonBody(false),
})
