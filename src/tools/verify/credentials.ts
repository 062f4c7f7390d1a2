import * as z from 'zod'
import type { ScopeName } from '../../service/contract/endpoint.ts'
import { SetupError } from '../../errors.ts'
import { toBase64 } from '../../service/http/body.ts'
import { createAsk, toReason } from './transport.ts'
import type { Transport } from './transport.ts'

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

/** A scope that a token can be requested for; `manage_project` includes all others (D30). */
export type TokenScope = ScopeName | 'manage_project'

/** Values of the Authorization header, by purpose. */
export interface ProviderTokens {
  /** The token with all available scopes. */
  readonly usual: string
  /** The usual token with an invalid signature; undefined if it is not a JWT. */
  readonly forged: string | undefined
  /** Gets a token with a single scope. Default project: the verified one. Resolves with undefined if none is available. */
  only(scope: TokenScope, project?: string): Promise<string | undefined>
  /** The client's Authorization header, and whether the token URL is the default; undefined if a token was given. */
  readonly client: { readonly authorization: string; readonly isUsualPlace: boolean } | undefined
}

const tokenAnswer = z.object({ access_token: z.string().min(1), scope: z.string().optional() })

const JWT = /^([\w-]+\.[\w-]+\.)([\w-])([\w-]+)$/

/** Invalidates the signature of a JWT. A made-up opaque token would not do: a lenient mock accepts any (D32). */
function toForged(token: string): string | undefined {
  const [, claims, first, rest] = JWT.exec(token) ?? []
  return claims === undefined ? undefined : `Bearer ${claims}${first === 'A' ? 'B' : 'A'}${rest ?? ''}`
}

/** HTTP Basic (RFC 7617, section 2.1). */
const toBasic = (client: string): string => `Basic ${toBase64(new TextEncoder().encode(client))}`

type Asked = { readonly kind: 'token'; readonly token: string } | { readonly kind: 'none'; readonly reason: string }

const FORM = 'application/x-www-form-urlencoded'

/**
 * Gets the tokens for requests to a provider.
 *
 * @throws {SetupError} when the client cannot get a token.
 */
export async function openTokens({
  credentials,
  url,
  project,
  transport,
  timeout,
}: {
  readonly credentials: ProviderCredentials
  readonly url: string
  readonly project: string
  readonly transport: Transport
  /** Milliseconds. */
  readonly timeout: number
}): Promise<ProviderTokens> {
  if (credentials.kind === 'token') {
    const { token } = credentials
    return { usual: `Bearer ${token}`, forged: toForged(token), only: async () => undefined, client: undefined }
  }
  const usualUrl = `${url}/oauth/token`
  const { client, tokenUrl = usualUrl } = credentials
  const asked = await askToken(tokenUrl, client)
  if (asked.kind === 'none') {
    throw new SetupError(
      `The client ${JSON.stringify(client.split(':')[0])} got no token from POST ${tokenUrl}: ${asked.reason}. Check --client, set the token endpoint with --token-url, or pass a token with --token.`,
    )
  }
  const known = new Map<string, Promise<Asked>>()
  return {
    usual: `Bearer ${asked.token}`,
    forged: toForged(asked.token),
    client: { authorization: toBasic(client), isUsualPlace: tokenUrl === usualUrl },
    async only(name, ofProject = project) {
      const scope = `${name}:${ofProject}`
      const asking = known.get(scope) ?? askToken(tokenUrl, client, scope)
      known.set(scope, asking)
      const answer = await asking
      return answer.kind === 'token' ? `Bearer ${answer.token}` : undefined
    },
  }

  /** Requests a token with client credentials (RFC 6749, section 4.4). */
  async function askToken(tokenUrl: string, client: string, scope?: string): Promise<Asked> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    const body = new TextEncoder().encode(form.toString())
    const headers = { Authorization: toBasic(client), Accept: 'application/json', 'Content-Type': FORM }
    try {
      const { status, text } = await createAsk({ transport, timeout })({ url: tokenUrl, method: 'POST', headers, body })
      if (status !== 200) return { kind: 'none', reason: `${status}` }
      const answer = tokenAnswer.parse(JSON.parse(text))
      // Section 3.3: the response names the granted scopes if they differ from the requested ones.
      const isOther = scope !== undefined && answer.scope !== undefined && answer.scope !== scope
      return isOther ? { kind: 'none', reason: 'other scopes' } : { kind: 'token', token: answer.access_token }
    } catch (error) {
      const isUnreadable = error instanceof SyntaxError || error instanceof z.ZodError
      return { kind: 'none', reason: isUnreadable ? '200 without an access_token' : toReason(error, timeout) }
    }
  }
}
