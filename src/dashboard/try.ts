import { sendRecorded } from '../admin/requests.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { problem } from '../errors.ts'
import type { JournalEntry } from '../journal/record.ts'
import { DEFAULT_SESSION } from '../sessions/sessions.ts'
import type { TryForm } from './form.ts'
import type { ViewContext } from './view-context.ts'

/** The fields whose names have a prefix, without it; empty fields are left out. */
const fieldsOf = (fields: URLSearchParams, prefix: string): readonly (readonly [string, string])[] =>
  [...fields].flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== '' ? [[name.slice(prefix.length), value] as const] : [],
  )

/** Values of a repeatable parameter, one per line. */
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

/** The chosen token: one that lists its scopes (D32), one with all scopes, or none. */
function findAuthorization(fields: URLSearchParams): string | undefined {
  const choice = fields.get('token')
  if (choice === 'none') return undefined
  if (choice === 'any') return 'Bearer any-token'
  const project = fields.get('path.projectKey') ?? ''
  const scopes = fields.getAll('scope').map((scope) => `${scope}:${project}`)
  return `Bearer ${scopes.length === 0 ? `view_nothing:${project}` : scopes.join(',')}`
}

/** User input as an error sentence shows it. */
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
  /** The field of the form that it comes from. */
  readonly field: string
  /** What to do if it cannot be sent. */
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

/**
 * Sets a header.
 *
 * @throws {Problem} 400 for a value that no header can have (Fetch standard, section 2.2.2).
 */
function setHeader(headers: Headers, { name, value, field, remedy }: Header): void {
  try {
    headers.set(name, value)
  } catch {
    throw problem.invalidField({
      field,
      invalidValue: value,
      message: `The header ${name} cannot be ${toShown(value)}: header values cannot contain line breaks or characters beyond U+00FF. ${remedy}`,
    })
  }
}

/**
 * Builds the request that a form describes.
 *
 * @throws {Problem} 400 for a header that cannot be sent, or a missing file.
 */
function toRequest(form: TryForm, { origin, session }: ViewContext, signal: AbortSignal): Request {
  const { operation, fields, file } = form
  const headers = new Headers()
  for (const header of listHeaders(fields)) setHeader(headers, header)
  if (session.name !== DEFAULT_SESSION) headers.set('X-Mock-Session', session.name)
  const body = findBody(form)
  if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', file?.type ?? 'application/json')
  return new Request(toUrl(operation, fields, origin), {
    method: endpoints[operation].method,
    headers,
    body: body ?? null,
    signal,
  })
}

/**
 * Sends the request that a form describes to the mock, and returns its journal entry.
 *
 * @throws {Problem} 400 for a request that cannot be sent.
 */
export const tryOut = (form: TryForm, context: ViewContext): Promise<JournalEntry | undefined> =>
  sendRecorded(context.session, `try-${crypto.randomUUID()}`, context.parts, (signal) =>
    toRequest(form, context, signal),
  )
