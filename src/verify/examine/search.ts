import * as z from 'zod'
import { findStatusFaults, holdAnswer, holdRefusal } from '../answers.ts'
import { compare, fault } from '../fault.ts'
import { idsOf, readPage } from '../pages.ts'
import type { Answer } from '../provider.ts'
import type { Fault } from '../report.ts'
import { expectSamples } from '../samples.ts'
import type { Examine } from '../world.ts'
import { examineBearer, examineScope } from './bearer.ts'
import { examinePages, examineRefused, findOthers } from './pages.ts'

const WORDLESS =
  'it takes resources with a word of their own, and nothing may be written: --allow-writes lets verify make some'

const faceted = z.looseObject({
  facets: z.record(
    z.string(),
    z.looseObject({ terms: z.array(z.looseObject({ term: z.unknown(), count: z.unknown() })) }),
  ),
})

/** Specification 4.4, whose answer is D14's. */
export const searchResources: Examine<'searchResources'> = async (bench, world) => {
  const operation = 'searchResources'
  const { provider, word } = world
  holdAnswer(bench, operation, await provider.send(operation), 200)
  await examineRefused(bench, operation, [[['text.english', 'a']], [['fuzzy', 'perhaps']]], world)
  // Section 8: above the level that the platform chooses for a word of six letters.
  const level = await provider.send(operation, {
    query: [
      ['text.en', 'walnut'],
      ['fuzzy', 'true'],
      ['fuzzyLevel', '3'],
    ],
  })
  holdRefusal(bench, 'fuzzy-level', level, 400)
  await examineBearer(bench, operation, {}, world)
  await examineScope(bench, operation, {}, world)
  await examinePages(bench, operation, word === undefined ? [] : [['text.en', word]], world)

  if (word === undefined) {
    for (const name of ['text', 'fuzzy', 'filter', 'facet'] as const) bench.skip(name, WORDLESS)
    return
  }
  const samples = expectSamples(world)
  const text = await provider.send(operation, { query: [['text.en', word]] })
  bench.hold('text', text.status === 200 ? findOthers(text, samples) : findStatusFaults(text, 200))

  const misspelt = `${word.slice(0, -1)}${word.endsWith('x') ? 'y' : 'x'}`
  const fuzzy = await provider.send(operation, {
    query: [
      ['text.en', misspelt],
      ['fuzzy', 'true'],
      ['limit', '100'],
    ],
  })
  const unfound = samples.filter(({ id }) => !idsOf(fuzzy).includes(id))
  bench.hold('fuzzy', [
    ...findStatusFaults(fuzzy, 200),
    ...(unfound.length === 0
      ? []
      : fault(fuzzy, 'results', `those with the word ${word}`, `${unfound.length} not found`)),
  ])

  const filter = await provider.send(operation, { query: [['filter', `arrayOfStringExample:"${word}"`]] })
  bench.hold('filter', filter.status === 200 ? findOthers(filter, samples) : findStatusFaults(filter, 200))

  const facet = await provider.send(operation, {
    query: [
      ['text.en', word],
      ['facet', 'arrayOfStringExample'],
    ],
  })
  holdAnswer(bench, operation, facet, 200)
  bench.hold('facet', facet.status === 200 ? findFacetFaults(facet, word) : [])
}

/** D14: every result has the word, so the facet counts it as often as there are results. */
function findFacetFaults(answer: Answer, word: string): readonly Fault[] {
  const facets = faceted.safeParse(answer.body).data?.facets ?? {}
  const counted = facets['arrayOfStringExample']?.terms.find(({ term }) => term === word)?.count
  return compare(answer, `facets.arrayOfStringExample ${word}`, readPage(answer).results.length, counted)
}
