import { COLLECTION, conversation, eachAlone, json, post, splitList } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { Grammar } from './grammar.ts'

export const complexPath = (one: string, two: string): string =>
  `${COLLECTION}/artificially-complex/path/uri-parameter-one=${one}/${two}`

const PERSON = { firstName: 'A', lastName: 'B' }
const ONE_INSTANT = '2026-01-01T00:00:00.000Z'
const TEXTS = ['eigth', 'ninth', 'tenth', 'eleventhP', 'twelth', 'thirteenth', 'fourteenth', 'fifteenth'].map((name) =>
  // The specification spells one without an r.
  name === 'eleventhP' ? 'eleventhPropery' : `${name}Property`,
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

/** Path parameters in several encodings. */
const PATHS: readonly (readonly [one: string, two: string])[] = [
  ['a', 'b'],
  ['a=b', 'c=d'],
  ['a%3Db', 'c'],
  ['a%2Fb', 'c%2Fd'],
  ['K%C3%BCche', '%F0%9F%98%80'],
  ['a%20b', 'c+d'],
  ['1', "o'x"],
]

const DATE_VALUES = [
  ...splitList(' | x | 2026-02-30T00:00:00Z | 2026-01-01T00:00:00 | 2026-01-01 | 2026-01-01T00:00:00Z'),
  ...splitList('2026-01-01T00:00:00.123456+02:00 | 2026-01-01T25:00:00Z'),
]

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

const first = (one: string, two: string, id: string) => post(complexPath(one, two), complexBody(id))

export function createComplex({ thin }: Grammar, isStrict: boolean): readonly Conversation[] {
  let count = 0
  const all = (more?: object): string => complexBody(`-${(count += 1)}`, more)
  return [
    ...thin(PATHS).map(([one, two]) =>
      conversation('complex-paths', 'D16', [
        first(`${one}{k}`, two, 'p'),
        first(`${one}{k}`, two, 'p'),
        first(`${one}{k}`, `${two}2`, 'p'),
        first(`${one}2{k}`, two, 'p'),
        first(`${one}{k}`, two, 'q'),
      ]),
    ),
    conversation('complex-paths', 'D16', [first('x=1{k}', 'y', 'e'), first('x=2{k}', 'y', 'e')]),
    ...thin(toWrongMembers(isStrict)).map(([about, more]) =>
      conversation('complex-bodies', 'D17, D92', [post(complexPath('t', 'u'), all(more))], { about }),
    ),
    ...eachAlone(
      'complex-bodies',
      'D9',
      ['null', '[]', '{', '{"key":"a","key":"b"}'].map((text) => post(complexPath('t', 'u'), text)),
    ),
    ...(isStrict
      ? []
      : [
          conversation(
            'complex-without-id',
            'D16, D17',
            [1, 2].map(() => post(complexPath('t', 'u'), '{}')),
          ),
        ]),
    ...eachAlone(
      'complex-queries',
      'section 4.9',
      ['x', '', '1'].map((value) =>
        post(complexPath('t', 'u'), all(), {
          query: [
            ['queryParameterOne', value],
            ['queryParameterTwo', 'x'],
          ],
        }),
      ),
    ),
    ...eachAlone(
      '203',
      'section 4.9, D16',
      ['code=203', 'code=203, example=custom1', 'code=203, example=custom2'].map((prefer) =>
        post(complexPath('t', 'u'), all(), { headers: { Prefer: prefer }, topic: 'prefer' }),
      ),
    ),
  ]
}
