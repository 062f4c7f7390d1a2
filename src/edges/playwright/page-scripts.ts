/** A request that a page sends through the relay. */
export interface RelayedRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly [name: string, value: string][]
  readonly body: string | undefined
}

// These functions run in pages and workers, so they contain everything they call.
/* oxlint-disable unicorn/consistent-function-scoping */

/**
 * Runs in each page, for what Playwright does not route: the requests of a shared worker, whose script it does route, and
 * what a page saves with `keepalive` while it is left. There, Playwright would leave the preflight without a response.
 *
 * @param parameters.mockUrl what the URLs of the mock start with
 * @param parameters.mark the end of the URL of a shared worker's script
 */
export function extendPage({
  mockUrl,
  mark,
  relayUrl,
}: {
  readonly mockUrl: string
  readonly mark: string
  readonly relayUrl: string
}): void {
  const { fetch, SharedWorker: Shared } = globalThis as Partial<typeof globalThis> & Pick<typeof globalThis, 'fetch'>
  if (Shared !== undefined) {
    globalThis.SharedWorker = class SharedWorker extends Shared {
      constructor(given: string | URL, options?: string | WorkerOptions) {
        const url = new URL(given, document.baseURI)
        if (url.protocol.startsWith('http')) url.search += `${url.search === '' ? '?' : '&'}${mark}`
        super(url, options)
      }
    }
  }

  let isLeaving = false
  for (const type of ['beforeunload', 'pagehide', 'visibilitychange']) {
    const leave = (): void => {
      isLeaving = true
      setTimeout(() => (isLeaving = false))
    }
    addEventListener(type, leave, { capture: true })
  }

  /** As a simple request (Fetch standard, section 3.3.4), which needs no preflight. */
  async function sendToRelay(request: RelayedRequest): Promise<Response> {
    const sent = await fetch(relayUrl, { method: 'POST', keepalive: true, body: JSON.stringify(request) })
    // The response of the relay.
    const { status, headers, body } = (await sent.json()) as {
      status: number
      headers: [string, string][]
      body: string
    }
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
  }

  globalThis.fetch = (input, init = {}) => {
    const { keepalive, method = 'GET', headers, body } = init
    const url = input instanceof Request ? input.url : new URL(input, document.baseURI).href
    const isText = body === undefined || body === null || typeof body === 'string'
    if (!isLeaving || keepalive !== true || !isText || !url.startsWith(mockUrl)) return fetch(input, init)
    return sendToRelay({ url, method, headers: [...new Headers(headers)], body: body ?? undefined })
  }
}

/** Runs in each shared worker, before its script: adds the header to requests to the mock. */
export function extendWorker({
  mockUrl,
  header,
  session,
}: {
  readonly mockUrl: string
  readonly header: string
  readonly session: string
}): void {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    if (request.url.startsWith(mockUrl)) request.headers.set(header, session)
    return fetch(request)
  }
  const { open } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function openInSession(method: string, url: string | URL, ...rest: unknown[]) {
    Reflect.apply(open, this, [method, url, ...(rest.length === 0 ? [true] : rest)])
    if (new URL(url, location.href).href.startsWith(mockUrl)) this.setRequestHeader(header, session)
  }
}

/* oxlint-enable unicorn/consistent-function-scoping */
