import { findJson } from '../../service/http/json.ts'
import * as z from 'zod'
import { SetupError } from '../../errors.ts'
import { toBase64 } from '../../service/http/body.ts'
import { Unset } from './placeholders.ts'
import { toReason } from './transport.ts'
import type { OutgoingRequest, ReceivedResponse } from './transport.ts'

/** How verify authenticates: with a token, or as an OAuth client that requests tokens. */
export type ProviderCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'client'
      /** `id:secret` */
      readonly client: string
      /** Default: `/oauth/token` under the provider's URL (D31). */
      readonly tokenUrl?: string | undefined
    }

/** Gets the tokens for requests to one side: of the scopes of section 5 alone. */
export interface TokenSource {
  /**
   * Resolves with an Authorization header for a scope; undefined stands for all scopes of the project.
   *
   * @throws {Unset} if no such token is available.
   */
  authorize(scope: string | undefined, project: string): Promise<string>
  /** Requests a new token next time: the service rejected this one. */
  forget(authorization: string): void
  /** The client's Authorization header; undefined if a token was given. */
  readonly client: string | undefined
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  scope: z.string().optional(),
  // A text is a mismatch, but no reason to end the run.
  expires_in: z.coerce.number().positive().optional().catch(undefined),
})

const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded'

/** Creates the source of tokens. */
export function createTokenSource(
  credentials: ProviderCredentials,
  service: {
    readonly url: string
    readonly project: string
    readonly send: (outgoing: OutgoingRequest) => Promise<ReceivedResponse>
    /** A clock in milliseconds. */
    readonly elapsed: () => number
  },
): TokenSource {
  if (credentials.kind === 'token') {
    const { token } = credentials
    const header = `Bearer ${token}`
    let others: Promise<ReceivedResponse> | undefined
    const authorize = async (scope: string | undefined, project: string) => {
      if (scope !== undefined) throw new Unset('tokens of single scopes need --client')
      if (project === service.project) return header
      const url = `${service.url}/${project}/resource`
      others ??= service.send({ url, method: 'GET', headers: { Authorization: header } })
      const { status } = await others
      if (status === 401 || status === 403) throw new Unset(`the token is not valid for the project ${project}`)
      return header
    }
    return { authorize, forget: () => undefined, client: undefined }
  }
  const { client, tokenUrl = `${service.url}/oauth/token` } = credentials
  const own = service.project
  // HTTP Basic (RFC 7617, section 2.1).
  const basic = `Basic ${toBase64(new TextEncoder().encode(client))}`
  const known = new Map<string, { readonly until: number; readonly header: Promise<string>; readonly text?: string }>()

  /** Requests a token with client credentials (RFC 6749, section 4.4). */
  async function ask(scope: string | undefined) {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    const body = new TextEncoder().encode(form.toString())
    const headers = { Authorization: basic, Accept: 'application/json', 'Content-Type': FORM_MEDIA_TYPE }
    const { status, text } = await service.send({ url: tokenUrl, method: 'POST', headers, body })
    if (status !== 200) return { status, reason: String(status) }
    const { data } = tokenAnswer.safeParse(findJson(text))
    return data === undefined ? { status, reason: '200 without an access_token' } : { status, ...data }
  }

  /** A token of all scopes of section 5; without scopes if the client may not ask for these together. */
  async function askUsual(project: string) {
    const scopes = ['manage_test', 'view_test', 'manage_products'].map((name) => `${name}:${project}`)
    const answer = await ask(scopes.join(' ')).catch((error: unknown) => ({ status: 0, reason: toReason(error) }))
    const second = 'reason' in answer && answer.status >= 400 && answer.status < 500 ? await ask(undefined) : answer
    if (!('reason' in second)) return second
    if (project !== own) throw new Unset(`the client gets no token for the project ${project}`)
    throw new SetupError(
      `The client ${JSON.stringify(client.split(':')[0])} got no token from POST ${tokenUrl}: ${second.reason}. Check --client, set the token endpoint with --token-url, or pass a token with --token.`,
    )
  }

  async function askSingle(scope: string) {
    const answer = await ask(scope)
    // RFC 6749, section 3.3: the response names the granted scopes if they differ from the requested ones.
    const isOther = !('reason' in answer) && answer.scope !== undefined && answer.scope !== scope
    if (isOther || 'reason' in answer) throw new Unset(`the client gets no token for the scope ${scope} alone`)
    return answer
  }

  async function authorize(scope: string | undefined, project: string): Promise<string> {
    const name = scope ?? `all ${project}`
    const now = service.elapsed()
    const last = known.get(name)
    if (last !== undefined && now < last.until) return last.header
    const asking = scope === undefined ? askUsual(project) : askSingle(scope)
    const header: Promise<string> = asking.then((answer) => {
      const text = `Bearer ${answer.access_token}`
      // A token is renewed after half its lifetime, and at the latest after 50 minutes.
      known.set(name, { until: now + Math.min((answer.expires_in ?? 3600) * 500, 3_000_000), header, text })
      return text
    })
    // Until it is answered, others wait for the same request.
    known.set(name, { until: Infinity, header })
    header.catch((error: unknown) => {
      // A scope that the client may not have stays unavailable.
      if (!(error instanceof Unset)) known.delete(name)
    })
    return header
  }

  return {
    authorize,
    forget: (authorization) => {
      for (const [name, { text }] of known) if (text === authorization) known.delete(name)
    },
    client: basic,
  }
}
