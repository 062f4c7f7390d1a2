import {
  byId,
  COLLECTION,
  conversation,
  DO_SOMETHING,
  draft,
  get,
  json,
  ownKey,
  listed,
  post,
  raw,
  set,
  SORTED_QUERY,
  updateStep,
} from './conversation.ts'
import type { Content, Conversation, ConversationStep } from './conversation.ts'
import { repeat } from './grammar.ts'
import type { Grammar, Pool } from './grammar.ts'
import { AWKWARD, LARGE, PROPERTIES } from './values.ts'

const COUNT = 30
const QUICK_COUNT = 8
/** Lies more than a second before and after the others, so that a clock in seconds can tell them apart. */
const DATED = 17
const SECOND = 1100

/** Resources with awkward values and different versions, and the conversation that creates them. */
export function createPool(
  grammar: Grammar,
  isStrict: boolean,
): { readonly pool: Pool; readonly creation: Conversation } {
  const { makeContent, isQuick } = grammar
  const size = isQuick ? QUICK_COUNT : COUNT
  const names = repeat(size, (index) => `r${String(index).padStart(2, '0')}`)
  const contents = repeat(size, (index) => makeContent(index, isStrict))
  // The last key differs from the first only in case.
  const keys = names.map((name, index) =>
    ownKey(index === size - 1 ? 'r00' : index % 2 === 1 ? name : name.toUpperCase()),
  )
  const pauses = (index: number) => !isQuick && (index === DATED || index === DATED + 1)
  const creations = names.map((name, index): ConversationStep => ({
    ...post(COLLECTION, json({ key: keys[index], objectTypeProperty: contents[index] }), { save: name }),
    ...(pauses(index) ? { pause: SECOND } : {}),
  }))
  const updates = PROPERTIES.flatMap((text, index) => {
    const name = names[index] ?? ''
    const actions = index % 3 === 0 ? [set('other'), DO_SOMETHING, set(text)] : [set(text)]
    const more = index % 4 === 0 && !isQuick ? repeat(index + 9, () => updateStep(name, undefined, [DO_SOMETHING])) : []
    return [updateStep(name, undefined, actions), ...more]
  })
  const dated = get(SORTED_QUERY, { own: [['where', `key = "${keys[DATED]}"`]], save: names[DATED] ?? '' })
  const own = ['where', 'arrayOfUniqueIntExample contains any ({m})'] as const
  return {
    pool: {
      names,
      keys,
      contents,
      own,
      ownSearch: ['filter.query', 'arrayOfUniqueIntExample:{m}'],
      dated: isQuick ? undefined : names[DATED],
    },
    creation: conversation('resources', 'D2, D3, D15', [...creations, ...updates, dated]),
  }
}

const STORED: readonly string[] = [
  'x'.repeat(300),
  'x'.repeat(1000),
  'y'.repeat(5000),
  'nul\u0000nul',
  '\u2028\u2029',
  '😀'.repeat(200),
  'ﬁ',
]

/** Contents that a service must return as they were sent, and more for a service that is not strict. */
const STORED_CONTENTS = [
  ...[...AWKWARD, ...STORED].map((text) => ({ arrayOfStringExample: ['{k}', text, text] })),
  { arrayOfIntExample: [...LARGE, 0, 3, 1, 2, 2] },
  { arrayOfFloatExample: [0.1, 1.23456789012, 1e21, 1e-7, -0.5, 16777217, 3.4e39] },
  { arrayOfNumberNoDefaultsExample: [1.005, 9007199254740993n, 2.675] },
  { arrayOfIntExample: [raw('1.0'), raw('1e2')] },
  { arrayOfIntExample: repeat(300, (index) => index) },
  { arrayOfStringExample: ['{k}', ...repeat(300, (index) => `n${index}`)] },
  { arrayOfObjectType: [5, 1, 5].map((one) => ({ integerExample: one, integerExampleInt32: one })) },
  { arrayOfObjectType: repeat(150, (at) => ({ integerExample: LARGE[at % LARGE.length], integerExampleInt32: at })) },
  { arrayOfIntExample: [], arrayOfObjectType: [] },
  { arrayOfStringExample: [] },
]
const LENIENT_CONTENTS = [
  { arrayOfObjectType: [{}, { integerExample: 1 }, { integerExampleInt32: 2 }, {}] },
  { arrayOfFloatExample: undefined },
  { arrayOfObjectType: undefined, arrayOfNumberNoDefaultsExample: undefined, arrayOfIntExample: undefined },
  { arrayOfUniqueIntExample: [2, 2] },
]

/** The ends of what section 2 says of integers. */
const WIDEST: Content = {
  arrayOfObjectType: [
    { integerExample: LARGE[0], integerExampleInt32: 2147483647 },
    { integerExample: LARGE[1], integerExampleInt32: -2147483647 },
  ],
}

/** Creates resources with awkward values, and reads them. */
export const storeValues = ({ thin }: Grammar, isStrict: boolean): readonly Conversation[] =>
  [WIDEST, ...thin([...STORED_CONTENTS, ...(isStrict ? [] : LENIENT_CONTENTS)])].map((content, index) => {
    const name = `v${index}`
    const steps = [post(COLLECTION, draft(ownKey(name), content), { save: name }), get(byId(name))]
    const all = index % 4 === 0 ? [...steps, listed(name)] : steps
    return conversation('values', 'D2, D3', all, { about: name })
  })
