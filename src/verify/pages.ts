import * as z from 'zod'
import { faultUnless, findFaultsIf, show } from './fault.ts'
import type { ProviderAnswer, RequestQuery } from './provider.ts'
import type { Fault } from './report.ts'

/** As much of a page as is asked for here; whether its types are right, the check `shape` tells. */
const page = z.looseObject({
  limit: z.unknown().optional(),
  offset: z.unknown().optional(),
  count: z.unknown().optional(),
  total: z.unknown().optional(),
  results: z.array(z.looseObject({ id: z.unknown().optional() })).catch([]),
})

/** A page that was answered, as far as it is one. */
export const readPage = ({ body }: ProviderAnswer): z.output<typeof page> =>
  page.safeParse(body).data ?? page.parse({ results: [] })

/** Whether an answer is a page at all: of what is not one, nothing that is missing says anything. */
export const isPage = ({ body }: ProviderAnswer): boolean =>
  z.looseObject({ results: z.array(z.unknown()) }).safeParse(body).success

export const idsOf = (answer: ProviderAnswer): readonly unknown[] => readPage(answer).results.map(({ id }) => id)

/** A predicate that selects exactly these resources, whatever else there is. Its literals are those of JSON. */
export const toSelection = (samples: readonly { readonly id: string }[]): string =>
  `id in (${samples.map(({ id }) => JSON.stringify(id)).join(', ')})`

/** The query of that predicate. */
export const selectAll = (samples: readonly { readonly id: string }[]): RequestQuery => ({
  where: toSelection(samples),
})

/** Faults of a page whose results are not exactly these, in any order. */
export const findOthers = (answer: ProviderAnswer, samples: readonly { readonly id: string }[]): readonly Fault[] =>
  findFaultsIf(answer, 200, () => {
    const ids = idsOf(answer)
    const missing = samples.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
    const others = ids.filter((id) => !samples.some((sample) => sample.id === id))
    const wrong = [
      ...(missing.length === 0 ? [] : [`without ${missing.join(', ')}`]),
      ...(others.length === 0 ? [] : [`with ${others.length} that do not match, such as ${show(others[0])}`]),
    ]
    const actual = `${ids.length} ${wrong.join(' and ')}`
    return faultUnless(wrong.length === 0, answer, 'results', `the ${samples.length} that match`, actual)
  })
