import { arrayNames } from '../../contract/models.ts'
import { checkOrder, checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext } from '../context.ts'
import { compare, fault, show } from '../fault.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import { findContent, findVersion, memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import type { SampleDraft } from '../resources.ts'
import type { Results } from '../results.ts'
import { examineJsonBody } from './json-body.ts'
import type { JsonBodyCheck } from './json-body.ts'
import { examineRefusals } from './requests.ts'

type DraftOperation = 'createResource' | 'putResource' | 'overwriteResource'

/** Whether an answer tells a content and a version. */
export const findOtherContent = (
  answer: ProviderAnswer,
  { objectTypeProperty }: SampleDraft,
  version: number,
): readonly Fault[] => [
  ...compare(answer, 'objectTypeProperty', objectTypeProperty, findContent(answer)),
  ...compare(answer, 'version', version, findVersion(answer)),
]

/**
 * Whether the provider holds a draft and a version at an id now; no fault where its answer does not tell. Two numbers
 * tell the drafts of a run apart: whether GET answers all of a content is what its own checks ask.
 */
export async function findLost(
  answer: ProviderAnswer,
  id: string,
  { objectTypeProperty }: SampleDraft,
  version: number,
  { resources }: VerifyContext,
): Promise<readonly Fault[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return fault(answer, 'body', `a resource that ${id} leads to`, 'none')
  if (found.kind === 'unclear') return []
  return [
    ...compare(
      answer,
      'objectTypeProperty.arrayOfTwonumbersExample as GET has it',
      objectTypeProperty.arrayOfTwonumbersExample,
      memberOf(found.content, 'arrayOfTwonumbersExample'),
    ),
    ...(found.version === version ? [] : fault(answer, 'version as GET has it', show(version), show(found.version))),
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
  operation: DraftOperation,
  { objectTypeProperty }: SampleDraft,
  { run, cleanup, resources }: VerifyContext,
): Promise<readonly Sending[]> {
  // A short key may be somebody else's.
  const isFree = (await resources.findIdOfKey('v')) === undefined
  const noted = [`${run}${'k'.repeat(257 - run.length)}`, `${run}.a`, `${run} a`, `${run}ü`]
  for (const text of noted) cleanup.note(text)
  const texts = isFree ? [...noted, 'v'] : noted
  // Without a key PUT and PATCH may overwrite what somebody else wrote (D15): whoever ignores a number must not.
  const keys = operation === 'createResource' ? [...texts, 5] : texts
  return keys.map((key) => ({ json: { key, objectTypeProperty }, label: `the key ${show(key)}` }))
}

const reverse = (value: object): object => Object.fromEntries(Object.entries(value).toReversed())

/**
 * What an operation makes of drafts.
 *
 * @param draft one that it takes, any number of times: its key is noted, and names a resource where PATCH asks for one
 */
export async function examineDrafts(
  results: Results<
    'body-refused' | 'ranges' | 'bad-key' | 'whole-numbers' | 'unknown-member' | 'order' | JsonBodyCheck
  >,
  operation: DraftOperation,
  draft: SampleDraft,
  context: VerifyContext,
): Promise<void> {
  const { provider, isStrict } = context
  await examineRefusals(results, 'body-refused', operation, toMistyped(draft), context)
  await examineRefusals(results, 'ranges', operation, toOutOfRange(draft), context)
  await examineRefusals(results, 'bad-key', operation, await toBadKeys(operation, draft, context), context)
  const good = { json: draft }
  await examineJsonBody(
    results,
    operation,
    async () => good,
    { status: [201], isObject: operation === 'createResource' },
    context,
  )

  const reversed = { ...reverse(draft), objectTypeProperty: reverse(draft.objectTypeProperty) }
  const ordered = await provider.send(operation, { json: reversed, label: 'members in reverse' })
  if (ordered.status === 201) checkOrder(results, ordered)

  const text = JSON.stringify({ key: draft.key, objectTypeProperty: { ...filled(draft), arrayOfIntExample: ['1.0'] } })
  const headers = { 'Content-Type': 'application/json' }
  const whole = await provider.send(operation, { headers, body: text.replace('"1.0"', '1.0'), label: '1.0' })
  const content = findContent(whole)
  results.add('whole-numbers', [
    ...findStatusFaults(whole, 201),
    ...(whole.status === 201 ? compare(whole, 'arrayOfIntExample', [1], memberOf(content, 'arrayOfIntExample')) : []),
    ...(/"arrayOfIntExample":\s*\[\s*1\.0/.test(whole.text) ? fault(whole, 'arrayOfIntExample', '[1]', '[1.0]') : []),
  ])

  const unknown = { ...draft, version: 700, verifyUnknown: 'a' }
  const answer = await provider.send(operation, { json: unknown, label: 'the members version and verifyUnknown' })
  if (isStrict === true) return void checkRefusal(results, 'unknown-member', answer, 400)
  results.add('unknown-member', [
    ...findStatusFaults(answer, 201),
    ...compare(answer, 'verifyUnknown', undefined, memberOf(answer.body, 'verifyUnknown')),
    ...(findVersion(answer) === 700 ? fault(answer, 'version', 'that of the resource', '700') : []),
  ])
}

/** Contents without integers past 2^53, which `JSON.stringify` does not write. */
const filled = ({ objectTypeProperty }: SampleDraft): object => ({
  ...objectTypeProperty,
  arrayOfUniqueIntExample: [1, 2],
  arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 1 }],
})
