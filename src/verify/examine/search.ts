import { checkAnswer } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import { compareMember } from '../fault.ts'
import { findOthers, isPage } from '../pages.ts'
import type { RequestQuery } from '../provider.ts'
import { expectOwn } from '../samples.ts'
import { examineAccess } from './access.ts'
import { examineFacets } from './facets.ts'
import { examineIdentity, examineLimits, examinePages } from './paging.ts'
import { examineHead, examineMethods, examineQueries, examineUnknownParameter } from './requests.ts'
import { examineCases } from './selection.ts'
import type { SelectionCase } from './selection.ts'

const fuzzily = (word: string, fuzzyLevel?: string): RequestQuery => ({
  'text.en': word,
  fuzzy: 'true',
  ...(fuzzyLevel === undefined ? {} : { fuzzyLevel }),
})

/** What a search finds of the three samples (D14): the first has `Walnut Table`, `kiln` and `ax`, the second `Öltuch`. */
const cases: readonly SelectionCase[] = [
  ['text', { 'text.en': 'kiln' }, [0]],
  ['text', { 'text.de': 'oakum' }, [1]],
  ['text', { 'text.en': 'nothing' }, []],
  ['prefix', { 'text.en': 'waln' }, [0]],
  ['prefix', { 'text.en': 'alnut' }, []],
  ['case', { 'text.en': 'WALNUT' }, [0]],
  ['case', { 'text.en': 'KILN' }, [0]],
  ['case', { 'text.de': 'öltuch' }, [1]],
  ['words', { 'text.en': 'table kiln' }, [0]],
  ['words', { 'text.en': 'walnut oakum' }, []],
  ['words', { 'text.en': 'walnut', 'text.de-CH': 'ax' }, [0]],
  ['words', { 'text.en': 'walnut', 'text.de-CH': 'oakum' }, []],
  ['fuzzy', fuzzily('kilm'), [0]],
  ['fuzzy', fuzzily('walmit'), [0]],
  ['fuzzy', fuzzily('kln'), [0]],
  ['fuzzy', fuzzily('kiiln'), [0]],
  ['fuzzy', fuzzily('kinl'), []],
  ['fuzzy', { 'text.en': 'walnit', fuzzyLevel: '2' }, []],
  ['fuzzy', fuzzily('ay'), []],
  ['fuzzy', fuzzily('kimm'), []],
  ['fuzzy', fuzzily('wolmit'), []],
  ['fuzzy', { 'text.en': 'kilm' }, []],
  ['fuzzy', { 'text.en': 'kilm', fuzzy: 'false' }, []],
  ['fuzzy-distance', fuzzily('walnit', '1'), [0]],
  ['fuzzy-distance', fuzzily('walmit', '1'), []],
  ['fuzzy-distance', fuzzily('walnit', '0'), []],
  ['fuzzy-distance', fuzzily('walnit', '1.0'), [0]],
  ['staged', { 'text.en': 'kiln', staged: 'true' }, [0]],
  ['staged', { 'text.en': 'kiln', staged: 'false' }, [0]],
  ['filter', { filter: 'arrayOfStringExample:"kiln"' }, [0]],
  ['filter', { filter: 'arrayOfStringExample:"kil"' }, []],
  ['filter', { filter: 'arrayOfStringExample:"KILN"' }, []],
  ['filter-forms', { filter: 'arrayOfTwonumbersExample:2' }, [0, 1]],
  ['filter-forms', { filter: 'objectTypeProperty.arrayOfFloatExample:2.5' }, [1]],
  ['filter-forms', { filter: 'arrayOfFloatExample:range (1.5 to 2.5)' }, [0, 1]],
  ['filter-forms', { filter: 'arrayOfFloatExample:range (* to 2.5)' }, [0, 1]],
  ['filter-forms', { filter: 'arrayOfFloatExample:range (2.5 to *)' }, [1, 2]],
  ['filter-forms', { filter: 'arrayOfIntExample:9007199254740992' }, []],
  ['filter-repeated', { filter: ['arrayOfTwonumbersExample:2', 'arrayOfTwonumbersExample:3'] }, [1]],
  ['filter-repeated', { 'filter.query': ['arrayOfTwonumbersExample:3', 'arrayOfTwonumbersExample:4'] }, [2]],
]

/** Section 8: a level above the one that the platform chooses for a word of that length; levels are whole. */
const LEVELS: readonly RequestQuery[] = [
  fuzzily('ax', '1'),
  fuzzily('table', '2'),
  fuzzily('walnut', '3'),
  { 'text.en': 'walnut', fuzzyLevel: '3' },
  fuzzily('walnut', '-1'),
  fuzzily('walnut', '0.5'),
]

const UNREADABLE: readonly RequestQuery[] = [
  ...['filter', 'filter.query', 'filter.facets'].flatMap((name) =>
    ['noSuchField:1', 'arrayOfIntExample:abc', 'arrayOfIntExample:range (1 to', 'kiln'].map((value) => ({
      [name]: value,
    })),
  ),
  { facet: 'noSuchField' },
]

/** Specification 4.4, whose answer is D14's. */
export async function searchResources(exam: OperationExamination): Promise<void> {
  const plain = await exam.send()
  if (checkAnswer(exam, plain, 200)) {
    if (isPage(plain)) exam.add('facet-unasked', compareMember(plain, 'facets', undefined))
    await examineHead(exam, {}, plain)
  }
  await examineQueries(exam, 'refused', [{ fuzzy: 'perhaps' }, { fuzzyLevel: 'abc' }, { staged: 'perhaps' }])
  const flag = ['true', 'false']
  await examineQueries(exam, 'single-valued', [
    { fuzzy: flag },
    { fuzzyLevel: ['0', '0'] },
    { staged: flag },
    { limit: ['1', '2'] },
    { offset: ['1', '2'] },
    { 'text.en': ['a', 'b'] },
  ])
  await examineUnknownParameter(exam)
  const languages = ['text.english', 'text.EN', 'text.e', 'text.de-ch', 'text.de_CH', 'text.de-CHE', 'text.']
  const named = languages.map((name) => ({ [name]: 'a' }))
  await examineQueries(exam, 'languages', named)
  await examineQueries(exam, 'fuzzy-level', LEVELS)
  await examineQueries(exam, 'filter-refused', UNREADABLE)
  await examineLimits(exam)
  await examineMethods(exam, ['POST', 'DELETE'])
  await examineAccess(exam)
  const word = `${exam.run}s`
  const all = { 'text.en': word }
  await examinePages(exam, exam.own === undefined ? {} : all)

  const own = expectOwn(exam)
  await examineIdentity(exam, all, own)
  exam.add('text', findOthers(await exam.send({ query: all }), own))
  const among = `arrayOfStringExample:"${word}"`
  const amongOwn = (query: RequestQuery): RequestQuery => ({
    ...query,
    // The samples' own filter comes last: of a repeated one a faulty provider may read the first alone.
    'filter.query': [query['filter.query'] ?? [], among].flat(),
  })
  await examineCases(
    exam,
    cases.map(([name, query, places]) => [name, amongOwn(query), places]),
  )
  await examineFacets(exam, (query) => exam.send({ query: amongOwn(query) }))
}
