import type { RequestChanges } from '../admin/requests.ts'
import { problem } from '../errors.ts'
import type { JournalEntry } from '../journal/record.ts'
import { fillSecrets, toSendableHeaders } from '../journal/har.ts'
import { toSent } from '../journal/target.ts'
import { toPrettyText } from './pretty.ts'

/** The fields of the form that sends a request again, as they are filled in. */
export interface ResendFields {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** `name: value`, one per line. */
  readonly headers: string
  /** Empty for a body that a text area cannot show whole. */
  readonly body: string
}

export function toResendFields(entry: JournalEntry): ResendFields {
  const { method, url, body } = entry.request
  return {
    method,
    url: fillSecrets(toSent(url)),
    headers: toSendableHeaders(entry)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: body?.encoding === 'utf-8' && !body.isCut ? toPrettyText(fillSecrets(body.text)) : '',
  }
}

/** @throws {Problem} 400 for a line without a colon. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      if (at > 0) return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
      throw problem.invalidField({
        field: 'resend-headers',
        invalidValue: line,
        message: `The header ${JSON.stringify(line.slice(0, 100))} has no name. Write one "name: value" per line.`,
      })
    }),
  )
}

/**
 * What a form changes of a request.
 *
 * @throws {Problem} 400 for headers that are not lines of `name: value`.
 */
export function readChanges(entry: JournalEntry, form: URLSearchParams): RequestChanges {
  const first = toResendFields(entry)
  // A browser sends line breaks as CRLF.
  const read = (name: keyof ResendFields): string =>
    (form.get(`resend-${name}`) ?? first[name]).replaceAll('\r\n', '\n')
  const left = Object.fromEntries(toSendableHeaders(entry).map(([name]) => [name, null]))
  const body = read('body')
  return {
    method: read('method').trim().toUpperCase(),
    url: read('url').trim(),
    headers: { ...left, ...parseHeaders(read('headers')) },
    ...(body === first.body ? {} : { body }),
  }
}
