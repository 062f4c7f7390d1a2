import { arrayNames } from '../../../service/contract/models.ts'
import type { ArrayTestType } from '../../../service/contract/models.ts'
import { checkOrder, checkTolerated, expectStatus } from '../answers.ts'
import {
  compare,
  compareAnswer,
  compareParts,
  compareStatus,
  findContent,
  findIfStatus,
  findInTurn,
  findUnless,
  findVersion,
  memberOf,
} from '../finding.ts'
import { show } from '../../../service/contract/check-response.ts'
import { check, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import { bearer, findAccepted, JSON_TYPE, ordered, scoped, written } from './common.ts'
import { dated } from './dates.ts'
import type { Basis, Findings, OperationContext } from '../subject.ts'
import type { Sending } from '../provider.ts'
import type { SampleDraft } from '../resources.ts'

/** An operation that accepts drafts. */
interface DraftContext extends OperationContext {
  /** A reusable draft. Its key is tracked for removal, and belongs to a resource if the operation requires one. */
  readonly draft: SampleDraft
}

/** The context that the checks of a draft share. */
export const toDraftContext = (draft: SampleDraft) => ({ draft, accepted: [201], valid: async () => ({ json: draft }) })

/** A valid draft with one array replaced. */
const withArray = ({ key, objectTypeProperty }: SampleDraft, name: string, value: unknown): Sending => ({
  json: { key, objectTypeProperty: { ...objectTypeProperty, [name]: value } },
  label: `${name}: ${show(value)}`,
})

/** Section 2, D2: drafts with a single wrong type each. */
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

/** D3: drafts with a single integer out of range each. */
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

/**
 * D6: keys other than 2 to 256 characters of `[A-Za-z0-9_-]`. They are tracked for removal, as a faulty provider may store
 * them.
 */
async function toBadKeys(
  { run, cleanup, resources }: OperationContext,
  { objectTypeProperty }: SampleDraft,
): Promise<readonly Sending[]> {
  // A short key may belong to someone else.
  const isFree = (await resources.findIdOfKey('v')) === undefined
  const noted = [`${run}${'k'.repeat(257 - run.length)}`, `${run}.a`, `${run} a`, `${run}/a`, `${run}ü`]
  for (const text of noted) cleanup.note(text)
  const keys = isFree ? [...noted, 'v'] : noted
  return keys.map((key) => ({ json: { key, objectTypeProperty }, label: `the key ${show(key)}` }))
}

const reverse = (value: object): object => Object.fromEntries(Object.entries(value).toReversed())

/** Content without integers past 2^53, which `JSON.stringify` cannot write. */
const filled = ({ objectTypeProperty }: SampleDraft): object => ({
  ...objectTypeProperty,
  arrayOfUniqueIntExample: [1, 2],
  arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 1 }],
})

/** Writes content that is easily altered in transit (section 2); it replaces some arrays of the draft. */
async function write(context: DraftContext, content: ArrayTestType) {
  const { key, objectTypeProperty } = context.draft
  const { arrayOfStringExample = [] } = objectTypeProperty
  const strings = [...(content.arrayOfStringExample ?? []), ...arrayOfStringExample]
  const json = { key, objectTypeProperty: { ...objectTypeProperty, ...content, arrayOfStringExample: strings } }
  const answer = await context.send({ json, label: show(content) })
  const got = await context.provider.send('getResourceByKey', { path: { key } })
  return { answer, got, expected: json.objectTypeProperty }
}

/** Writes content; returns a finding for each difference in the stored resource. */
const findAltered = (context: DraftContext, contents: readonly ArrayTestType[]): Promise<Findings> =>
  findInTurn(contents, async (one) => {
    const { answer, got, expected: content } = await write(context, one)
    return [...compareAnswer(answer, 201, { content }), ...(got.status === 200 ? compareParts(got, { content }) : [])]
  })

/** Creates a check that content is stored unchanged. */
const keeps = (says: string, basis: Basis, ...contents: readonly ArrayTestType[]) =>
  check(says, basis, (context: DraftContext) => findAltered(context, contents))

/** The checks of the three operations that accept a draft. */
export const drafted = {
  ...written,
  ...ordered,
  ...bearer,
  ...scoped(),
  order: check(ordered.order.says, ordered.order.basis, async (context: DraftContext) => {
    const { draft } = context
    const json = { ...reverse(draft), objectTypeProperty: reverse(draft.objectTypeProperty) }
    checkOrder(context, expectStatus(await context.send({ json, label: 'members in reverse' }), 201))
    return []
  }),
  'unknown-member': check(
    'ignores undocumented members, also in objectTypeProperty and its entries, and stores none; a strict service rejects them with 400',
    'D4',
    (context: DraftContext) => {
      const { key, objectTypeProperty } = context.draft
      const verifyUnknown = 'a'
      const withMembers = (more: object) => ({ key, objectTypeProperty: { ...objectTypeProperty, ...more } })
      const arrayOfObjectType = [{ integerExample: 1, verifyUnknown }]
      const drafts = {
        'version and verifyUnknown': { ...context.draft, version: 700, verifyUnknown },
        'objectTypeProperty.verifyUnknown': withMembers({ verifyUnknown }),
        'arrayOfObjectType[0].verifyUnknown': withMembers({ arrayOfObjectType }),
      }
      return findInTurn(Object.entries(drafts), async ([label, json]) => {
        const answer = await context.send({ json, label: `unknown: ${label}` })
        const kept = await context.provider.send('getResourceByKey', { path: { key } })
        const find = () => [
          ...compareStatus(answer, 201),
          ...[answer, kept].flatMap((one) =>
            findUnless(!one.text.includes('verifyUnknown'), one, 'body', 'no verifyUnknown', 'verifyUnknown'),
          ),
          ...findUnless(findVersion(answer) !== 700, answer, 'version', 'the version of the resource', '700'),
        ]
        return checkTolerated(context, answer, find)
      })
    },
  ),
  'body-refused': check(
    'returns 400 for a draft without objectTypeProperty, and arrays and members that are null or have the wrong type',
    'D2',
    (context: DraftContext) => findAccepted(context, toMistyped(context.draft)),
  ),
  ranges: check(
    'returns 400 for integers past int64 in each integer array and in integerExample, and past int32 in integerExampleInt32',
    'spec 2, D3',
    (context: DraftContext) => findAccepted(context, toOutOfRange(context.draft)),
  ),
  'whole-numbers': check('accepts 1.0 as an integer, and returns 1', 'D9', async (context: DraftContext) => {
    const objectTypeProperty = { ...filled(context.draft), arrayOfIntExample: ['1.0'] }
    const body = JSON.stringify({ key: context.draft.key, objectTypeProperty }).replace('"1.0"', '1.0')
    const answer = await context.send({ headers: JSON_TYPE, body, label: '1.0' })
    const name = 'arrayOfIntExample'
    const isFloat = /"arrayOfIntExample":\s*\[\s*1\.0/.test(answer.text)
    return [
      ...findIfStatus(answer, 201, () => compare(answer, name, [1], memberOf(findContent(answer), name))),
      ...findUnless(!isFloat, answer, name, '[1]', '[1.0]'),
    ]
  }),
  'bad-key': check(
    'returns 400 InvalidField for a key of 1 or 257 characters, and one with a dot, a space, a slash or an ü',
    'D6',
    async (context: DraftContext) =>
      findAccepted(context, await toBadKeys(context, context.draft), 400, 'InvalidField'),
  ),
  texts: keeps(
    'stores strings unchanged: empty, with leading and trailing spaces, quotes, a line break, non-ASCII letters',
    'spec 2',
    { arrayOfStringExample: ['', ' a ', 'say "b" \\ c\n', 'Grüße, Žižek, 日本 😀', 'null', '1.0', '<b>&amp;</b>'] },
  ),
  decimals: keeps(
    'stores decimals as doubles: 0.1, 1e-7, 123456789.123 and 0.30000000000000004',
    'spec 2',
    { arrayOfFloatExample: [0.1, 1e-7, 123_456_789.123, -0.3, 0.1 + 0.2] },
    { arrayOfNumberNoDefaultsExample: [0.1, 2.675, -1e-7] },
  ),
  'partial-entries': keeps('accepts entries of arrayOfObjectType with one member, and with none', 'D9', {
    arrayOfObjectType: [{ integerExample: 1 }, { integerExampleInt32: 2 }, {}],
  }),
  'array-constraints': check(
    'stores duplicate numbers in an array, and three in arrayOfTwonumbersExample; a strict service may reject those of D1 with 400',
    'D1',
    async (context: DraftContext) => {
      const repeated = { arrayOfIntExample: [5, 5, 4], arrayOfStringExample: ['b', 'a', 'b'] }
      const tolerated = [{ arrayOfUniqueIntExample: [5, 5] }, { arrayOfTwonumbersExample: [1, 2, 3] }]
      return [
        ...(await findAltered(context, [repeated])),
        ...(await findInTurn(tolerated, async (one) => {
          const { answer, expected: content } = await write(context, one)
          return checkTolerated(context, answer, () => compareAnswer(answer, 201, { content }))
        })),
      ]
    },
  ),
  'same-content': check(
    'increments the version by 1 even if a draft changes nothing',
    'D7',
    async ({ send, draft, resources }: DraftContext) => {
      const json = resources.redraft(draft)
      const before = findVersion(expectStatus(await send({ json }), 201)) ?? 0
      const answer = await send({ json, label: 'the same draft again' })
      return compareAnswer(answer, 201, { version: before + 1 })
    },
  ),
  dates: dated(
    async ({ send, draft, resources }: DraftContext) => {
      await send({ json: draft })
      const id = await resources.findIdOfKey(draft.key)
      if (id === undefined) throw new Stop(UNEXPECTED)
      return id
    },
    ({ send, draft }) => send({ json: draft, label: 'the same draft again' }),
  ),
}
