import { encoder } from '../../service/http/body.ts'
import type { AdminRequest } from '../api/request.ts'
import { Problem } from '../../errors.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import type { toTestJson } from '../api/runs.ts'
import { toTestKey } from '../../sessions/session-test.ts'
import type { toWireMockEvent } from '../../sessions/journal/wiremock-json.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { toAnswerKey } from './app/shared-data.ts'
import type { SharedData } from './app/shared-data.ts'
import { findHistoryPath } from './app/views/requests/story-steps.ts'

/** The limits of a file: the tests of a run, the requests of each session, and the bytes of everything. */
const SHARE_LIMITS = { tests: 2000, requests: 200, bytes: 8 * 1024 * 1024 }

interface ListedRequests {
  readonly requests: readonly { readonly id: string; readonly status: number }[]
  readonly meta: { readonly total: number }
}

type ListedTest = ReturnType<typeof toTestJson>

interface ListedRun {
  readonly run: string
  readonly tests: readonly ListedTest[]
}

/** Reads a path of the admin API, such as `/runs`. Throws the problem that it answers with. */
type ReadPath = (path: string) => Promise<string>

const hasPassed = ({ status }: ListedTest): boolean => status === 'passed' || status === 'skipped'

/** The attempts at tests that did not pass at once, then the others; in each, the oldest first. */
function sortAttempts(attempts: readonly ListedTest[]): readonly ListedTest[] {
  const notable = new Set(attempts.filter((attempt) => !hasPassed(attempt)).map(toTestKey))
  const rank = (attempt: ListedTest): number => (notable.has(toTestKey(attempt)) ? 0 : 1)
  return attempts.toSorted((a, b) => rank(a) - rank(b))
}

function createRead(
  { origin, prefix, headers }: AdminRequest,
  sendAdmin: (request: Request) => Promise<Response>,
): ReadPath {
  const own = new Headers()
  for (const name of ['Authorization', 'Cookie']) {
    const value = headers.get(name)
    if (value !== null) own.set(name, value)
  }
  const slice = timeSlices.start()
  return async (path) => {
    const response = await sendAdmin(new Request(origin + prefix + ADMIN_PATH + path, { headers: own }))
    const text = await response.text()
    if (slice.isOver()) await slice.next()
    if (response.ok) return text
    const { message } = JSON.parse(text) as { readonly message: string }
    throw new Problem({ status: response.status, errors: [{ code: 'InvalidInput', message }] })
  }
}

/** In JSON, `<` could end the element. */
const toSafeJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)

type PathAnswer = readonly [path: string, text: string]

/** Collects the answers for a file until it is full. */
function createFile(read: ReadPath) {
  /** The members of the JSON object, by their keys. */
  const members = new Map<string, Uint8Array<ArrayBuffer>>()
  const counts = { listed: 0, total: 0, detailed: 0 }
  /** Added last, if it fits: less important than the details of all requests. */
  const rest = { coverage: new Array<string>(), copies: new Array<string>() }
  let bytes = 0

  /** Adds all answers or none; returns whether they fit. */
  function add(...answers: readonly PathAnswer[]): boolean {
    const added = new Map(
      answers.map(([path, text]) => {
        const key = toAnswerKey(path)
        return [key, encoder.encode(`${toSafeJson(key)}:${toSafeJson(text)}`)]
      }),
    )
    let sum = bytes
    for (const [key, { length }] of added) sum += members.has(key) ? 0 : length + 1
    if (sum > SHARE_LIMITS.bytes) return false
    bytes = sum
    for (const [key, member] of added) members.set(key, member)
    return true
  }

  /** The answers of some paths. Newer requests may have replaced a request, and a reset may have removed a resource. */
  async function readKnown(...paths: readonly string[]): Promise<readonly PathAnswer[]> {
    const answers: PathAnswer[] = []
    for (const path of paths) {
      try {
        answers.push([path, await read(path)])
      } catch (error) {
        if (!(error instanceof Problem)) throw error
      }
    }
    return answers
  }

  /** The history that the story of a conflict needs. */
  async function readHistory(entry: string, named: string): Promise<readonly PathAnswer[]> {
    const { request } = JSON.parse(entry) as ReturnType<typeof toWireMockEvent>
    const path = findHistoryPath(request.url, request.body)
    if (path === undefined || members.has(toAnswerKey(`${path}&${named}`))) return []
    return readKnown(`${path}&${named}`)
  }

  /** Adds the answers about a request; returns whether they fit. */
  async function addDetails({ id, status }: ListedRequests['requests'][number], named: string): Promise<boolean> {
    const details = await readKnown(`/requests/${id}?${named}`, `/requests/${id}/explanation?${named}`)
    const [entry] = details
    if (entry === undefined) return true
    const history = status === 409 ? await readHistory(entry[1], named) : []
    return add(...details, ...history)
  }

  /** Adds the answers of some paths; returns how many fit. */
  async function addUntilFull(paths: readonly string[]): Promise<number> {
    for (const [at, path] of paths.entries()) if (!add(...(await readKnown(path)))) return at
    return paths.length
  }

  return {
    members: () => members.values(),
    /** Adds a session; returns whether the list of its requests fits. */
    async addSession(session: string): Promise<boolean> {
      const named = `session=${encodeURIComponent(session)}`
      const path = `/requests?limit=${SHARE_LIMITS.requests}&summary=true&retries=true&periods=120&${named}`
      const list = JSON.parse(await read(path)) as ListedRequests
      const { requests, meta } = list
      // The file has no further page.
      const page = JSON.stringify({ ...list, meta: { ...meta, total: requests.length } })
      if (!add([path, page])) return false
      rest.coverage.push(`/coverage?${named}`)
      counts.listed += requests.length
      counts.total += meta.total
      for (const request of requests) {
        if (!(await addDetails(request, named))) break
        counts.detailed += 1
        rest.copies.push(`/requests/${request.id}/copies?${named}`)
      }
      return true
    },
    /** Adds a run with some of its tests. */
    addRun(run: ListedRun, tests: readonly ListedTest[]): void {
      add(
        ['/runs', JSON.stringify({ runs: [{ ...run, tests: undefined }] })],
        [`/runs/${encodeURIComponent(run.run)}`, JSON.stringify({ ...run, tests })],
      )
    },
    /** Adds coverage, and the requests as code for other tools. Returns what the file does not have, in sentences. */
    async finish(): Promise<readonly string[]> {
      const covered = await addUntilFull(rest.coverage)
      const copied = await addUntilFull(rest.copies)
      const { listed, total, detailed } = counts
      const isFull = covered < rest.coverage.length || copied < listed
      return [
        ...(listed < total
          ? [`It has the last ${SHARE_LIMITS.requests} requests of each session: ${listed} of ${total}.`]
          : []),
        ...(isFull
          ? [
              `The file is full (8 MB): it has the details of ${detailed} of ${listed} requests, code to copy for ${copied}, and the coverage of ${covered} of ${rest.coverage.length} sessions.`,
            ]
          : []),
      ]
    },
  }
}

/** The content of a file. */
interface ShareContent extends Omit<SharedData, 'answers'> {
  readonly file: ReturnType<typeof createFile>
}

/** The content of a file about a run: its tests, and what the mock saw of those that did not pass. */
async function collectRun(read: ReadPath, name: string): Promise<ShareContent> {
  const file = createFile(read)
  const run = JSON.parse(await read(`/runs/${encodeURIComponent(name)}`)) as ListedRun
  const tests = sortAttempts(run.tests).slice(0, SHARE_LIMITS.tests)
  file.addRun(run, tests)
  const wanted = tests.filter((test) => !hasPassed(test) && test.archive !== 'evicted')
  let missing = 0
  for (const { id } of wanted) if (!(await file.addSession(id))) missing += 1
  const leftOut = [
    ...(tests.length < run.tests.length ? [`It lists ${tests.length} of ${run.tests.length} attempts at tests.`] : []),
    'It has the requests of the tests that did not pass.',
    ...(missing > 0 ? [`Those of ${missing} tests are left out, since the file would be too large.`] : []),
    ...(await file.finish()),
  ]
  // The reader opens the session of a test.
  return { session: '', view: 'board', leftOut: leftOut.join(' '), file }
}

/** The content of a file about a session, with its test if it belongs to one. */
async function collectSession(read: ReadPath, { name, test }: AdminRequest['session']): Promise<ShareContent> {
  const file = createFile(read)
  if (test !== undefined) {
    const run = JSON.parse(await read(`/runs/${encodeURIComponent(test.run)}`)) as ListedRun
    file.addRun(
      run,
      run.tests.filter(({ id }) => id === test.id),
    )
  }
  await file.addSession(name)
  return { session: name, view: 'requests', leftOut: (await file.finish()).join(' '), file }
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
 * @throws {Problem} 404 if the run does not exist, 410 if the archive has dropped the session.
 */
export async function createSharePage(
  admin: AdminRequest,
  sendAdmin: (request: Request) => Promise<Response>,
): Promise<Response> {
  const read = createRead(admin, sendAdmin)
  const run = admin.query.get('run')
  const { file, ...data } = await (run === null ? collectSession(read, admin.session) : collectRun(read, run))
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
  const start = `<!doctype html>
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
<script type="application/json" id="shared-data">${toSafeJson(data).slice(0, -1)},"answers":{`
  const end = `}}</script>
<script type="module">${clientScript}</script>
</body>
</html>
`
  const answers = Array.from(file.members(), (member, at) => (at === 0 ? [member] : [',', member])).flat()
  return new Response(new Blob([start, ...answers, end]), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  })
}
