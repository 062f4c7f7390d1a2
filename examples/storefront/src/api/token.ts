import { CLIENT, PROJECT } from '../settings.ts'
import { BASE } from './base.ts'
import { Failure, isAbort, toFailure } from './failure.ts'

/** The shop's user, and their permissions. */
export type Access = 'guest' | 'viewer' | 'manager'

interface Grant {
  readonly path: string
  readonly scopes: readonly string[]
}

const grants: Readonly<Record<Access, Grant>> = {
  guest: { path: `/oauth/${PROJECT}/anonymous/token`, scopes: ['view_test'] },
  viewer: { path: '/oauth/token', scopes: ['view_test'] },
  manager: { path: '/oauth/token', scopes: ['manage_test', 'manage_products'] },
}

const KEY = 'odd-shelf-access'

const isAccess = (text: string | null): text is Access => text !== null && Object.hasOwn(grants, text)

function readAccess(): Access {
  const kept = sessionStorage.getItem(KEY)
  return isAccess(kept) ? kept : 'guest'
}

let access = readAccess()
let token: string | undefined

/** Requests a token with the client's credentials (RFC 6749, section 4.4). */
async function fetchToken({ path, scopes }: Grant, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`${BASE}${path}`, {
    method: 'POST',
    signal: signal ?? null,
    headers: { Authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: scopes.map((scope) => `${scope}:${PROJECT}`).join(' '),
    }),
  }).catch((cause: unknown) => {
    if (isAbort(cause)) throw cause
    throw new Failure({ kind: 'offline', detail: 'No response to the sign-in.', cause })
  })
  if (!response.ok) throw await toFailure(response)
  try {
    const { access_token: issued }: { access_token: string } = await response.json()
    return issued
  } catch (cause) {
    if (isAbort(cause)) throw cause
    throw new Failure({ kind: 'broken', detail: 'The response to the sign-in was incomplete.', cause })
  }
}

export const currentAccess = (): Access => access

/** Whether the user may create, change and delete products. */
export const mayWrite = (): boolean => access === 'manager'

/** The token to send; fetches one if there is none. */
export const currentToken = async (): Promise<string> => (token ??= await fetchToken(grants[access]))

/** Fetches a new token to replace one that the service rejects. */
export async function renewToken(): Promise<string> {
  token = await fetchToken(grants[access])
  return token
}

/** Signs in with that access; if this fails or is aborted, the current user stays signed in. */
export async function signIn(next: Access, signal: AbortSignal): Promise<void> {
  token = await fetchToken(grants[next], signal)
  access = next
  sessionStorage.setItem(KEY, next)
}
