import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { errorCodes } from '../contract/error-responses.ts'
import type { OperationExamination } from './examination.ts'
import { faultUnless } from './fault.ts'
import type { ProviderAnswer } from './provider.ts'
import type { Fault } from './report.ts'

/** The value of a parameter of a challenge (RFC 9110, section 11.2). */
const parameterOf = (challenge: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1]

/** RFC 6750, section 3: a refused client is told the scheme, the project as its realm, the error, and a scope that would do. */
export function findChallengeFaults(
  { operation, project }: OperationExamination,
  answer: ProviderAnswer,
): readonly Fault[] {
  const challenge = answer.headers.get('WWW-Authenticate') ?? 'nothing'
  const { scopes }: Endpoint = endpoints[operation]
  const accepted = answer.status === 401 || scopes === 'anyToken' ? [] : scopes.map((scope) => `${scope}:${project}`)
  const [code = ''] = errorCodes[answer.status] ?? []
  const realm = parameterOf(challenge, 'realm')
  const told = parameterOf(challenge, 'scope')?.split(' ')
  const isRight =
    /^Bearer\b/i.test(challenge) &&
    (realm === project || realm === encodeURIComponent(project)) &&
    parameterOf(challenge, 'error') === code &&
    (accepted.length === 0 || accepted.some((scope) => told?.includes(scope)))
  const scope = accepted.length === 0 ? '' : `, scope="${accepted.join(' ')}"`
  return faultUnless(
    isRight,
    answer,
    'WWW-Authenticate',
    `Bearer realm="${project}", error="${code}"${scope}`,
    challenge,
  )
}
