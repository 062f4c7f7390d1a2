import { parseAccept } from 'hono/utils/accept'

/** How closely a media range names a type: 3 exactly, 2 by its main type, 1 by the full wildcard, 0 not at all. */
function closeness(range: string, type: string): number {
  const [main = ''] = type.split('/')
  return range === type ? 3 : range === `${main}/*` ? 2 : range === '*/*' || range === '*' ? 1 : 0
}

/** Whether an `Accept` header admits a media type; the closest range decides (RFC 9110, section 12.5.1). */
export function admitsType(accept: string, type: string): boolean {
  let best = { close: 0, quality: 0 }
  for (const { type: range, q } of parseAccept(accept)) {
    const close = closeness(range.toLowerCase(), type)
    if (close > best.close) best = { close, quality: q }
  }
  return best.quality > 0
}

/** Whether a page is asked for; a client that accepts anything, as most do, gets JSON (D88). */
export function wantsPage(headers: Headers): boolean {
  const accept = headers.get('Accept') ?? ''
  return accept.includes('text/html') && admitsType(accept, 'text/html')
}
