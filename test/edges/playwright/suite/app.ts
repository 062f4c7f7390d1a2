import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Whether the page sends cookies to another origin. */
type Credentials = 'include' | 'same-origin'

const page = (api: string, credentials: Credentials): string => `<!doctype html>
<title>Resources</title>
<h1>Resources</h1>
<ul></ul>
<form><input name="key" aria-label="Key"><button>Create</button></form>
<button id="save" disabled>Save</button>
<p role="status"></p>
<script type="module">
  const api = globalThis.API_URL ?? ${JSON.stringify(api)}
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
  const call = (path, init) => fetch(api + path, { credentials: '${credentials}', headers, ...init })
  const say = (text) => { document.querySelector('[role=status]').textContent = text }

  let resources = []
  async function list() {
    const response = await call('/acme/resource?limit=500')
    if (!response.ok) return say('Failed: ' + response.status)
    resources = (await response.json()).results
    document.querySelector('ul').replaceChildren(...resources.map(({ key, version }) => {
      const item = document.createElement('li')
      item.textContent = key + ' v' + version
      return item
    }))
    document.querySelector('#save').disabled = resources.length === 0
    say('Listed')
  }

  async function save({ id, version }) {
    const body = JSON.stringify({ version, actions: [{ action: 'doSomeThing' }] })
    const response = await call('/acme/resource/' + id, { method: 'POST', body })
    const { errors } = response.ok ? {} : await response.json()
    return errors === undefined ? 'Saved' : { id, version: errors[0].currentVersion }
  }

  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const key = new FormData(event.target).get('key')
    await call('/acme/resource', { method: 'POST', body: JSON.stringify({ key, objectTypeProperty: {} }) })
    await list()
  })
  document.querySelector('#save').addEventListener('click', async () => {
    const first = await save(resources[0])
    if (first === 'Saved') return say(first)
    await save(first)
    say('Saved after a conflict')
  })
  await list()
</script>`

/** A page that sends its requests from a service worker. */
const workerPage = `<!doctype html>
<title>Worker</title>
<p role="status"></p>
<script type="module">
  await navigator.serviceWorker.register('/worker.js')
  await navigator.serviceWorker.ready
  if (navigator.serviceWorker.controller === null) {
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  }
  document.querySelector('[role=status]').textContent = await (await fetch('/from-worker')).text()
</script>`

const worker = (api: string): string => `
  const headers = { Authorization: 'Bearer any' }
  async function list() {
    const response = await fetch(${JSON.stringify(api)} + '/acme/resource', { headers })
    const { results } = await response.json()
    return new Response(results.map(({ key }) => key).join(', '))
  }
  addEventListener('install', () => skipWaiting())
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => {
    if (new URL(event.request.url).pathname === '/from-worker') event.respondWith(list())
  })`

/** A shared worker that lists the keys on request. */
const sharedWorker = (api: string): string => `
  const headers = { Authorization: 'Bearer any' }
  onconnect = ({ ports: [port] }) => {
    port.onmessage = async () => {
      const response = await fetch(${JSON.stringify(api)} + '/acme/resource', { headers, credentials: 'include' })
      const { results } = await response.json()
      port.postMessage(results.map(({ key }) => key).join(', '))
    }
  }`

/** Sends a server-rendered page's request to the API, on behalf of the visitor. */
export type ToApiHeaders = (request: IncomingMessage) => Record<string, string>

const passCookieOn: ToApiHeaders = ({ headers: { cookie } }) => ({
  Authorization: 'Bearer any',
  ...(cookie === undefined ? {} : { Cookie: cookie }),
})

/** A page that is rendered on the server. */
async function render(api: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${api}/acme/resource?limit=500`, { headers })
  const { results } = (await response.json()) as { readonly results: readonly { readonly key: string }[] }
  return `<!doctype html><title>Rendered</title><ul>${results.map(({ key }) => `<li>${key}</li>`).join('')}</ul>`
}

/** The app under test. */
export interface App {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves a page that calls the API from the browser at `/`, and a server-rendered page at `/rendered`.
 *
 * @param api the API's base URL, unless overridden by the page's global `API_URL`, or by `?api=` for the server-rendered
 * page
 */
export async function serveApp(api: string, toApiHeaders = passCookieOn): Promise<App> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://app')
    response.setHeader('Content-Type', 'text/html')
    if (pathname === '/') response.end(page(api, 'include'))
    else if (pathname === '/plain') response.end(page(api, 'same-origin'))
    else if (pathname === '/worker') response.end(workerPage)
    else if (pathname === '/worker.js') response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(worker(api))
    else if (pathname === '/shared.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(sharedWorker(api))
    } else if (pathname === '/rendered') {
      void render(searchParams.get('api') ?? api, toApiHeaders(request)).then((html) => response.end(html))
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a TCP port, so the address is an object.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
