import { endpoints } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { stringifyJson } from '../../http/json.ts'
import { findStatusFaults } from '../answers.ts'
import type { VerifyContext } from '../context.ts'
import type { Sending } from '../provider.ts'
import type { Results } from '../results.ts'
import { examineRefusals } from './requests.ts'

/** Compresses a text (RFC 1952). */
async function toGzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The same object with its first member twice. */
function toDuplicate(json: object): string {
  const [[name, value] = ['a', 1]] = Object.entries(json)
  return `{${JSON.stringify(name)}:${stringifyJson(value)},${stringifyJson(json).slice(1)}`
}

/** A request with a good body, whose JSON is an object. */
export interface Good extends Sending {
  readonly json: object
}

const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/** What every operation with a JSON body is asked. */
export type JsonBodyCheck =
  | 'broken-json'
  | 'duplicate-member'
  | 'media-type'
  | 'gzip'
  | 'charset'
  | 'no-media-type'
  | 'envelope'
  | 'correlation-id'

/**
 * How an operation reads a body in JSON (D4, D9).
 *
 * @param toGood makes a request that the operation takes, perhaps another one each time
 * @param status what it answers to that
 */
export async function examineJsonBody(
  results: Results<JsonBodyCheck>,
  operation: OperationId,
  toGood: () => Promise<Good>,
  { status, isObject }: { readonly status: readonly number[]; readonly isObject: boolean },
  context: VerifyContext,
): Promise<void> {
  const { provider, isStrict, cleanup } = context
  const { json, ...good } = await toGood()
  const text = stringifyJson(json)
  const bodies = isObject ? ['', 'null', '[]', '"text"', '5', '{"a":', text.slice(0, -1)] : ['{"a":', text.slice(0, -1)]
  const broken = bodies.map((body) => ({
    ...good,
    headers: JSON_TYPE,
    body,
    label: body === text.slice(0, -1) ? 'a body without its last brace' : `the body ${body === '' ? '""' : body}`,
  }))
  const accepted = await examineRefusals(results, 'broken-json', operation, broken, context)
  if (endpoints[operation].purpose === 'draft') {
    // What has no key and none of the run's words cannot be told from somebody else's.
    for (const { request } of accepted) cleanup.undo(async () => `What ${request} made may be left.`)
  }
  const duplicate = { ...good, headers: JSON_TYPE, body: toDuplicate(json), label: 'a member twice' }
  await examineRefusals(results, 'duplicate-member', operation, [duplicate], context)
  const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']
  const typed = types.map((type) => ({ ...good, headers: { 'Content-Type': type }, body: text, label: type }))
  await examineRefusals(results, 'media-type', operation, typed, context, { status: 415 })

  const take = async (change: (text: string) => Promise<Sending> | Sending) => {
    const { json, ...sending } = await toGood()
    return provider.send(operation, { ...sending, ...(await change(stringifyJson(json))) })
  }
  const gzipped = await take(async (text) => ({
    headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: await toGzip(text),
    label: 'gzip',
  }))
  results.add('gzip', findStatusFaults(gzipped, ...status))
  const type = 'Application/JSON; charset=UTF-8'
  const charset = await take((body) => ({ headers: { 'Content-Type': type }, body, label: type }))
  results.add('charset', findStatusFaults(charset, ...status))
  const untyped = await take((body) => ({ body, label: 'no Content-Type' }))
  results.add('no-media-type', findStatusFaults(untyped, ...(isStrict === true ? [400] : status)))
}
