import type { AdminRequest } from '../admin/request.ts'
import { isOperation, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { toText } from '../http/body.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { AdminCall } from './admin-call.ts'
import { expectTheme } from './theme.ts'
import type { Theme } from './theme.ts'

/** Calls the admin API, one request after the other. */
export interface CallsForm {
  readonly kind: 'calls'
  readonly calls: readonly AdminCall[]
  readonly fields: URLSearchParams
}

/** Sends a request of the contract. */
export interface TryForm {
  readonly kind: 'try'
  readonly operation: OperationId
  readonly fields: URLSearchParams
  readonly file: File | undefined
}

/** Sends a request of the journal again, by its id. */
export interface ResendForm {
  readonly kind: 'resend'
  readonly id: string
  readonly fields: URLSearchParams
}

/** Changes the theme. */
export interface ThemeForm {
  readonly kind: 'theme'
  readonly theme: Theme
}

/** Undoes a change, by the number of its undo. */
export interface UndoForm {
  readonly kind: 'undo'
  readonly number: string
  readonly fields: URLSearchParams
}

/** A form of the dashboard (D88). */
export type Form = CallsForm | TryForm | ResendForm | ThemeForm | UndoForm

/** The size limit of a form, which may contain a record twice, percent-encoded. */
const MOST_BYTES = 64 * 1024 * 1024

/** More than any form of the dashboard has. */
const MOST_STEPS = 100

const FORM_TYPE = 'application/x-www-form-urlencoded'
/** The type of a form with a file. */
const FILE_FORM_TYPE = 'multipart/form-data'

type Fields = Pick<TryForm, 'fields' | 'file'>

function expectOperation(name: string): OperationId {
  if (isOperation(name)) return name
  const shown = JSON.stringify(name.slice(0, 100))
  throw problem.invalidField({
    field: 'try',
    invalidValue: name,
    message: `Unknown operation ${shown}.${didYouMean(name, operationIds)} The dashboard's view "Contract" lists them.`,
  })
}

/** @throws {Problem} 400 for bytes that are not such a form. */
async function parseFileForm(bytes: Uint8Array, type: string): Promise<Fields> {
  const form = await new Response(Uint8Array.from(bytes), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => undefined)
  if (form === undefined) {
    throw problem.invalidInput('The form is not valid multipart/form-data. Reload the page and send it again.')
  }
  const fields = new URLSearchParams()
  let file: File | undefined
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value)
    // Browsers send a file without a name if none was chosen.
    else if (value.name !== '') file = value
  }
  return { fields, file }
}

/** @throws {Problem} 415 for a body that is not a form, or is compressed. */
async function readFields({ headers, readBytes }: AdminRequest): Promise<Fields> {
  // A form may be longer than any JSON body, and no browser compresses one: a few kilobytes shall not become 64 MB.
  const encoding = headers.get('Content-Encoding') ?? 'identity'
  if (encoding !== 'identity') throw problem.unsupportedContentEncoding(encoding, ['identity'])
  const type = headers.get('Content-Type') ?? FORM_TYPE
  const name = type.split(';', 1)[0]?.trim().toLowerCase()
  if (name === FORM_TYPE) return { fields: new URLSearchParams(toText(await readBytes(MOST_BYTES))), file: undefined }
  if (name === FILE_FORM_TYPE) return parseFileForm(await readBytes(MOST_BYTES), type)
  throw problem.unsupportedMediaType(type, [FORM_TYPE, FILE_FORM_TYPE])
}

/**
 * Reads the form in a request.
 *
 * @throws {Problem} 415 for a body that is not a form or is compressed, 400 for a form that asks for something unknown.
 */
export async function readForm(request: AdminRequest): Promise<Form> {
  const { fields, file } = await readFields(request)
  const tried = fields.get('try')
  if (tried !== null) return { kind: 'try', operation: expectOperation(tried), fields, file }
  const id = fields.get('resend')
  if (id !== null) return { kind: 'resend', id, fields }
  const theme = fields.get('theme')
  if (theme !== null) return { kind: 'theme', theme: expectTheme(theme) }
  const number = fields.get('takeBack')
  if (number !== null) return { kind: 'undo', number, fields }
  const calls = fields.getAll('step')
  if (calls.length > MOST_STEPS) {
    throw problem.invalidInput(
      `The form has ${calls.length} steps; the limit is ${MOST_STEPS}. Split it into several forms.`,
    )
  }
  if (calls.length > 0) return { kind: 'calls', calls, fields }
  const given = [...fields.keys()].join(', ').slice(0, 200)
  throw problem.invalidInput(
    `The form needs a field step, try, resend, theme or takeBack. It has ${given === '' ? 'no fields' : given}. GET /__admin lists the paths of the admin API.`,
  )
}
