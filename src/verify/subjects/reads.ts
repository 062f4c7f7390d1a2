import { checkResource } from '../answers.ts'
import { compare, compareContent, compareStatus, compareVersion, findId } from '../finding.ts'
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
  unknownParameters,
} from './common.ts'
import type { Findings, OperationExamination } from '../subject.ts'
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
const createReader = (exam: OperationExamination, toSendings: () => readonly Pick<Read, 'sample' | 'sending'>[]) => {
  let reading: Promise<readonly Read[]> | undefined
  async function read(): Promise<readonly Read[]> {
    const reads: Read[] = []
    for (const { sample, sending } of toSendings()) {
      const answer = await exam.send(sending)
      if (checkResource(exam, answer, 200, sample.id)) reads.push({ sample, sending, answer })
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

const compareReads = async (exam: { readonly read: () => Promise<readonly Read[]> }): Promise<Findings> =>
  (await exam.read()).flatMap(({ sample, answer }) => [
    ...compareContent(answer, sample.content),
    ...compareVersion(answer, sample.version),
    ...compare(answer, 'Content-Location', sample.id, findId(answer) ?? sample.id),
  ])

const compareHeads = async (
  exam: OperationExamination & { readonly read: () => Promise<readonly Read[]> },
): Promise<Findings> => {
  const all = await exam.read()
  return (await Promise.all(all.map(({ sending, answer }) => compareHead(exam, sending, answer)))).flat()
}

/** Specification 4.2. */
export const getResourceById = defineSubject((exam: OperationExamination) => ({
  valid: () => ({ path: { id: expectSamples(exam)[0].id } }),
  // Two samples: a provider that always returns the same resource would pass with one.
  read: createReader(exam, () =>
    expectSamples(exam)
      .slice(0, 2)
      .map((sample) => ({ sample, sending: { path: { id: sample.id } } })),
  ),
}))({
  ...read,
  resource: check('returns the resource, with exact 64-bit integers', 'D3', compareReads),
  'not-found': missing('D33', 'an unknown id', ({ newId }) => [{ path: { id: newId() } }]),
  head: heads(async (exam) => {
    const absent = await exam.send({ path: { id: exam.newId() }, method: 'HEAD' })
    return [
      ...compareStatus(absent, 404),
      ...findBody(absent),
      ...(exam.samples.length === 0 ? [] : await compareHeads(exam)),
    ]
  }),
  'escaped-key': check('reads key%3D as the start of an id, and returns 404', 'D13', (exam) =>
    findAccepted(exam, [{ path: { id: `key=${keyOf(expectSamples(exam))}` } }], 404),
  ),
  parameters: check(
    'accepts optionalQueryParameter and secondOptionalQueryParameter, and returns 400 if one is repeated',
    'D9',
    async (exam) => {
      const query = { optionalQueryParameter: 'a', secondOptionalQueryParameter: 'b' }
      const taken = await exam.send({ ...exam.valid(), query })
      const twice = Object.entries(query).map(([name, value]) => ({ [name]: [value, 'c'] }))
      return [...compareStatus(taken, 200), ...(await findAcceptedQueries(exam, twice, exam.valid()))]
    },
  ),
  ...unknownParameters,
})

/** Specification 4.3. */
export const getResourceByKey = defineSubject((exam: OperationExamination) => ({
  valid: () => ({ path: { key: keyOf(expectSamples(exam)) } }),
  read: createReader(exam, () => {
    const keyed = expectSamples(exam).filter((sample) => sample.key !== undefined)
    if (keyed.length === 0) throw new Stop(NO_KEY)
    return keyed.slice(-2).map((sample) => ({ sample, sending: { path: { key: sample.key ?? '' } } }))
  }),
}))({
  ...read,
  resource: check('returns the resource with this key', 'D6', compareReads),
  head: heads((exam) => compareHeads(exam)),
  'not-found': missing('D13', 'an unknown key', ({ run }) => [{ path: { key: `${run}-none` } }]),
  'empty-key': check('returns 404 for key= without a value', 'D13', (exam) =>
    findAccepted(exam, [{ path: { key: '' } }], 404),
  ),
  'key-case': check('returns 404 for a key that differs only in case', 'D6', (exam) => {
    if (exam.own === undefined)
      throw new Stop('keys that differ only in case can be ruled out only for resources created by verify')
    return findAccepted(exam, [{ path: { key: exam.own[0].key.toUpperCase() } }], 404)
  }),
  method: methods(['POST', 'PUT', 'DELETE'], ({ run }) => ({ path: { key: `${run}-none` } })),
})
