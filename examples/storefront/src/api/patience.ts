import { say } from '../ui/notice.ts'

/** Statuses that are worth a retry. */
const PASSING = new Set([429, 503])
/** The maximum number of retries. */
const RETRIES = 3
/** The first wait if the service names none; each further one doubles. */
const FIRST_WAIT = 200

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('Aborted.', 'AbortError'))
    })
  })
}

/** Milliseconds until the next attempt. */
function toWait({ headers }: Response, attempt: number): number {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_WAIT * 2 ** attempt
}

/**
 * Retries a call while the response is "not now", up to a limit. Waits as long as the service asks for (RFC 9110, section
 * 10.2.3), and reports longer waits to the user.
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
