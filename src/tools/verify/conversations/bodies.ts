import { COLLECTION, conversation, draft, fullContent, json, ownKey, post, splitList } from './conversation.ts'
import type { Content, Conversation, ConversationStep } from './conversation.ts'
import type { Grammar } from './grammar.ts'
import { EACH_TYPE } from './values.ts'

const IN_ARRAYS = [[null], ['1'], [1.5], [true], [{}], [[1]], [9223372036854775808n], [1]]

const MEDIA_TYPES = splitList(
  'text/plain | application/xml | application/merge-patch+json | application/vnd.api+json',
  'multipart/form-data; boundary=x | application/x-www-form-urlencoded',
  'application/json; charset=utf-8 | APPLICATION/JSON | application/json;charset="UTF-8"',
)

/** Texts around or instead of a valid draft. */
const toTexts = (valid: string): readonly string[] => [
  ...splitList('null | [] | 1 | "x" |  | {'),
  `${valid} x`,
  `${valid}{}`,
  valid.replace('{"', '{"key":"a","'),
  valid.replace('"arrayOfIntExample"', '"arrayOfIntExample":[1],"arrayOfIntExample"'),
  ...['[1,2,]', '[01]', '[NaN]'].map((array) => valid.replace('[1,2]', array)),
  valid.replaceAll('"', "'"),
  `\n\t ${valid}\r\n`,
]

/** Drafts that break one rule, or none: each array and member with a value of each type, keys, JSON and media types. */
export function createBodies({ thin }: Grammar, isStrict: boolean): readonly Conversation[] {
  const bodies: Conversation[] = []
  const nextKey = () => ownKey(`w${bodies.length}`)
  const add = (about: string, body: ConversationStep['body'], more?: Partial<ConversationStep>) => {
    const step = post(COLLECTION, body, { save: `w${bodies.length}`, ...more })
    // Services often read the draft of each method in another place.
    const needsKeys = bodies.length % 4 === 1
    const steps = needsKeys ? [step, { ...step, method: 'PUT' }, { ...step, method: 'PATCH' }] : [step]
    bodies.push(conversation('bodies', about === 'key' ? 'D6' : 'D9', steps, { about, needsKeys }))
  }
  const addContent = (about: string, more: Content) => add(about, draft(nextKey(), more))

  for (const name of Object.keys(fullContent())) {
    // Only the name promises two numbers (D1).
    const isPromised = name === 'arrayOfTwonumbersExample' && !isStrict
    for (const value of [...EACH_TYPE, ...IN_ARRAYS]) {
      if (!isPromised || !Array.isArray(value)) addContent(name, { [name]: value })
    }
  }
  for (const name of ['integerExample', 'integerExampleInt32']) {
    for (const value of [...EACH_TYPE, 2147483648, -2147483649, 2147483647]) {
      const object = { integerExample: 1, integerExampleInt32: 1, [name]: value }
      addContent(`arrayOfObjectType.${name}`, { arrayOfObjectType: [object] })
    }
  }
  for (const value of [...EACH_TYPE, undefined]) {
    add('objectTypeProperty', json({ key: nextKey(), objectTypeProperty: value }))
  }
  for (const key of [null, 1, true, '', 'a', 'a b', 'ä1', '{k}.x', '{k}/x', '{k}\n', [], {}]) add('key', draft(key))
  for (const key of ['_{k}', '-{k}', '{m}', `{k}${'K'.repeat(200)}`, '{k}_-X', `{k}${'K'.repeat(257)}`])
    add('key', draft(key))
  for (const text of toTexts(draft(nextKey()))) add('JSON', text)
  add('JSON', draft(nextKey(), { arrayOfStringExample: ['{k}', '\u00e9'] }), { charset: 'latin1', label: 'Latin-1' })
  add('escapes', draft(nextKey()).replace('["{k}"]', '["{k}","\\u00e9\\/\\ud83d\\ude00"]'))
  add('unknown member', draft(nextKey(), {}, { unknown: 1 }))
  add('unknown member', draft(nextKey(), { unknown: [1] }))
  addContent('unknown member', { arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 2, unit: 'kg' }] })
  add('version in a draft', draft(nextKey(), {}, { version: 7 }))
  for (const type of MEDIA_TYPES)
    add('Content-Type', draft(nextKey()), { headers: { 'Content-Type': type }, label: type })
  add('gzip', draft(nextKey()), { headers: { 'Content-Encoding': 'gzip' }, label: 'gzip' })
  return thin(bodies)
}
