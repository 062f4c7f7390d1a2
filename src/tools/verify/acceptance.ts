import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import type { Endpoint, Purpose } from '../../service/contract/endpoint.ts'
import { sectionOf } from '../../service/contract/stated.ts'
import { violation } from './compare/difference.ts'
import type { Ground } from './compare/difference.ts'
import { isPlainImage, parametersOf } from './compare/reliance.ts'
import { UPLOADS } from './conversations/lifecycles.ts'
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
    ...(isPlainImage(message) ? [`${operation} ${message.headers['Content-Type']}`] : []),
    ...(headers['Storefront-Locale'] !== undefined ? [`${operation} locale`] : []),
    ...[...parametersOf(message)].map(
      ([name, values]) =>
        `${operation} ${name.replace(/^(var|text)\..*/, '$1')}${values.length > 1 ? ' several times' : ''}` +
        (name === 'unionParameter' ? toUnionType(values[0]) : ''),
    ),
  ]
}

/** Purposes of operations that have no resource to miss. */
const WITHOUT_RESOURCE: ReadonlySet<Purpose> = new Set([
  'query',
  'complex',
  'writePayload',
  'readPayload',
  'cart',
  'localisedCart',
])

/**
 * Judges refusals by what else the service accepts. What a value means is decided, so a service may refuse some; but one that
 * does not have a documented operation, accepts no value of a documented parameter, no locale, or only some of the image
 * formats, contradicts section 4.
 */
export function judgeRefusals({ findings, results }: RunResults): readonly Finding[] {
  const accepted = new Set(
    results.flatMap(({ result }) => {
      const status = result.sent?.service.status
      // An upload that finds no variant has read its parameters.
      const isRead = isSuccessStatus(status) || (status === 404 && result.operation === 'uploadImage')
      return isRead ? toInstances(result) : []
    }),
  )
  return findings.map((finding) => {
    const { difference, conversation, result } = finding
    const { at, ground, mock, service } = difference
    const isRefused =
      at === 'status' && isSuccessStatus(mock) && [400, 404, 405, 406, 415, 422, 501].includes(Number(service))
    if (ground.kind === 'violation' || !isRefused || !isOperation(result.operation)) return finding
    const endpoint: Endpoint = endpoints[result.operation]
    const section = sectionOf(endpoint)
    const instances = toInstances(result)
    const isNew = instances.some((one) => !accepted.has(one))
    const judge = (): Ground | undefined => {
      const isMissing =
        service === 405 || service === 501 || (service === 404 && WITHOUT_RESOURCE.has(endpoint.purpose))
      if (isMissing && result.sent.message.method === endpoint.method && !accepted.has(result.operation))
        return violation(section)
      if (service === 404) return undefined
      if (isNew && conversation.name === PARAMETERS_ALONE) return violation(section)
      if (isNew && conversation.name === UPLOADS && accepted.has(result.operation)) return violation(section, '8')
      if (instances.some((one) => one.endsWith(' locale') && !accepted.has(one))) return violation(section)
      // Names are case-sensitive: this one is as unknown as the other.
      const isOtherCase = instances.includes('searchResources FuzzyLevel')
      return isOtherCase && accepted.has('searchResources FuzzyLevels') ? violation('4', section) : undefined
    }
    return { ...finding, difference: { ...difference, ground: judge() ?? ground } }
  })
}
