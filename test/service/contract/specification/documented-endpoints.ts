import { readMembers } from './documented-models.ts'
import { UNSHOWN } from './fact.ts'
import type { Fact } from './fact.ts'
import { parseRows } from './markdown.ts'
import type { Section } from './markdown.ts'

/** Facts without the endpoint that they belong to. */
type Reader = (text: string) => readonly Fact[]

const readTable: Reader = (text) =>
  parseRows(text).map(([name = '', type = '', notes = '']) => {
    const kind = notes.includes('may be passed multiple times') ? `${type}, repeatable` : type
    if (!name.includes('<')) return `query ${name}: ${kind}`
    const [, pattern = ''] = /`([^`]*\[[^`]*)`/.exec(notes) ?? []
    return `family ${toPlainPattern(pattern)}: ${kind}`
  })

/** A pattern without its anchors, and with a dot for each alternative spelling. */
export const toPlainPattern = (pattern: string): string =>
  pattern
    .replaceAll(/\\\.|\[\.\]/g, '.')
    .replace(/^\^/, '')
    .replace(/\$$/, '')

const readPathParameters: Reader = (text) => {
  const [, sentence = ''] = /Path parameters?:? (.*?)(?:\. |$)/m.exec(text) ?? []
  return readMembers(sentence).map(({ name }) => `has ${name} in its path`)
}

const readSentence: Reader = (text) => {
  const [, sentence = ''] = /Query parameters:? (.*)$/m.exec(text) ?? []
  return readMembers(sentence).map(({ name, type }) => `query ${name}: ${type}`)
}

const readGroup: Reader = (text) =>
  [...text.matchAll(/parameter group named (\w+) is listed with (\w+) as a member/g)].map(
    ([, name, member]) => `query ${name}: object with ${member}`,
  )

const readHeaders: Reader = (text) => {
  const [, names = ''] = /(?:Required request headers:|Header) ((?:`[\w-]+`(?:, )?)+)/.exec(text) ?? []
  return [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => `header ${name} is required`)
}

const readContentTypes: Reader = (text) =>
  [...text.matchAll(/`(image\/\w+)`/g)].flatMap(([, type]) => [`takes ${type}`, `header Content-Type admits ${type}`])

const BODIES: readonly (readonly [words: RegExp, fact: Fact])[] = [
  [/Request body: ObjectTestTypeDraft/, 'takes ObjectTestTypeDraft'],
  [/Request body: OutOfOrderPropertiesTestType/, 'takes OutOfOrderPropertiesTestType'],
  [/Body: update request/, 'takes UpdateRequest'],
]
const readBody: Reader = (text) => BODIES.filter(([words]) => words.test(text)).map(([, fact]) => fact)

const SHAPES: Readonly<Record<string, string>> = {
  'JSON cart-shaped object': 'Cart',
  'no body shape': 'no body',
}

const answer = (status: string | undefined, shape: string): Fact => `answers ${status} with ${SHAPES[shape] ?? shape}`

const readResponses: Reader = (text) => {
  const [, several = '', each = ''] = /Responses: (.*), each an (\w+)\./.exec(text) ?? []
  return [
    ...[...text.matchAll(/\b(\d{3}): (?!not shown)([\w -]+?)(?= \(|[.;])/g)].map(([, status, shape = '']) =>
      answer(status, shape),
    ),
    ...[...text.matchAll(/shape given is (\w+) with status (\d{3})/g)].map(([, shape = '', status]) =>
      answer(status, shape),
    ),
    ...[...several.matchAll(/\d{3}/g)].map(([status]) => answer(status, each)),
    ...[...text.matchAll(/Response (\d{3})/g)].map(([, status]) => answer(status, UNSHOWN)),
    ...[...text.matchAll(/Version mismatch: (\d{3})/g)].map(([, status]) => `answers ${status}`),
  ]
}

const readExamples: Reader = (text) => {
  const [, status, names = ''] = /For (\d{3}) two alternative payloads exist, named (.*?)\./.exec(text) ?? []
  return names === '' ? [] : names.split(' and ').map((name) => `answers ${status} with example ${name}`)
}

const READERS = [
  readPathParameters,
  readTable,
  readSentence,
  readGroup,
  readHeaders,
  readContentTypes,
  readBody,
  readResponses,
  readExamples,
]

interface Row {
  readonly number: string
  readonly methods: readonly string[]
  readonly path: string
}

const readEndpointTable = (sections: readonly Section[]): readonly Row[] => {
  const table = sections.find(({ title }) => title === '4. Endpoints')?.text ?? ''
  return parseRows(table).map(([number = '', methods = '', path = '']) => ({
    number,
    methods: methods.split(', '),
    path,
  }))
}

/** Section 4.n; if it refers to 4.1, the text of 4.1 replaces the reference. */
const detailFacts = (sections: readonly Section[], number: string): readonly Fact[] => {
  const text = sections.find(({ title }) => title.startsWith(`4.${number} `))?.text ?? ''
  const [, exception] = /the same as 4\.1 except (\w+)/.exec(text) ?? []
  const referred = exception === undefined ? [] : detailFacts(sections, '1').filter((fact) => fact.startsWith('query '))
  return [
    ...READERS.flatMap((read) => read(text)),
    ...referred.filter((fact) => !fact.startsWith(`query ${exception}:`)),
  ]
}

const scopeFacts = (sections: readonly Section[]): readonly Fact[] => {
  const text = sections.find(({ chapter }) => chapter === '5')?.text ?? ''
  const [, silent = ''] = /Required scopes for endpoints ([\d, ]+): not shown/.exec(text) ?? []
  const unshown = silent.split(', ')
  return [
    ...unshown.map((number) => `${number} shows no scope`),
    ...parseRows(text).flatMap(([numbers = '', scopes = '']) =>
      numbers
        .replace(/ \(.*$/, '')
        .split(', ')
        .filter((number) => !unshown.includes(number))
        .flatMap((number) =>
          [...scopes.matchAll(/(\w+):\{projectKey\}/g)].map(([, scope]) => `${number} admits ${scope}`),
        ),
    ),
  ]
}

/** Sections 4 and 5: the endpoints, their inputs and responses, and their scopes. */
export const documentedEndpoints = (sections: readonly Section[]): readonly Fact[] => [
  ...readEndpointTable(sections).flatMap(({ number, methods, path }) => {
    const details = detailFacts(sections, number)
    return methods.flatMap((method) => [
      `${number} ${method} is ${path}`,
      ...details.map((fact) => `${number} ${method} ${fact}`),
    ])
  }),
  ...scopeFacts(sections),
]
