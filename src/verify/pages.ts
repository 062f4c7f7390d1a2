import * as z from 'zod'
import type { Answer, Sending } from './provider.ts'

/** Query parameters, as {@link Sending} takes them. */
export type Query = NonNullable<Sending['query']>

/** As much of a page as is asked for here; whether its types are right, the check `shape` tells. */
const page = z.looseObject({
  limit: z.unknown(),
  offset: z.unknown(),
  count: z.unknown(),
  total: z.unknown(),
  results: z.array(z.looseObject({ id: z.unknown() })).catch([]),
})

/** A page that was answered, as far as it is one. */
export const readPage = ({ body }: Answer): z.output<typeof page> =>
  page.safeParse(body).data ?? { limit: undefined, offset: undefined, count: undefined, total: undefined, results: [] }

/** Whether an answer is a page at all: of what is none, nothing that is missing says anything. */
export const isPage = ({ body }: Answer): boolean =>
  z.looseObject({ results: z.array(z.unknown()) }).safeParse(body).success

export const idsOf = (answer: Answer): readonly unknown[] => readPage(answer).results.map(({ id }) => id)

/** Literals of the where language, which are those of JSON. */
const toList = (samples: readonly { readonly id: string }[]): string =>
  samples.map(({ id }) => JSON.stringify(id)).join(', ')

/** Selects exactly these resources, whatever else there is. */
export const selectAll = (samples: readonly { readonly id: string }[]): Query => [
  ['where', `id in (${toList(samples)})`],
]
