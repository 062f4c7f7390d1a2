import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const page = readFileSync(join(root, 'docs/ssr.md'), 'utf8')

/** The files on the page. */
const recipes = new Map(
  Array.from(page.matchAll(/^```[jt]s\n\/\/ (\S+)\n([^]*?)^```$/gm), ([, path = '', text = '']) => [path, text]),
)

/** The framework modules, with their types of requests: `incoming` is the test's. */
const modules: Readonly<Record<string, string>> = {
  'next/headers': 'export const headers = async () => globalThis.incoming.headers',
  '#imports': `
    export const useRuntimeConfig = () => ({ public: { apiUrl: API_URL } })
    export const useRequestHeaders = (names) =>
      Object.fromEntries(names.flatMap((name) => name in globalThis.incoming ? [[name, globalThis.incoming[name]]] : []))
    export const useFetch = async (path, { baseURL, headers }) => (await fetch(baseURL + path, { headers })).json()`,
  h3: 'export const defineEventHandler = (handle) => handle; export const getRequestHeaders = (event) => event.node.req.headers',
}

type Recipe = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>

/** Bundles a recipe as a framework does, for an API at that address. */
async function load(path: string, apiUrl: string): Promise<Recipe> {
  const apiUrlText = JSON.stringify(apiUrl)
  const { outputFiles } = await build({
    stdin: { contents: recipes.get(path) ?? expect.fail(`docs/ssr.md has no ${path}.`), loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.API_URL': apiUrlText },
    plugins: [
      {
        name: 'frameworks',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^resource-mock\/ssr$/ }, () => ({ path: join(root, 'src/ssr.ts') }))
          onResolve({ filter: /^[a-z#$]/ }, ({ path }) =>
            path in modules ? { path, namespace: 'framework' } : undefined,
          )
          onLoad({ filter: /./, namespace: 'framework' }, ({ path }) => ({
            contents: `const API_URL = ${apiUrlText}\n${modules[path]}`,
          }))
        },
      },
    ],
  })
  const [{ text } = { text: '' }] = outputFiles
  // The recipe's own exports.
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`)) as Recipe
}

const COOKIE = 'theme=dark; mock-session=visitor'

const createRequest = () => new Request('http://app/page', { headers: { Cookie: COOKIE } })

/** Serves one visitor's request with Node's own server. */
async function serveVisitor(listen: (request: IncomingMessage) => Promise<unknown>): Promise<void> {
  const listener: RequestListener = (request, response) => {
    void listen(request).then(
      () => response.end(),
      (fault: unknown) => response.writeHead(500).end(String(fault)),
    )
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  // An address object, since the server listens on a port.
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { Cookie: COOKIE } })
  expect([response.status, await response.text()]).toEqual([200, ''])
}

/** Calls each recipe as its framework does. */
const calls: Readonly<Record<string, (recipe: Recipe) => Promise<unknown>>> = {
  'fetch-on-the-server.ts': ({ listResources }) => listResources?.(createRequest()) ?? Promise.resolve(),
  'next/app/api.ts': ({ api }) => withIncoming(createRequest(), async () => api?.('/acme/resource')),
  'next/pages/resources.ts': (recipe) => serveVisitor(async (req) => recipe['getServerSideProps']?.({ req })),
  'react-router/app/routes/resources.ts': async ({ loader }) => loader?.({ request: createRequest(), params: {} }),
  'nuxt/composables/use-api.ts': ({ useApi }) =>
    withIncoming({ cookie: COOKIE }, async () => useApi?.('/acme/resource')),
  'nuxt/server/api/resources.ts': (recipe) => serveVisitor(async (req) => recipe['default']?.({ node: { req } })),
  'express/server.js': ({ sendResources }) =>
    serveVisitor(async (request) => sendResources?.(request, { end: () => undefined })),
}

/** Runs a recipe inside a framework that provides the current request. */
async function withIncoming(incoming: unknown, run: () => Promise<unknown>): Promise<void> {
  Object.assign(globalThis, { incoming })
  try {
    await run()
  } finally {
    Reflect.deleteProperty(globalThis, 'incoming')
  }
}

describe('docs/ssr.md', () => {
  it('has no untested recipe', () => {
    expect([...recipes.keys()].toSorted()).toEqual([...Object.keys(calls), 'sveltekit/src/hooks.server.ts'].toSorted())
  })

  it.each(Object.entries(calls))("%s sends the request in the visitor's session", async (path, call) => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    await call(await load(path, server.url))
    const requests = await server.mock.session('visitor').requests()
    expect(requests.map(({ url, response }) => [url, response.status])).toEqual([['/acme/resource', 200]])
  })

  it.each([
    ["the API, in the visitor's session", '', 'visitor'],
    ['another host, without the session', 'http://other.test', null],
  ])('sveltekit/src/hooks.server.ts sends a request to %s', async (_where, host, session) => {
    const apiUrl = 'http://api.test'
    const { handleFetch } = await load('sveltekit/src/hooks.server.ts', apiUrl)
    const sent: Request[] = []
    await handleFetch?.({
      event: { request: createRequest() },
      request: new Request(`${host === '' ? apiUrl : host}/acme/resource`),
      fetch: async (request: Request) => {
        sent.push(request)
        return new Response()
      },
    })
    expect(sent.map(({ headers }) => headers.get('X-Mock-Session'))).toEqual([session])
  })
})
