import type { Fact } from './fact.ts'
import { parseRows } from './markdown.ts'
import type { Section } from './markdown.ts'

interface Member {
  readonly name: string
  readonly type: string
}

/** Members listed in a sentence: `` `a` (string), `b` and `c` (integers, 64-bit) ``. */
export const readMembers = (sentence: string): readonly Member[] =>
  [...sentence.matchAll(/((?:`\w+`(?:, | and )?)+) \(([^()]*)\)/g)].flatMap(([, names = '', type = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, type: readType(type, name) })),
  )

const toObject = (members: readonly Member[]): string =>
  `object {${members.map(({ name, type }) => `${name}: ${type}`).join(', ')}}`

/** The shapes that section 2 describes in a sentence, by the words that other sentences use for them. */
const TOLD_APART: Readonly<Record<string, string>> = { variant: 'Variant', attributes: 'VariantAttributes' }

/** A type of the specification in the wording of facts. */
const readType = (words: string, name = ''): string => {
  if (words.startsWith('array of objects, each with')) return `array of ${toObject(readMembers(words))}`
  if (words.startsWith('array of line item')) return 'array of LineItem'
  if (words.startsWith('object with')) return toObject(readMembers(words))
  if (words.startsWith('each an object with')) {
    return toObject([...words.matchAll(/string `(\w+)`/g)].map(([, member = '']) => ({ name: member, type: 'string' })))
  }
  if (words.includes('date-time')) return 'date-time'
  if (words === 'object') return TOLD_APART[name] ?? 'object'
  const bare = words.replace(/ \(.*\)$|,.*$| each.*$| URLs$/g, '')
  return bare === 'strings' ? 'string' : bare
}

/** Facts include the position, so that order and spelling are checked. */
const fieldFacts = (model: string, members: readonly Member[]): readonly Fact[] =>
  members.map(({ name, type }, index) => `${model} field ${index + 1} is ${name}: ${type}`)

const TABLES: Readonly<Record<string, string>> = {
  'ArrayTestType (JSON object)': 'ArrayTestType',
  'ObjectTestType (JSON object, returned by reads and writes)': 'ObjectTestType',
  'ObjectTestTypeDraft (request body for create/overwrite)': 'ObjectTestTypeDraft',
  'OutOfOrderPropertiesTestType (request body of the complex POST)': 'OutOfOrderPropertiesTestType',
  'Update request (body of POST by id)': 'UpdateRequest',
  'Cart-shaped object (response of two action endpoints)': 'Cart',
}

const tableFacts = ({ title, text }: Section): readonly Fact[] => {
  const model = TABLES[title]
  if (model === undefined) return []
  const members = parseRows(text).flatMap(([names = '', type = '']) =>
    names.split(', ').map((name) => ({ name, type: readType(type) })),
  )
  // Section 9: a version is an integer, so the `number` of the update request's table is one.
  const narrowed = members.map((member) =>
    model === 'UpdateRequest' && member.name === 'version' && member.type === 'number'
      ? { ...member, type: 'integer' }
      : member,
  )
  return fieldFacts(model, narrowed)
}

const PARAGRAPHS: Readonly<Record<string, string>> = {
  Money: 'Money',
  'Line item': 'LineItem',
  Variant: 'Variant',
  'Variant attributes': 'VariantAttributes',
}

const paragraphFacts = ({ text }: Section): readonly Fact[] =>
  text.split('\n').flatMap((line) => {
    const [, title = ''] = /^([A-Z][a-z ]+): `/.exec(line) ?? []
    const model = PARAGRAPHS[title]
    return model === undefined ? [] : fieldFacts(model, readMembers(line))
  })

const widthFacts = ({ text }: Section): readonly Fact[] =>
  [...text.matchAll(/`(\w+)` \(integer, (\d+)-bit/g)].map(([, name, bits]) => `${name} has ${bits} bits`)

const actionFacts = ({ text }: Section): readonly Fact[] => {
  const [, sentence = ''] = /^.*Known action names: (.*)$/m.exec(text) ?? []
  return [...sentence.matchAll(/`(\w+)` \((?:no further fields|field `(\w+)`, (\w+))\)/g)].map(
    ([, action, field, type]) => `action ${action} has ${field === undefined ? 'no fields' : `${field}: ${type}`}`,
  )
}

/** Section 2: its tables, the shapes described in sentences, and the update actions. */
export const documentedModels = (sections: readonly Section[]): readonly Fact[] =>
  sections
    .filter(({ chapter }) => chapter === '2')
    .flatMap((section) => [tableFacts, paragraphFacts, widthFacts, actionFacts].flatMap((read) => read(section)))
