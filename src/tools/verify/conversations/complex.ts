import { COLLECTION, conversation, eachAlone, isSampled, json, post, splitList, splitQuery } from './conversation.ts'
import type { Conversation, ConversationStep } from './conversation.ts'
import type { Grammar } from './grammar.ts'

export const complexPath = (one: string, two: string): string =>
  `${COLLECTION}/artificially-complex/path/uri-parameter-one=${one}/${two}`

const PERSON = { firstName: 'A', lastName: 'B' }
const ONE_INSTANT = '2026-01-01T00:00:00.000Z'
/** As the specification spells them. */
const TEXTS = splitList(
  'eigthProperty | ninthProperty | tenthProperty | eleventhPropery | twelthProperty',
  'thirteenthProperty | fourteenthProperty | fifteenthProperty',
)

const body = (more: object): object => ({
  id: '{k}',
  version: '1',
  key: 'k',
  createdAt: ONE_INSTANT,
  createdBy: PERSON,
  lastModifiedAt: ONE_INSTANT,
  lastModifiedBy: PERSON,
  custom: 'c',
  ...Object.fromEntries(TEXTS.map((name) => [name, 'x'])),
  ...more,
})

/** A valid body of the complex POST. */
export const complexBody = (id: string, more: object = {}): string => json(body({ id: `{k}${id}`, ...more }))

/** The two path parameters, in several encodings. */
const PATHS = splitList("a/b | a=b/c=d | a%3Db/c | a%2Fb/c%2Fd | K%C3%BCche/%F0%9F%98%80 | a%20b/c+d | 1/o'x")

const DATE_VALUES = splitList(
  ' | x | 2026-02-30T00:00:00Z | 2026-01-01T00:00:00 | 2026-01-01 | 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456+02:00 | 2026-01-01T25:00:00Z',
)

/** Each member with values of wrong types, by its name. */
function toWrongMembers(isStrict: boolean): readonly (readonly [about: string, more: object])[] {
  const people = ['createdBy', 'lastModifiedBy']
  return [
    ...Object.keys(body({})).flatMap((name) =>
      [1, null, true, [], {}]
        // A strict service requires the names of a person.
        .filter((value) => !(isStrict && people.includes(name) && JSON.stringify(value) === '{}'))
        .map((value) => [name, { [name]: value }] as const),
    ),
    ...people.flatMap((name) =>
      ['firstName', 'lastName'].flatMap((inner) =>
        [1, null, {}].map((value) => [`${name}.${inner}`, { [name]: { ...PERSON, [inner]: value } }] as const),
      ),
    ),
    ...['createdAt', 'lastModifiedAt'].flatMap((name) =>
      DATE_VALUES.map((value) => [name, { [name]: value }] as const),
    ),
  ]
}

const postAt = (one: string, two: string, id: string) => post(complexPath(`${one}{k}`, two), complexBody(id))
const postComplex = (text: string, more?: Partial<ConversationStep>) => post(complexPath('t', 'u'), text, more)

/** Members have no order. */
const reversed = (id: string): string => json(Object.fromEntries(Object.entries(body({ id: `{k}${id}` })).toReversed()))

export function createComplex({ thin }: Grammar, isStrict: boolean): readonly Conversation[] {
  let count = 0
  const all = (more?: object): string => complexBody(`-${(count += 1)}`, more)

  const paths = thin(PATHS).map((path) => {
    const [one = '', two = ''] = path.split('/')
    const same = postAt(one, two, 'p')
    const others = [postAt(one, `${two}2`, 'p'), postAt(`${one}2`, two, 'p'), postAt(one, two, 'q')]
    return conversation('complex-paths', 'D16', [same, same, ...others])
  })
  const wrongMembers = thin(toWrongMembers(isStrict)).map(([about, more]) =>
    conversation('complex-bodies', 'D17, D92', [postComplex(all(more))], { about }),
  )
  const wrongTexts = splitList('null | [] | { | {"key":"a","key":"b"}').map((text) => postComplex(text))
  const withoutId = conversation('complex-without-id', 'D16, D17', [postComplex('{}'), postComplex('{}')])
  const queries = ['x', '', '1'].map((value) =>
    postComplex(all(), { query: splitQuery(`queryParameterOne=${value}&queryParameterTwo=x`) }),
  )
  const prefers = splitList('code=203 | code=203, example=custom1 | code=203, example=custom2').map((Prefer) =>
    postComplex(all(), { headers: { Prefer } }),
  )
  return [
    ...paths,
    conversation('complex-paths', 'D16', [postAt('x=1', 'y', 'e'), postAt('x=2', 'y', 'e')]),
    ...wrongMembers,
    ...eachAlone('complex-bodies', 'section 2, D16', [postComplex(reversed('-r'))]),
    ...eachAlone('complex-bodies', 'D9', wrongTexts, isSampled),
    ...(isStrict ? [] : [withoutId]),
    ...eachAlone('complex-queries', 'section 4.9', queries, isSampled),
    ...eachAlone('203', 'section 4.9, D16', prefers, isSampled),
  ]
}
