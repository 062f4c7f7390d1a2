import { arrayNames } from '../../contract/models.ts'
import type { ArrayTestType } from '../../contract/models.ts'
import { checkTolerated, checkOrder } from '../answers.ts'
import type { CheckName } from '../checks.ts'
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
  findContent,
  findVersion,
  memberOf,
} from '../finding.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { SampleDraft } from '../resources.ts'
import { examineJsonBody, examineRefusals } from './requests.ts'

/** Faults of an answer that does not tell the content of a draft and a version. */
export const findOtherContent = (
  answer: ProviderAnswer,
  { objectTypeProperty }: SampleDraft,
  version: number,
): readonly Finding[] => [...compareContent(answer, objectTypeProperty), ...compareVersion(answer, version)]

/**
 * Whether the provider holds a draft and a version at an id now; no finding where its answer does not tell. Two numbers
 * tell the drafts of a run apart: whether GET answers all of a content is what its own checks ask.
 */
export async function findLost(
  answer: ProviderAnswer,
  id: string,
  { objectTypeProperty }: SampleDraft,
  version: number,
  { resources }: Examination,
): Promise<readonly Finding[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return finding(answer, 'body', `a resource that ${id} leads to`, 'none')
  if (found.kind === 'unclear') return []
  const name = 'arrayOfTwonumbersExample'
  return [
    ...compare(
      answer,
      `objectTypeProperty.${name} as GET has it`,
      objectTypeProperty[name],
      memberOf(found.content, name),
    ),
    ...findUnless(found.version === version, answer, 'version as GET has it', show(version), show(found.version)),
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
  ...['text', null, []].map((objectTypeProperty) => ({
    json: { key: draft.key, objectTypeProperty },
    label: `objectTypeProperty: ${show(objectTypeProperty)}`,
  })),
  ...arrayNames.map((name) => withArray(draft, name, null)),
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
  { run, cleanup, resources }: OperationExamination,
  { objectTypeProperty }: SampleDraft,
): Promise<readonly Sending[]> {
  // A short key may be somebody else's.
  const isFree = (await resources.findIdOfKey('v')) === undefined
  const noted = [`${run}${'k'.repeat(257 - run.length)}`, `${run}.a`, `${run} a`, `${run}/a`, `${run}ü`]
  for (const text of noted) cleanup.note(text)
  const keys = isFree ? [...noted, 'v'] : noted
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
  await examineRefusals(exam, 'bad-key', await toBadKeys(exam, draft), 400, 'InvalidField')
  await examineKept(exam, draft)
  await examineJsonBody(exam, async () => ({ json: draft }), [201], exam.operation === 'createResource')

  const reversed = { ...reverse(draft), objectTypeProperty: reverse(draft.objectTypeProperty) }
  const ordered = await exam.send({ json: reversed, label: 'members in reverse' })
  if (ordered.status === 201) checkOrder(exam, ordered)

  const text = JSON.stringify({ key: draft.key, objectTypeProperty: { ...filled(draft), arrayOfIntExample: ['1.0'] } })
  const headers = { 'Content-Type': 'application/json' }
  const whole = await exam.send({ headers, body: text.replace('"1.0"', '1.0'), label: '1.0' })
  const isFloat = /"arrayOfIntExample":\s*\[\s*1\.0/.test(whole.text)
  exam.add('whole-numbers', [
    ...findIfStatus(whole, 201, () =>
      compare(whole, 'arrayOfIntExample', [1], memberOf(findContent(whole), 'arrayOfIntExample')),
    ),
    ...findUnless(!isFloat, whole, 'arrayOfIntExample', '[1]', '[1.0]'),
  ])

  const { key, objectTypeProperty } = draft
  const verifyUnknown = 'a'
  for (const [label, json] of [
    ['version and verifyUnknown', { ...draft, version: 700, verifyUnknown }],
    ['objectTypeProperty.verifyUnknown', { key, objectTypeProperty: { ...objectTypeProperty, verifyUnknown } }],
    ['arrayOfObjectType[0].verifyUnknown', withEntries(draft, [{ integerExample: 1, verifyUnknown }])],
  ] as const) {
    const taken = await exam.send({ json, label: `unknown: ${label}` })
    const kept = await exam.provider.send('getResourceByKey', { path: { key } })
    checkTolerated(exam, 'unknown-member', taken, (answer) => [
      ...compareStatus(answer, 201),
      ...[answer, kept].flatMap((one) =>
        findUnless(!one.text.includes('verifyUnknown'), one, 'body', 'no verifyUnknown', 'verifyUnknown'),
      ),
      ...findUnless(findVersion(answer) !== 700, answer, 'version', 'that of the resource', '700'),
    ])
  }
}

const withEntries = ({ key, objectTypeProperty }: SampleDraft, arrayOfObjectType: readonly object[]) => ({
  key,
  objectTypeProperty: { ...objectTypeProperty, arrayOfObjectType },
})

/** What is kept as it is sent, and the check that says so. */
const KEPT: readonly (readonly [name: CheckName, content: ArrayTestType])[] = [
  [
    'texts',
    { arrayOfStringExample: ['', ' a ', 'say "b" \\ c\n', 'Grüße, Žižek, 日本 😀', 'null', '1.0', '<b>&amp;</b>'] },
  ],
  ['decimals', { arrayOfFloatExample: [0.1, 1e-7, 123_456_789.123, -0.3, 0.1 + 0.2] }],
  ['decimals', { arrayOfNumberNoDefaultsExample: [0.1, 2.675, -1e-7] }],
  ['partial-entries', { arrayOfObjectType: [{ integerExample: 1 }, { integerExampleInt32: 2 }, {}] }],
  ['array-constraints', { arrayOfIntExample: [5, 5, 4], arrayOfStringExample: ['b', 'a', 'b'] }],
]

/** What a strict provider refuses (D1). */
const CONSTRAINED: readonly ArrayTestType[] = [
  { arrayOfUniqueIntExample: [5, 5] },
  { arrayOfTwonumbersExample: [1, 2, 3] },
]

/** Section 2: contents that are easily changed on their way. */
async function examineKept(exam: OperationExamination, { key, objectTypeProperty }: SampleDraft): Promise<void> {
  const { arrayOfStringExample = [] } = objectTypeProperty
  const write = async (content: ArrayTestType) => {
    const strings = [...(content.arrayOfStringExample ?? []), ...arrayOfStringExample]
    const json = { key, objectTypeProperty: { ...objectTypeProperty, ...content, arrayOfStringExample: strings } }
    const answer = await exam.send({ json, label: show(content) })
    const got = await exam.provider.send('getResourceByKey', { path: { key } })
    return { answer, got, json }
  }
  for (const [name, content] of KEPT) {
    const { answer, got, json } = await write(content)
    exam.add(name, [
      ...findIfStatus(answer, 201, () => compareContent(answer, json.objectTypeProperty)),
      ...(got.status === 200 ? compareContent(got, json.objectTypeProperty) : []),
    ])
  }
  for (const content of CONSTRAINED) {
    const { answer, json } = await write(content)
    checkTolerated(exam, 'array-constraints', answer, () =>
      findIfStatus(answer, 201, () => compareContent(answer, json.objectTypeProperty)),
    )
  }
}

/** Contents without integers past 2^53, which `JSON.stringify` does not write. */
const filled = ({ objectTypeProperty }: SampleDraft): object => ({
  ...objectTypeProperty,
  arrayOfUniqueIntExample: [1, 2],
  arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 1 }],
})
