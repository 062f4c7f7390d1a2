import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import type { Endpoint } from '../../service/contract/endpoint.ts'
import { sectionOf } from '../../service/contract/stated.ts'
import { violation } from './compare/difference.ts'
import { isPlainImage, parametersOf } from './compare/reliance.ts'
import { PARAMETERS_ALONE } from './conversations/parameters.ts'
import type { Finding } from './mismatch.ts'
import type { RunResults } from './run-conversations.ts'
import type { StepResult } from './run-step.ts'
import { isSuccessStatus } from './transport.ts'

/** `unionParameter` has three types (section 4.1). */
const toUnionType = (value = ''): string =>
  value.startsWith('{') ? ' JSON' : /^\d+-/.test(value) ? ' date-time' : ' number'

/** What a request is an instance of: an operation, also with a parameter, once or several times, or with a locale. */
function toInstances({ operation, sent }: StepResult): readonly string[] {
  if (sent === undefined || !isOperation(operation)) return []
  const { message } = sent
  const { headers }: Endpoint = endpoints[operation]
  return [
    operation,
    ...(isPlainImage(message) ? [`${operation} image`] : []),
    ...(headers['Storefront-Locale'] !== undefined ? [`${operation} locale`] : []),
    ...[...parametersOf(message)].map(
      ([name, values]) =>
        `${operation} ${name.replace(/^(var|text)\..*/, '$1')}${values.length > 1 ? ' several times' : ''}` +
        (name === 'unionParameter' ? toUnionType(values[0]) : ''),
    ),
  ]
}

/**
 * Judges refusals by what else the service accepts. What a value means is decided, so a service may refuse some; but one that
 * has not the method of a documented operation, accepts no value of a documented parameter, no locale, or only some of the
 * image formats, contradicts section 4.
 */
export function judgeRefusals({ findings, results }: RunResults): readonly Finding[] {
  const accepted = new Set(
    results.flatMap(({ result }) => (isSuccessStatus(result.sent?.service.status) ? toInstances(result) : [])),
  )
  return findings.map((finding) => {
    const { difference, conversation, result } = finding
    const { at, ground, mock, service } = difference
    const isRefused =
      at === 'status' && isSuccessStatus(mock) && [400, 404, 405, 406, 415, 422, 501].includes(Number(service))
    const isOwn = isOperation(result.operation) && result.sent?.message.method === endpoints[result.operation].method
    const isMissing = isOwn && [405, 501].includes(Number(service)) && !accepted.has(result.operation)
    if (ground.kind === 'violation' || !isRefused || !isOperation(result.operation)) return finding
    const instances = toInstances(result)
    const isParameter =
      conversation.name === PARAMETERS_ALONE && service !== 404 && instances.some((one) => !accepted.has(one))
    const isLocale = instances.some((one) => one.endsWith(' locale') && !accepted.has(one))
    const isImage = instances.some((one) => one.endsWith(' image') && accepted.has(one))
    if (!isMissing && !isParameter && !isLocale && !isImage) return finding
    const section = sectionOf(endpoints[result.operation])
    return { ...finding, difference: { ...difference, ground: violation(isImage ? `section 8, ${section}` : section) } }
  })
}
