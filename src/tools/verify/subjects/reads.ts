import { recordResource } from '../answers.ts'
import { compare, compareParts, compareStatus, findId } from '../finding.ts'
import { expectSamples } from '../samples.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import {
  answered,
  bearer,
  compareHead,
  findAccepted,
  findAcceptedQueries,
  findBody,
  heads,
  located,
  methods,
  missing,
  ordered,
  scoped,
} from './common.ts'
import { unknownParameters } from './parameters.ts'
import type { Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import type { Sample } from '../resources.ts'

const NO_KEY = 'none of the available resources has a key'

const keyOf = (samples: readonly Sample[]): string => {
  const key = samples.find((sample) => sample.key !== undefined)?.key
  if (key === undefined) throw new Stop(NO_KEY)
  return key
}

interface Read {
  readonly sample: Sample
  readonly sending: Sending
  readonly answer: ProviderAnswer
}

/**
 * Reads resources and checks each response, including headers and member order (D5). The result is shared by the checks.
 */
const createReader = (context: OperationContext, toSendings: () => readonly Pick<Read, 'sample' | 'sending'>[]) => {
  let reading: Promise<readonly Read[]> | undefined
  async function read(): Promise<readonly Read[]> {
    const reads: Read[] = []
    for (const { sample, sending } of toSendings()) {
      const answer = await context.send(sending)
      if (recordResource(context, answer, 200, sample.id)) reads.push({ sample, sending, answer })
    }
    return reads
  }
  return () => (reading ??= read())
}

const read = {
  ...answered,
  ...located('the headers ETag and Content-Location'),
  location: check('returns a Content-Location that ends with /{projectKey}/resource/{id}', 'D5'),
  ...ordered,
  ...bearer,
  ...scoped(),
}

const compareReads = async (context: { readonly read: () => Promise<readonly Read[]> }): Promise<Findings> =>
  (await context.read()).flatMap(({ sample, answer }) => [
    ...compareParts(answer, { content: sample.content, version: sample.version }),
    ...compare(answer, 'Content-Location', sample.id, findId(answer) ?? sample.id),
  ])

const compareHeads = async (
  context: OperationContext & { readonly read: () => Promise<readonly Read[]> },
): Promise<Findings> => {
  const all = await context.read()
  return (await Promise.all(all.map(({ sending, answer }) => compareHead(context, sending, answer)))).flat()
}

/** Specification 4.2. */
export const getResourceById = defineSubject((context: OperationContext) => ({
  valid: () => ({ path: { id: expectSamples(context)[0].id } }),
  // Two samples: a provider that always returns the same resource would pass with one.
  read: createReader(context, () =>
    expectSamples(context)
      .slice(0, 2)
      .map((sample) => ({ sample, sending: { path: { id: sample.id } } })),
  ),
}))({
  ...read,
  resource: check('returns the resource, with exact 64-bit integers', 'D3', compareReads),
  'not-found': missing('D33', 'an unknown id', ({ newId }) => [{ path: { id: newId() } }]),
  head: heads(async (context) => {
    const absent = await context.send({ path: { id: context.newId() }, method: 'HEAD' })
    return [
      ...compareStatus(absent, 404),
      ...findBody(absent),
      ...(context.samples.length === 0 ? [] : await compareHeads(context)),
    ]
  }),
  'escaped-key': check('reads key%3D as the start of an id, and returns 404', 'D13', (context) =>
    findAccepted(context, [{ path: { id: `key=${keyOf(expectSamples(context))}` } }], 404),
  ),
  parameters: check(
    'accepts optionalQueryParameter and secondOptionalQueryParameter, and returns 400 if one is repeated',
    'D9',
    async (context) => {
      const query = { optionalQueryParameter: 'a', secondOptionalQueryParameter: 'b' }
      const taken = await context.send({ ...context.valid(), query })
      const twice = Object.entries(query).map(([name, value]) => ({ [name]: [value, 'c'] }))
      return [...compareStatus(taken, 200), ...(await findAcceptedQueries(context, twice, context.valid()))]
    },
  ),
  ...unknownParameters,
})

/** Specification 4.3. */
export const getResourceByKey = defineSubject((context: OperationContext) => ({
  valid: () => ({ path: { key: keyOf(expectSamples(context)) } }),
  read: createReader(context, () => {
    const keyed = expectSamples(context).filter((sample) => sample.key !== undefined)
    if (keyed.length === 0) throw new Stop(NO_KEY)
    return keyed.slice(-2).map((sample) => ({ sample, sending: { path: { key: sample.key ?? '' } } }))
  }),
}))({
  ...read,
  resource: check('returns the resource with this key', 'D6', compareReads),
  head: heads((context) => compareHeads(context)),
  'not-found': missing('D13', 'an unknown key', ({ run }) => [{ path: { key: `${run}-none` } }]),
  'empty-key': check('returns 404 for key= without a value', 'D13', (context) =>
    findAccepted(context, [{ path: { key: '' } }], 404),
  ),
  'key-case': check('returns 404 for a key that differs only in case', 'D6', (context) => {
    if (context.own === undefined)
      throw new Stop('keys that differ only in case can be ruled out only for resources created by verify')
    return findAccepted(context, [{ path: { key: context.own[0].key.toUpperCase() } }], 404)
  }),
  method: methods(['POST', 'PUT', 'DELETE'], ({ run }) => ({ path: { key: `${run}-none` } })),
})
