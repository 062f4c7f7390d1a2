import { once } from 'node:events'
import { Readable } from 'node:stream'
import { findUrl, refuseTarget } from './target.mjs'
import { findSession } from './visitor.mjs'

/** The admin API paths that the shop's own page may call: they all affect only the visitor's session. */
const OPEN_TO_VISITORS = /^\/__admin\/(?:scenarios(?:\/active)?|reset|images(?:\/[\w-]+)?|dashboard\.(?:js|css|svg))$/

/** The random name of a visitor's session is only known to the visitor, and to those who got the link from them. */
const BY_NAME = /^\/@visitor-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(\/__admin.*)$/

/** What visitors may use of their own session: the dashboard, with all that it reads and changes there. */
const OWN =
  /^\/__admin\/(?:(?:requests|resources|state|snapshots|scenarios|images|coverage)(?:\/.+)?|requests\.har|projects|clock|reset)$/

/** What visitors may only read. */
const READ_BY_NAME = /^\/__admin(?:\/(?:events|health|version|openapi\.json))?$/

/** What the dashboard lists beside the visitor's session: nothing, since tests and other sessions are not the visitor's. */
const LISTS = { '/__admin/runs': { runs: [] }, '/__admin/sessions': { sessions: [] } }

/** The admin API path of a request for a visitor's session; an empty string for others. */
const findOwnPath = ({ pathname }) => BY_NAME.exec(pathname)?.[1] ?? ''

/** Whether visitors may send a request. `?session=` could name any session, and `?token=` is for the operator. */
function isOpen(url, method) {
  if (url.searchParams.has('session') || url.searchParams.has('token')) return false
  const path = findOwnPath(url)
  return OPEN_TO_VISITORS.test(url.pathname) || OWN.test(path) || (method === 'GET' && READ_BY_NAME.test(path))
}

/**
 * The headers for the mock, with the visitor's session (see docs/sessions.md).
 *
 * @param {import('node:http').IncomingMessage} incoming
 */
function toHeaders(incoming) {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const session = findSession(incoming)
  if (session !== undefined) headers.set('X-Mock-Session', session)
  return headers
}

/** The request for the mock: without the shop's prefix, and in the visitor's session. */
function toRequest(incoming, url, signal) {
  const { method = 'GET' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(url, {
    method,
    headers: toHeaders(incoming),
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  })
}

/**
 * Whether a page of another site sent a request, according to the browser (Fetch standard, section 3.2; Fetch Metadata,
 * section 2).
 */
function isForeign({ headers: { host, origin, 'sec-fetch-site': site } }) {
  if (origin !== undefined) return !URL.canParse(origin) || new URL(origin).host !== host
  return site === 'cross-site' || site === 'same-site'
}

/** A visitor's request, which this server sends under its own name and with its own token. */
function vouchFor(request, adminToken) {
  for (const name of ['Host', 'Origin', 'Sec-Fetch-Site']) request.headers.delete(name)
  if (adminToken !== undefined) request.headers.set('Authorization', `Bearer ${adminToken}`)
  const { pathname, search } = new URL(request.url)
  return new Request(`http://localhost${pathname}${search}`, request)
}

/**
 * Forwards requests under a prefix to a mock.
 *
 * @param {import('resource-mock').Mock} mock
 * @param {{ prefix: string, adminToken: string | undefined }} options
 * @returns {(incoming: import('node:http').IncomingMessage, outgoing: import('node:http').ServerResponse) => Promise<void>
 * | undefined} undefined for requests outside the prefix
 */
export function createApi(mock, { prefix, adminToken }) {
  async function answer(incoming, outgoing, target) {
    const url = findUrl(target, `http://${incoming.headers.host}`)
    if (url === undefined) {
      refuseTarget(outgoing)
      return
    }
    const list = LISTS[findOwnPath(url)]
    if (list !== undefined && incoming.method === 'GET') {
      outgoing.setHeader('Content-Type', 'application/json').end(JSON.stringify(list))
      return
    }
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    try {
      const request = toRequest(incoming, url, gone.signal)
      const isVisitors = isOpen(url, incoming.method) && !isForeign(incoming)
      const response = isVisitors
        ? await mock.serve(vouchFor(request, adminToken), { remoteAddress: '127.0.0.1', mountedAt: prefix })
        : await mock.serve(request, { remoteAddress: incoming.socket.remoteAddress, mountedAt: prefix })
      for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
      outgoing.writeHead(response.status)
      // A response that breaks before its first byte has a status too.
      outgoing.flushHeaders()
      for await (const chunk of response.body ?? []) {
        if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: gone.signal })
      }
      outgoing.end()
    } catch {
      // A scenario or the visitor broke the connection: nobody gets an error, but data already sent must arrive.
      if (outgoing.headersSent) incoming.socket.destroySoon()
      else {
        // A browser sends a request again by itself if the connection is reset before any response: that is up to the page.
        outgoing.writeProcessing()
        incoming.socket.write('', () => incoming.socket.resetAndDestroy())
      }
    }
  }

  return function answerApi(incoming, outgoing) {
    const { url = '/' } = incoming
    return url.startsWith(`${prefix}/`) ? answer(incoming, outgoing, url.slice(prefix.length)) : undefined
  }
}
