import { say } from '../ui/notice.ts'

/** Answers that may be another one soon. */
const PASSING = new Set([429, 503])
/** So often a call is sent again. */
const RETRIES = 3
/** The first wait where the service names none; each further one doubles. */
const FIRST_WAIT = 200

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('Nobody waits any more.', 'AbortError'))
    })
  })
}

/** Milliseconds until the next attempt. */
function toWait({ headers }: Response, attempt: number): number {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_WAIT * 2 ** attempt
}

/**
 * Sends a call until its answer is more than "not now", or patience is over; waits as long as the service asks for
 * (RFC 9110, section 10.2.3), and says so where a person would notice.
 */
export async function beingPatient(
  send: () => Promise<Response>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await send()
    if (!PASSING.has(response.status) || attempt === RETRIES) return response
    const wait = toWait(response, attempt)
    if (wait >= 1000) say(`The shop is busy. Trying again in ${Math.ceil(wait / 1000)} s.`)
    await pause(wait, signal)
  }
}
