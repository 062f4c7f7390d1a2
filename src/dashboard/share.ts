import type { AdminRequest } from '../admin/request.ts'
import { Problem } from '../errors.ts'
import { ADMIN_PATH } from '../http/request-head.ts'
import type { SharedData } from './app/api.ts'

/** The limits of a file: the tests of a run, the requests of each session, and all of it in characters of JSON. */
const LIMITS = { tests: 2000, requests: 200, characters: 8 * 1024 * 1024 }

interface ListedRequests {
  readonly requests: readonly { readonly id: string }[]
  readonly meta: { readonly total: number }
}

interface ListedTest {
  readonly id: string
  readonly status?: string
  readonly archive: string
}

interface ListedRun {
  readonly run: string
  readonly tests: readonly ListedTest[]
}

/** Reads a path of the admin API, such as `/runs`. Throws the problem that it answers with. */
type Read = (path: string) => Promise<string>

const hasPassed = ({ status }: ListedTest): boolean => status === 'passed' || status === 'skipped'

function createRead(
  { origin, prefix, headers }: AdminRequest,
  sendAdmin: (request: Request) => Promise<Response>,
): Read {
  const own = new Headers()
  for (const name of ['Authorization', 'Cookie']) {
    const value = headers.get(name)
    if (value !== null) own.set(name, value)
  }
  return async (path) => {
    const response = await sendAdmin(new Request(origin + prefix + ADMIN_PATH + path, { headers: own }))
    const text = await response.text()
    if (response.ok) return text
    const { message } = JSON.parse(text) as { readonly message: string }
    throw new Problem({ status: response.status, errors: [{ code: 'InvalidInput', message }] })
  }
}

/** Collects the answers for a file until it is full. */
function createFile(read: Read) {
  const answers: Record<string, string> = {}
  const leftOut: string[] = []
  let characters = 0

  /** Whether there was room. */
  function add(path: string, text: string): boolean {
    if (characters + text.length > LIMITS.characters) return false
    characters += text.length
    answers[path] = text
    return true
  }

  return {
    answers,
    leftOut,
    add,
    /** Adds a session; returns whether there was room for its requests. */
    async addSession(session: string): Promise<boolean> {
      const named = `session=${encodeURIComponent(session)}`
      const list = await read(`/requests?limit=${LIMITS.requests}&retries=true&${named}`)
      const { requests, meta } = JSON.parse(list) as ListedRequests
      // The file has no further page.
      const page = JSON.stringify({ requests, meta: { ...meta, total: requests.length } })
      if (!add(`/requests?session=${session}`, page)) return false
      if (requests.length < meta.total) {
        leftOut.push(`Of session ${session} it has the last ${requests.length} of ${meta.total} requests.`)
      }
      add(`/coverage?session=${session}`, await read(`/coverage?${named}`))
      for (const { id } of requests) {
        const path = `/requests/${id}/explanation`
        add(`${path}?session=${session}`, await read(`${path}?${named}`))
      }
      return true
    },
    /** Adds a run with some of its tests. */
    addRun(run: ListedRun, tests: readonly ListedTest[]): void {
      add('/runs', JSON.stringify({ runs: [{ ...run, tests: undefined }] }))
      add(`/runs/${encodeURIComponent(run.run)}`, JSON.stringify({ ...run, tests }))
    },
  }
}

/** The data of a file about a run: its tests, and what the mock saw of those that did not pass. */
async function collectRun(read: Read, name: string): Promise<SharedData> {
  const file = createFile(read)
  const run = JSON.parse(await read(`/runs/${encodeURIComponent(name)}`)) as ListedRun
  const tests = run.tests.toSorted((a, b) => Number(hasPassed(a)) - Number(hasPassed(b))).slice(0, LIMITS.tests)
  file.addRun(run, tests)
  if (tests.length < run.tests.length) file.leftOut.push(`It lists ${tests.length} of ${run.tests.length} tests.`)
  const wanted = tests.filter((test) => !hasPassed(test) && test.archive !== 'evicted')
  let missing = 0
  for (const { id } of wanted) if (!(await file.addSession(id))) missing += 1
  file.leftOut.push('It has the requests of the tests that did not pass.')
  if (missing > 0) file.leftOut.push(`Those of ${missing} tests are left out, since the file would be too large.`)
  return { session: wanted[0]?.id ?? 'none', view: 'board', leftOut: file.leftOut.join(' '), answers: file.answers }
}

/** The data of a file about a session, with its test if it belongs to one. */
async function collectSession(read: Read, { name, test }: AdminRequest['session']): Promise<SharedData> {
  const file = createFile(read)
  if (!(await file.addSession(name))) file.leftOut.push('Its requests are left out, since the file would be too large.')
  if (test !== undefined) {
    const run = JSON.parse(await read(`/runs/${encodeURIComponent(test.run)}`)) as ListedRun
    file.addRun(
      run,
      run.tests.filter(({ id }) => id === test.id),
    )
  }
  return { session: name, view: 'requests', leftOut: file.leftOut.join(' '), answers: file.answers }
}

async function toSource(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...hash))}'`
}

/**
 * Creates a page that shows a session, or a run (`?run=`), without a mock: everything is in the file, and its policy allows
 * only its own script and style sheet.
 *
 * @param sendAdmin sends a request to the admin API
 * @throws {Problem} 404 if there is no such run, 410 if the archive no longer has the session.
 */
export async function createSharePage(
  admin: AdminRequest,
  sendAdmin: (request: Request) => Promise<Response>,
): Promise<Response> {
  const read = createRead(admin, sendAdmin)
  const run = admin.query.get('run')
  const data = run === null ? await collectSession(read, admin.session) : await collectRun(read, run)
  const { clientScript, clientStyle } = await import('./built-client.ts')
  const policy = [
    "default-src 'none'",
    `script-src ${await toSource(clientScript)}`,
    `style-src ${await toSource(clientStyle)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  // In JSON, `<` could end the element.
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>resource-mock</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${clientStyle}</style>
</head>
<body>
<noscript>This file needs JavaScript.</noscript>
<script type="application/json" id="shared-data">${json}</script>
<script type="module">${clientScript}</script>
</body>
</html>
`
  return new Response(page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  })
}
