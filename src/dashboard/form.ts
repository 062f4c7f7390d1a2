import type { AdminRequest } from '../admin/route.ts'
import { operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { didYouMean } from '../did-you-mean.ts'
import { problem } from '../errors.ts'
import type { Step } from './step.ts'
import { expectTheme } from './theme.ts'
import type { Theme } from './theme.ts'
import { isOperation } from './verdict.ts'

/** Asks for requests to the admin API, one after the other. */
export interface StepsForm {
  readonly kind: 'steps'
  readonly steps: readonly Step[]
  readonly fields: URLSearchParams
}

/** Asks for a request of the contract, as its fields say. */
export interface TryForm {
  readonly kind: 'try'
  readonly operation: OperationId
  readonly fields: URLSearchParams
}

/** Asks for other colours. */
export interface ThemeForm {
  readonly kind: 'theme'
  readonly theme: Theme
}

/** Asks for a change to be taken back, by the number that was given to it. */
export interface UndoForm {
  readonly kind: 'undo'
  readonly number: string
  readonly fields: URLSearchParams
}

/** What a form of the dashboard asks for (D88). */
export type Form = StepsForm | TryForm | ThemeForm | UndoForm

/** A form may carry a record twice, percent-encoded: at most this many bytes are taken. */
const MOST_BYTES = 64 * 1024 * 1024

/** More than any form of the dashboard has. */
const MOST_STEPS = 100

const FORM_TYPE = 'application/x-www-form-urlencoded'

function expectOperation(name: string): OperationId {
  if (isOperation(name)) return name
  const shown = JSON.stringify(name.slice(0, 100))
  throw problem.invalidField({
    field: 'try',
    invalidValue: name,
    message: `Unknown operation ${shown}.${didYouMean(name, operationIds)} The dashboard's view "Contract" lists them.`,
  })
}

/**
 * Reads the form that a request sends.
 *
 * @throws {Problem} 415 for a body that is no form, 400 for a form that asks for nothing that there is.
 */
export async function readForm({ headers, readText }: AdminRequest): Promise<Form> {
  const type = headers.get('Content-Type')
  if (type !== null && type.split(';', 1)[0]?.trim().toLowerCase() !== FORM_TYPE) {
    throw problem.unsupportedMediaType(type, [FORM_TYPE])
  }
  const fields = new URLSearchParams(await readText(MOST_BYTES))
  const tried = fields.get('try')
  if (tried !== null) return { kind: 'try', operation: expectOperation(tried), fields }
  const theme = fields.get('theme')
  if (theme !== null) return { kind: 'theme', theme: expectTheme(theme) }
  const number = fields.get('takeBack')
  if (number !== null) return { kind: 'undo', number, fields }
  const steps = fields.getAll('step')
  if (steps.length > MOST_STEPS) {
    throw problem.invalidInput(`The form asks for ${steps.length} steps; at most ${MOST_STEPS} are done. Send several.`)
  }
  if (steps.length > 0) return { kind: 'steps', steps, fields }
  const given = [...fields.keys()].join(', ').slice(0, 200)
  throw problem.invalidInput(
    `The form needs a field step, try, theme or takeBack. It has ${given === '' ? 'no fields' : given}. GET /__admin lists the paths of the admin API.`,
  )
}
