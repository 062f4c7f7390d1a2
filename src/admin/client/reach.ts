import { findProxyVariable } from '../../util/proxy-variable.ts'
import { findErrorCode, isError, SetupError, toSystemMessage } from '../../errors.ts'

/** Sends a request to a mock in this process, or to another one through `fetch`. */
export type Send = (request: Request) => Promise<Response>

/** An old test environment may have no `fetch`, or get one later. */
const globals: { readonly fetch?: typeof fetch } = globalThis

/** Not the `fetch` of the moment: a test may replace it, even by the `fetch` of a session, which would call itself. */
const loaded = globals.fetch

/** Sends a request over the network. */
export const sendByFetch: Send = (request) => (loaded ?? fetch)(request)

/** The code of a system error, such as `ECONNREFUSED`, or of what caused it. */
function findCauseCode(fault: unknown): string | undefined {
  if (!isError(fault)) return undefined
  return findCauseCode(fault.cause) ?? findErrorCode(fault)
}

/** Node's codes for certificates that it does not trust, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
const CERTIFICATE_CODE = /CERT|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH/

/** Whether a mock was not reached because Node does not trust its certificate. */
export const isUntrusted = (fault: unknown): boolean => CERTIFICATE_CODE.test(findCauseCode(fault) ?? '')

/** What a page has, and Node does not. */
interface PageGlobals {
  readonly location?: { readonly origin: string }
  readonly navigator?: {
    readonly permissions?: { query(descriptor: { readonly name: string }): Promise<{ readonly state: string }> }
    readonly serviceWorker?: { readonly controller: { readonly scriptURL: string } | null }
  }
}

/** Whether Chromium asks its user before the page may call a server on this machine: since 142, if the page is from elsewhere. */
async function isPermissionMissing({ navigator }: PageGlobals): Promise<boolean> {
  const permission = await navigator?.permissions?.query({ name: 'loopback-network' }).catch(() => undefined)
  return permission !== undefined && permission.state !== 'granted'
}

/** Whether anything responds, even if a page may not read the response. */
const isReachable = (url: string): Promise<boolean> =>
  sendByFetch(new Request(url, { mode: 'no-cors' })).then(
    () => true,
    () => false,
  )

/** What to do if a request to the mock may have gone to a proxy instead; empty if no variable names one for its address. */
export function adviseOnProxy(url: string): string {
  const { hostname } = new URL(url)
  const proxy = findProxyVariable(new URL(url))
  return proxy === undefined
    ? ''
    : ` ${proxy.name} sends requests to ${hostname} over the proxy ${proxy.address}. Add ${hostname} to NO_PROXY.`
}

/** Says why a mock was not reached, and what to do. */
async function explainUnreachable(baseUrl: string, fault: unknown): Promise<string> {
  const page: PageGlobals = globalThis
  const { location, navigator } = page
  const reason = toSystemMessage(fault)
  const code = findCauseCode(fault)
  const isPage = location !== undefined && code === undefined
  if (isPage && location.origin !== new URL(baseUrl).origin && (await isReachable(baseUrl)))
    return `The mock at ${baseUrl} does not let pages of ${location.origin} use its admin API (CORS). Start it with --admin-origin ${location.origin}.`
  const isMswPage = navigator?.serviceWorker?.controller?.scriptURL.endsWith('/mockServiceWorker.js') === true
  if (reason.startsWith('[MSW]') || (isPage && isMswPage))
    return `MSW did not let the request to the mock at ${baseUrl} pass (${reason}). Pass it through with the handler http.all('${baseUrl}/*', () => passthrough()), or set onUnhandledRequest: 'bypass'.`
  if (isPage && (await isPermissionMissing(page)))
    return `No mock responds at ${baseUrl} (${reason}). Either none runs there, or the browser did not let a page of ${location.origin} call this machine: the permission for it is only given to pages with https, by their user or with permissions: ['local-network-access'] in Playwright.`
  if (isUntrusted(fault))
    return `The certificate of the mock at ${baseUrl} is not trusted (${reason}). Set the environment variable NODE_EXTRA_CA_CERTS to the file of the certificate, before Node starts, or ignoreHTTPSErrors in Playwright.`
  return `No mock responds at ${baseUrl} (${reason}). Start one with resource-mock, or pass the URL of a running one.${adviseOnProxy(baseUrl)}`
}

/**
 * Sends requests to the admin API of a mock over the network.
 *
 * @throws {SetupError} in a request that reaches no mock, with the reason.
 */
export const createAdminSend =
  (baseUrl: string, send = sendByFetch): Send =>
  (request) =>
    send(request).catch(async (fault: unknown) => {
      throw new SetupError(await explainUnreachable(baseUrl, fault), { cause: fault })
    })
