/**
 * The URL that a request names, on an origin. Clients can send anything as a target, including `//` and `http://`.
 *
 * @param {string | undefined} target a request's own, such as `/products?page=2`
 * @param {string} origin such as `http://127.0.0.1:4020`
 * @returns {URL | undefined} undefined if the target is not part of a URL
 */
export function findUrl(target = '/', origin) {
  return URL.canParse(target, origin) ? new URL(target, origin) : undefined
}

/** @param {import('node:http').ServerResponse} outgoing */
export function refuseTarget(outgoing) {
  outgoing
    .writeHead(400, { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' })
    .end('This is not a URL of the shop. Open its front page: /')
}
