import { endpoints } from '../../contract/endpoints.ts'
import { stringifyJson } from '../../http/json.ts'
import type { CheckName } from '../checks.ts'
import type { OperationExamination } from '../examination.ts'
import { findStatusFaults } from '../fault.ts'
import type { Sending } from '../provider.ts'
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

/** The same text with the first member of an object inside it twice; the text itself where it has no such object. */
const toInnerDuplicate = (text: string): string => text.replace(/(?<=.)\{("\w+":)/, '{$1null,$1')

/** A request with a good body, whose JSON is an object. */
interface Good extends Sending {
  readonly json: object
}

const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/**
 * How an operation reads a body in JSON (D4, D9).
 *
 * @param toGood makes a request that the operation takes, perhaps another one each time
 * @param statuses what it may answer to that
 * @param isObject whether bodies that are empty or not an object are tried, too
 */
export async function examineJsonBody(
  exam: OperationExamination,
  toGood: () => Promise<Good>,
  statuses: readonly number[],
  isObject: boolean,
): Promise<void> {
  const { json, ...good } = await toGood()
  const text = stringifyJson(json)
  const toSending = (body: string, label: string): Sending => ({ ...good, headers: JSON_TYPE, body, label })
  const whole = [
    toSending(text.slice(0, -1), 'a body without its last brace'),
    toSending(`${text} x`, 'text after the JSON'),
    toSending(text + text, 'the same JSON twice'),
  ]
  await examineRefusals(exam, 'broken-json', whole, 400, 'InvalidJsonInput')
  const bodies = isObject ? ['', 'null', '[]', '"text"', '5', '{"a":'] : ['{"a":']
  const broken = bodies.map((body) => toSending(body, `the body ${body || '""'}`))
  const accepted = await examineRefusals(exam, 'broken-json', broken)
  if (endpoints[exam.operation].purpose === 'draft') {
    // What has no key and none of the run's words cannot be told from somebody else's.
    for (const { request } of accepted) exam.cleanup.undo(async () => `What ${request} made may be left.`)
  }
  const duplicates = [
    toSending(toDuplicate(json), 'a member twice'),
    toSending(toInnerDuplicate(text), 'a member inside twice'),
  ]
  await examineRefusals(exam, 'duplicate-member', duplicates)
  const types = [
    'text/plain',
    'text/json',
    'application/xml',
    'application/vnd.x+json',
    'application/x-www-form-urlencoded',
  ]
  const typed = types.map((type) => ({ ...good, headers: { 'Content-Type': type }, body: text, label: type }))
  await examineRefusals(exam, 'media-type', typed, 415)

  async function take(
    name: CheckName,
    label: string,
    headers: Readonly<Record<string, string>>,
    expected = statuses,
    encode: (text: string) => Sending['body'] | Promise<Sending['body']> = (body) => body,
  ): Promise<void> {
    const { json: taken, ...sending } = await toGood()
    const body = (await encode(stringifyJson(taken))) ?? ''
    exam.add(name, findStatusFaults(await exam.send({ ...sending, headers, body, label }), ...expected))
  }
  await take('gzip', 'gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, statuses, toGzip)
  const type = 'Application/JSON; charset=UTF-8'
  await take('charset', type, { 'Content-Type': type })
  await take('no-media-type', 'no Content-Type', {}, exam.isStrict === true ? [400] : statuses)
}
