import { forwardSession } from 'resource-mock/ssr'

/** Cookies ignore ports: with the mock's own cookie, every other mock on this host would show the visitor's session, too. */
const COOKIE = 'storefront-visitor'

const OWN = new RegExp(String.raw`(?:^|;\s*)${COOKIE}=(visitor-[\da-f-]{36})(?:;|$)`)

/** A cookie with the random name of a new visitor's session. */
export const toVisitorCookie = () => `${COOKIE}=visitor-${crypto.randomUUID()}; Path=/; HttpOnly; SameSite=Lax`

/**
 * The session of a request: the one that a test names, or the one in the visitor's cookie.
 *
 * @param {import('node:http').IncomingMessage} incoming
 * @returns {string | undefined}
 */
export const findSession = (incoming) =>
  forwardSession(incoming)['x-mock-session'] ?? OWN.exec(incoming.headers.cookie ?? '')?.[1]
