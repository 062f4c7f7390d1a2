import { arrayNames } from '../../contract/models.ts'
import { checkOrder, checkTolerated } from '../answers.ts'
import type { Examination, OperationExamination } from '../examination.ts'
import {
  compare,
  compareContent,
  compareMember,
  compareVersion,
  fault,
  faultUnless,
  findFaultsIf,
  findStatusFaults,
  show,
} from '../fault.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import { findContent, findVersion, memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { SampleDraft } from '../resources.ts'
import { examineJsonBody } from './json-body.ts'
import { examineRefusals } from './requests.ts'

/** Faults of an answer that does not tell the content of a draft and a version. */
export const findOtherContent = (
  answer: ProviderAnswer,
  { objectTypeProperty }: SampleDraft,
  version: number,
): readonly Fault[] => [...compareContent(answer, objectTypeProperty), ...compareVersion(answer, version)]

/**
 * Whether the provider holds a draft and a version at an id now; no fault where its answer does not tell. Two numbers
 * tell the drafts of a run apart: whether GET answers all of a content is what its own checks ask.
 */
export async function findLost(
  answer: ProviderAnswer,
  id: string,
  { objectTypeProperty }: SampleDraft,
  version: number,
  { resources }: Examination,
): Promise<readonly Fault[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return fault(answer, 'body', `a resource that ${id} leads to`, 'none')
  if (found.kind === 'unclear') return []
  const name = 'arrayOfTwonumbersExample'
  return [
    ...compare(
      answer,
      `objectTypeProperty.${name} as GET has it`,
      objectTypeProperty[name],
      memberOf(found.content, name),
    ),
    ...faultUnless(found.version === version, answer, 'version as GET has it', show(version), show(found.version)),
  ]
}

/** Drafts that differ from a good one in one array. */
const withArray = ({ key, objectTypeProperty }: SampleDraft, name: string, value: unknown): Sending => ({
  json: { key, objectTypeProperty: { ...objectTypeProperty, [name]: value } },
  label: `${name}: ${show(value)}`,
})

/** Section 2, D2: each in one way of the wrong type. */
const toMistyped = (draft: SampleDraft): readonly Sending[] => [
  { json: { key: draft.key }, label: 'no objectTypeProperty' },
  { json: { key: draft.key, objectTypeProperty: 'text' }, label: 'objectTypeProperty: "text"' },
  ...arrayNames.map((name) => withArray(draft, name, 'no array')),
  withArray(draft, 'arrayOfIntExample', [1.5]),
  withArray(draft, 'arrayOfUniqueIntExample', ['1']),
  withArray(draft, 'arrayOfTwonumbersExample', [1, null]),
  withArray(draft, 'arrayOfFloatExample', ['1.5']),
  withArray(draft, 'arrayOfNumberNoDefaultsExample', [true]),
  withArray(draft, 'arrayOfStringExample', [1]),
  withArray(draft, 'arrayOfStringExample', [null]),
  withArray(draft, 'arrayOfObjectType', [1]),
  withArray(draft, 'arrayOfObjectType', [{ integerExample: '1', integerExampleInt32: 1 }]),
  withArray(draft, 'arrayOfObjectType', [{ integerExample: 1, integerExampleInt32: 1.5 }]),
]

const PAST_INT64 = [9_223_372_036_854_775_808n, -9_223_372_036_854_775_809n]
const PAST_INT32 = [2_147_483_648, -2_147_483_649]

/** D3: each with one integer out of its range. */
const toOutOfRange = (draft: SampleDraft): readonly Sending[] => [
  ...['arrayOfIntExample', 'arrayOfUniqueIntExample'].flatMap((name) =>
    PAST_INT64.map((value) => withArray(draft, name, [value])),
  ),
  ...PAST_INT64.map((value) => withArray(draft, 'arrayOfTwonumbersExample', [1, value])),
  ...PAST_INT64.map((integerExample) =>
    withArray(draft, 'arrayOfObjectType', [{ integerExample, integerExampleInt32: 1 }]),
  ),
  ...PAST_INT32.map((integerExampleInt32) =>
    withArray(draft, 'arrayOfObjectType', [{ integerExample: 1, integerExampleInt32 }]),
  ),
]

/** D6: keys that are not 2 to 256 of `[A-Za-z0-9_-]`. A faulty provider may keep them, so they are noted for removal. */
async function toBadKeys(
  { operation, run, cleanup, resources }: OperationExamination,
  { objectTypeProperty }: SampleDraft,
): Promise<readonly Sending[]> {
  // A short key may be somebody else's.
  const isFree = (await resources.findIdOfKey('v')) === undefined
  const noted = [`${run}${'k'.repeat(257 - run.length)}`, `${run}.a`, `${run} a`, `${run}ü`]
  for (const text of noted) cleanup.note(text)
  const texts = isFree ? [...noted, 'v'] : noted
  // A PUT or PATCH without a key may overwrite somebody else's resource (D15), so they get no number as a key.
  const keys = operation === 'createResource' ? [...texts, 5] : texts
  return keys.map((key) => ({ json: { key, objectTypeProperty }, label: `the key ${show(key)}` }))
}

const reverse = (value: object): object => Object.fromEntries(Object.entries(value).toReversed())

/**
 * What an operation makes of drafts.
 *
 * @param draft one that it takes, any number of times: its key is noted, and names a resource where PATCH asks for one
 */
export async function examineDrafts(exam: OperationExamination, draft: SampleDraft): Promise<void> {
  await examineRefusals(exam, 'body-refused', toMistyped(draft))
  await examineRefusals(exam, 'ranges', toOutOfRange(draft))
  await examineRefusals(exam, 'bad-key', await toBadKeys(exam, draft))
  await examineJsonBody(exam, async () => ({ json: draft }), [201], exam.operation === 'createResource')

  const reversed = { ...reverse(draft), objectTypeProperty: reverse(draft.objectTypeProperty) }
  const ordered = await exam.send({ json: reversed, label: 'members in reverse' })
  if (ordered.status === 201) checkOrder(exam, ordered)

  const text = JSON.stringify({ key: draft.key, objectTypeProperty: { ...filled(draft), arrayOfIntExample: ['1.0'] } })
  const headers = { 'Content-Type': 'application/json' }
  const whole = await exam.send({ headers, body: text.replace('"1.0"', '1.0'), label: '1.0' })
  const isFloat = /"arrayOfIntExample":\s*\[\s*1\.0/.test(whole.text)
  exam.add('whole-numbers', [
    ...findFaultsIf(whole, 201, () =>
      compare(whole, 'arrayOfIntExample', [1], memberOf(findContent(whole), 'arrayOfIntExample')),
    ),
    ...faultUnless(!isFloat, whole, 'arrayOfIntExample', '[1]', '[1.0]'),
  ])

  const unknown = { ...draft, version: 700, verifyUnknown: 'a' }
  const taken = await exam.send({ json: unknown, label: 'the members version and verifyUnknown' })
  checkTolerated(exam, 'unknown-member', taken, (answer) => [
    ...findStatusFaults(answer, 201),
    ...compareMember(answer, 'verifyUnknown', undefined),
    ...faultUnless(findVersion(answer) !== 700, answer, 'version', 'that of the resource', '700'),
  ])
}

/** Contents without integers past 2^53, which `JSON.stringify` does not write. */
const filled = ({ objectTypeProperty }: SampleDraft): object => ({
  ...objectTypeProperty,
  arrayOfUniqueIntExample: [1, 2],
  arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 1 }],
})
