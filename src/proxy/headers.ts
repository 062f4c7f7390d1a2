/** Headers that are about one connection alone (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** All headers but those that end at this hop, among them whatever `Connection` names. */
function toEndToEnd(headers: Headers): Headers {
  const named = (headers.get('Connection') ?? '').split(',').map((name) => name.trim().toLowerCase())
  const kept = new Headers(headers)
  for (const name of [...HOP_BY_HOP, ...named]) if (/^[\w-]+$/.test(name)) kept.delete(name)
  return kept
}

/** What `fetch` sets itself, and what it could not decode. */
const OF_FETCH = ['host', 'content-length', 'expect', 'accept-encoding']

/**
 * The headers of a request as the upstream gets them.
 *
 * @param pseudonym what this proxy calls itself in `Via` (RFC 9110, section 7.6.3)
 */
export function toUpstreamHeaders(headers: Headers, correlationId: string, pseudonym: string): Headers {
  const sent = toEndToEnd(headers)
  for (const name of OF_FETCH) sent.delete(name)
  sent.set('Accept-Encoding', 'gzip, deflate')
  sent.set('X-Correlation-ID', correlationId)
  sent.append('Via', `1.1 ${pseudonym}`)
  return sent
}

/** The headers of an answer as the client gets them: a packed body is unpacked by now, and its length another. */
export function toClientHeaders(headers: Headers): Headers {
  const given = toEndToEnd(headers)
  if (given.has('Content-Encoding')) given.delete('Content-Length')
  given.delete('Content-Encoding')
  // It would lead clients past the proxy (RFC 7838).
  given.delete('Alt-Svc')
  return given
}

/** Whether a message says that its body is JSON. */
export const isJsonType = (headers: Headers): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')
