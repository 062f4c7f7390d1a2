import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { problem } from '../errors.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { DEFAULT_SESSION } from '../sessions/sessions.ts'
import type { TryForm } from './form.ts'
import type { ViewContext } from './view-context.ts'

/** Timeout of a request, in milliseconds. */
const PATIENCE = 30_000

/** The fields of a form whose name begins so, by the rest of their names; empty ones are left out. */
const fieldsOf = (fields: URLSearchParams, prefix: string): readonly (readonly [string, string])[] =>
  [...fields].flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== '' ? [[name.slice(prefix.length), value] as const] : [],
  )

/** A line each for what may be given several times. */
const toLines = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '')

/** `text.en=table` as name and value. */
function toPair(line: string): [string, string] {
  const end = line.indexOf('=')
  return end === -1 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)]
}

function toUrl(operation: OperationId, fields: URLSearchParams, origin: string): string {
  const parameters = new Map(fieldsOf(fields, 'path.'))
  const path = endpoints[operation].path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(parameters.get(name) ?? ''),
  )
  const named = fieldsOf(fields, 'query.').flatMap(([name, text]) => toLines(text).map((value) => [name, value]))
  const families = fieldsOf(fields, 'family.').flatMap(([, text]) => toLines(text).map(toPair))
  const query = [...named, ...families]
  return `${origin}${path}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`
}

/** The token that was chosen: one that spells scopes (D32), one with all scopes, or none. */
function findAuthorization(fields: URLSearchParams): string | undefined {
  const choice = fields.get('token')
  if (choice === 'none') return undefined
  if (choice === 'any') return 'Bearer any-token'
  const project = fields.get('path.projectKey') ?? ''
  const scopes = fields.getAll('scope').map((scope) => `${scope}:${project}`)
  return `Bearer ${scopes.length === 0 ? `view_nothing:${project}` : scopes.join(',')}`
}

/** What a sentence shows of what was written. */
const toShown = (text: string): string => JSON.stringify(text.slice(0, 100))

/** @throws {Problem} 400 where an image is needed and no file was chosen. */
function findBody({ operation, fields, file }: TryForm): BodyInit | undefined {
  const endpoint = endpoints[operation]
  if (!('body' in endpoint)) return undefined
  if (endpoint.body.kind !== 'image') return fields.get('body') || undefined
  if (file !== undefined) return file
  throw problem.invalidField({ field: 'body', invalidValue: '', message: 'Choose an image file to send.' })
}

interface Header {
  readonly name: string
  readonly value: string
  /** The form's field that it is of. */
  readonly field: string
  /** What to do where it cannot be sent. */
  readonly remedy: string
}

const toHeader = ([name, value]: readonly [string, string]): Header => ({
  name,
  value,
  field: `header.${name}`,
  remedy: `Percent-encode it: ${encodeURIComponent(value).slice(0, 300)}`,
})

function listHeaders(fields: URLSearchParams): readonly Header[] {
  const own = fieldsOf(fields, 'header.').map(toHeader)
  const authorization = findAuthorization(fields)
  if (authorization === undefined) return own
  const remedy = 'Choose the token with all scopes, or another project key.'
  return [...own, { name: 'Authorization', value: authorization, field: 'token', remedy }]
}

/** Sets a header, unless there is a character in it that none can hold (Fetch standard, section 2.2.2). */
function setHeader(headers: Headers, { name, value, field, remedy }: Header): void {
  try {
    headers.set(name, value)
  } catch {
    throw problem.invalidField({
      field,
      invalidValue: value,
      message: `The header ${name} cannot be ${toShown(value)}: it holds no character beyond U+00FF, and no line break. ${remedy}`,
    })
  }
}

/**
 * Builds the request that a form describes. `correlationId` is what it is found by in the journal.
 *
 * @throws {Problem} 400 for what no request can carry.
 */
function toRequest(form: TryForm, { origin, session }: ViewContext, correlationId: string): Request {
  const { operation, fields, file } = form
  const headers = new Headers()
  for (const header of listHeaders(fields)) setHeader(headers, header)
  headers.set('X-Correlation-ID', correlationId)
  if (session.name !== DEFAULT_SESSION) headers.set('X-Mock-Session', session.name)
  const body = findBody(form)
  if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', file?.type ?? 'application/json')
  return new Request(toUrl(operation, fields, origin), {
    method: endpoints[operation].method,
    headers,
    body: body ?? null,
    signal: AbortSignal.timeout(PATIENCE),
  })
}

/**
 * Sends what a form describes to the mock, and finds what the journal has of it.
 *
 * @throws {Problem} 400 for what cannot be sent.
 */
export async function tryOut(form: TryForm, context: ViewContext): Promise<JournalEntry | undefined> {
  const correlationId = `try-${crypto.randomUUID()}`
  const request = toRequest(form, context, correlationId)
  try {
    const response = await context.parts.ask(request)
    // Read to its end: a body that comes in pieces is recorded with the last of them.
    await response.arrayBuffer()
  } catch {
    // A scenario broke the connection off; the journal tells how.
  }
  return context.session.journal.entries().findLast((entry) => entry.correlationId === correlationId)
}
