import { Hono } from 'hono'
import { createOAuth } from '../../../src/service/auth/oauth.ts'
import { createTokens } from '../../../src/service/auth/tokens.ts'
import { toEnvelope } from '../../../src/service/http/envelope.ts'
import { Problem } from '../../../src/errors.ts'
import type { AuthMode } from '../../../src/service/auth/authenticate.ts'
import { createFakeClock } from './fake-clock.ts'

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

type Fields = Readonly<Record<string, string>>

interface Asked {
  readonly form?: Fields | string
  readonly query?: Fields | string
  readonly headers?: Fields
}

/** The possible responses of a token endpoint: tokens, an introspection or an error. */
interface Body {
  readonly access_token: string
  readonly refresh_token?: string
  readonly scope: string
  readonly error?: string
  readonly error_description: string
  readonly message: string
  readonly [member: string]: unknown
}

/** The token endpoints in an app that renders problems as the mock does, with a default client unless headers are given. */
export function createTokenService(options: { readonly clients?: readonly string[]; readonly mode?: AuthMode } = {}) {
  const clock = createFakeClock()
  const tokens = createTokens({ clock })
  const app = new Hono()
  app.route('/', createOAuth({ tokens, clock, ...options }))
  app.onError((fault) => {
    if (!(fault instanceof Problem)) throw fault
    return Response.json(toEnvelope(fault), { status: fault.status, headers: fault.headers })
  })

  /** Posts to an endpoint, and reads its response. */
  async function post(path: string, { form = {}, query = {}, headers = { Authorization: basic('shop', 's') } }: Asked) {
    const search = new URLSearchParams(query).toString()
    const response = await app.request(search === '' ? path : `${path}?${search}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
    return { response, status: response.status, body: (await response.json()) as Body }
  }

  return { app, clock, tokens, post }
}

export type TokenService = ReturnType<typeof createTokenService>
