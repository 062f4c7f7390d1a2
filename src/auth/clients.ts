import { auth } from 'hono/utils/basic-auth'
import { problem, SetupError } from '../errors.ts'
import type { OAuthParameters } from './oauth-parameters.ts'

/**
 * Tells the id of the client that makes a request to a token endpoint.
 *
 * @throws {Problem} 401 invalid_client if it does not name itself or is not admitted; 400 if it does so in two ways.
 */
export type ClientAuthenticator = (request: Request, parameters: OAuthParameters) => string

interface Credentials {
  readonly id: string
  readonly secret: string
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** HTTP Basic, or else the form (RFC 6749, section 2.3.1). */
function findCredentials(request: Request, parameters: OAuthParameters): Credentials | undefined {
  const id = parameters.get('client_id')
  const secret = parameters.get('client_secret')
  if (!request.headers.has('Authorization')) return id === undefined ? undefined : { id, secret: secret ?? '' }
  if (secret !== undefined) {
    throw problem.oauth(
      400,
      'invalid_request',
      'The client gives its secret twice, by HTTP Basic and as "client_secret". Leave out one of them (RFC 6749, section 2.3).',
    )
  }
  const basic = auth(request)
  return basic === undefined || basic.username === '' ? undefined : { id: basic.username, secret: basic.password }
}

/**
 * Creates what authenticates clients: any id and secret, or only `clients`, written `id:secret` each (D31).
 *
 * @throws {SetupError} for a client that is not written so.
 */
export function createClientAuthenticator(clients: readonly string[] = []): ClientAuthenticator {
  for (const client of clients) {
    if (client.indexOf(':') > 0) continue
    throw new SetupError(`The client ${JSON.stringify(client)} must be written id:secret, such as shop:s3cret.`)
  }
  const isAdmitted = ({ id, secret }: Credentials): boolean =>
    clients.length === 0 || clients.includes(`${id}:${secret}`)

  return (request, parameters) => {
    const given = findCredentials(request, parameters)
    if (given === undefined) {
      throw problem.oauth(
        401,
        'invalid_client',
        'The client does not name itself. Send its id and secret by HTTP Basic (curl --user id:secret), or as "client_id" and "client_secret" in the form.',
      )
    }
    // RFC 6749, section 2.3.1 has them form-encoded before Basic encodes them; many clients leave that out.
    const decoded = { id: decodeForm(given.id), secret: decodeForm(given.secret) }
    const admitted = [given, decoded].find(isAdmitted)
    if (admitted !== undefined) return admitted.id
    throw problem.oauth(
      401,
      'invalid_client',
      `The client ${JSON.stringify(given.id)} is unknown, or its secret is wrong. Send an id and secret that the mock was started with: --client id:secret.`,
    )
  }
}
