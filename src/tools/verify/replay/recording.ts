import { findJson } from '../../../service/http/json.ts'
import * as z from 'zod'
import { SetupError } from '../../../errors.ts'
import { decodeBase64 } from 'hono/utils/encode'
import { didYouMean } from '../../../util/did-you-mean.ts'
import { parseAnswer } from '../side.ts'
import type { SideAnswer } from '../side.ts'
import type { Transport } from '../transport.ts'

/** A request of a test, and what the mock answered. */
export interface Recorded {
  readonly method: string
  /** Without the session, region and cloud provider, and without the query. */
  readonly path: string
  readonly search: string
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer> | undefined
  readonly answer: SideAnswer
  /** Whether a scenario changed the answer, or broke the connection. */
  readonly isTouched: boolean
  /** Whether `Prefer` chose the answer, so that it says nothing about stored resources (D66). */
  readonly isPreferred: boolean
  /** Whether the recording does not have the whole request and answer. */
  readonly isCut: boolean
}

/** The requests of a test, or of a session that no test owns. */
export interface RecordedTest {
  readonly title: string
  readonly exchanges: readonly Recorded[]
}

const pair = z.object({ name: z.string(), value: z.string() })
const content = z.object({
  text: z.string().optional(),
  encoding: z.string().optional(),
  comment: z.string().optional(),
})

const archive = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers: z.array(pair),
          postData: content.optional(),
        }),
        response: z.object({ status: z.int(), headers: z.array(pair), content }),
        _session: z.string().optional(),
        _scenarios: z.array(z.string()).optional(),
      }),
    ),
  }),
})

type ArchiveEntry = z.output<typeof archive>['log']['entries'][number]

const toRecordedHeaders = (pairs: readonly z.output<typeof pair>[]): Headers => {
  const headers = new Headers()
  // Names such as `:method` of HTTP/2 are not header fields.
  for (const { name, value } of pairs) if (!name.startsWith(':')) headers.append(name, value.replace(/[\r\n]+/g, ' '))
  return headers
}

const toContentBytes = ({ text = '', encoding }: z.output<typeof content>): Uint8Array<ArrayBuffer> =>
  encoding === 'base64' ? Uint8Array.from(decodeBase64(text)) : new TextEncoder().encode(text)

/** The parts of a path: session, base URL with region and cloud provider, and the path in the service (D52). */
const PATH = /^(?:\/@(?<session>[^/]+))?(?<base>\/[^/]+\/(?!resource\/)[^/]+(?=\/[^/]+\/resource(?:\/|$)))?(?<path>.*)$/

const toPlace = ({ url }: ArchiveEntry['request']) => {
  const { pathname, search } = new URL(url, 'http://mock')
  const { session, base = '', path = pathname } = PATH.exec(pathname)?.groups ?? {}
  return { session, base, path, search: search.slice(1) }
}

function toRecorded({ request, response, _scenarios: scenarios = [] }: ArchiveEntry): Recorded {
  const { path, search } = toPlace(request)
  const { comment } = response.content
  const answer = {
    status: Math.max(0, response.status),
    headers: toRecordedHeaders(response.headers),
    text: new TextDecoder().decode(toContentBytes(response.content)),
  }
  return {
    method: request.method,
    path,
    search,
    headers: toRecordedHeaders(request.headers),
    body: request.postData === undefined ? undefined : toContentBytes(request.postData),
    answer: parseAnswer(answer),
    isTouched: scenarios.length > 0 || response.status < 100,
    isPreferred: /code=|example=|dynamic/.test(answer.headers.get('Preference-Applied') ?? ''),
    isCut: request.postData?.comment !== undefined || comment !== undefined,
  }
}

/**
 * Parses an HTTP Archive: one test for each session and base URL.
 *
 * @param name names the file in errors
 * @throws {SetupError} if it is not one.
 */
export function parseArchive(text: string, name: string, title?: string): readonly RecordedTest[] {
  const { data } = archive.safeParse(findJson(text))
  if (data === undefined)
    throw new SetupError(`${name} is not an HTTP Archive of the mock. Save one from /__admin/requests.har.`)
  if (!data.log.entries.some(({ request }) => /\/resource(?:\/|$)/.test(toPlace(request).path)))
    throw new SetupError(
      `${name} has no requests to the mock. Save an archive from /__admin/requests.har after the tests.`,
    )
  const sessions = new Map<string, Recorded[]>()
  for (const entry of data.log.entries) {
    const recorded = toRecorded(entry)
    const { session = recorded.headers.get('X-Mock-Session') ?? 'default', base } = toPlace(entry.request)
    const name = `${entry._session ?? session}${base}`
    sessions.set(name, [...(sessions.get(name) ?? []), recorded])
  }
  return [...sessions].map(([name, exchanges]) => ({ title: title ?? name, exchanges }))
}

const runs = z.object({ runs: z.array(z.object({ run: z.string(), startedAt: z.string() })) })
const run = z.object({ tests: z.array(z.object({ id: z.string(), title: z.array(z.string()), archive: z.string() })) })

/**
 * Reads the requests of a run from a mock that is up.
 *
 * @param name a run, or `latest`
 * @throws {SetupError} if the mock does not have it.
 */
export async function readRun(
  name: string,
  { mock, transport, timeout }: { readonly mock: string; readonly transport: Transport; readonly timeout: number },
): Promise<{ readonly tests: readonly RecordedTest[]; readonly evicted: number }> {
  async function read(path: string): Promise<string> {
    const request = { url: `${mock}/__admin${path}`, method: 'GET', headers: { Accept: 'application/json' }, timeout }
    const response = await transport(request).catch(() => undefined)
    if (response?.status === 200) return response.text
    throw new SetupError(
      `No run can be read from ${mock}: GET /__admin${path} ${response === undefined ? 'got no response' : `returned ${response.status}`}. Check --mock.`,
    )
  }
  const known = runs.parse(JSON.parse(await read('/runs'))).runs
  const latest = known.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1))[0]?.run
  const chosen = name === 'latest' ? latest : name
  if (chosen === undefined || !known.some((one) => one.run === chosen)) {
    const names = known.map((one) => one.run)
    throw new SetupError(
      `The mock has no run ${JSON.stringify(name)}.${didYouMean(name, names)} GET /__admin/runs lists all runs.`,
    )
  }
  const { tests } = run.parse(JSON.parse(await read(`/runs/${encodeURIComponent(chosen)}`)))
  const kept = tests.filter((one) => one.archive !== 'evicted')
  const all: RecordedTest[] = []
  for (const { id, title } of kept) {
    all.push(...parseArchive(await read(`/requests.har?session=${encodeURIComponent(id)}`), id, title.join(' › ')))
  }
  return { tests: all, evicted: tests.length - kept.length }
}
