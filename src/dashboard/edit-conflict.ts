import { readProjectName } from '../admin/state.ts'
import { Problem, problem } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { StoredResource } from '../state/resource.ts'
import { toResourceText } from '../state/records.ts'
import { toPrettyText } from './pretty.ts'
import type { ViewContext } from './view-context.ts'
import type { PreparedCall } from './admin-call.ts'

// An editor sends the text that it started with in its field `base`. If someone else has saved a change since, both
// versions are shown before it is overwritten.

/** The text of a resource in its editor; empty if it does not exist. */
export const toRecordText = (resource: StoredResource | undefined): string =>
  resource === undefined ? '' : toPrettyText(toResourceText(resource))

/** The text of a scenario in its editor; empty if it does not exist. */
export const toDefinitionText = (scenario: Scenario | undefined): string =>
  scenario === undefined
    ? ''
    : toPrettyText(stringifyJson({ description: scenario.description, rules: scenario.rules }))

/** The text that a call would overwrite; undefined if the call is not from an editor. */
function findSaved({ route, parameters, request }: PreparedCall, { parts, session }: ViewContext): string | undefined {
  if (route === 'PUT /state/:projectKey/resources/:id') {
    const data = parts.store.access(session.name, readProjectName(request, parameters['projectKey'] ?? '')).read()
    return toRecordText(data.find(parameters['id'] ?? ''))
  }
  if (route !== 'PUT /scenarios/:name') return undefined
  const { name = '' } = parameters
  return toDefinitionText(session.scenarios.defined.get(name) ?? parts.catalog.find(name))
}

/** The text that the editor started with; empty if it is saved under another name. */
function findBase(fields: URLSearchParams): string | undefined {
  const base = fields.get('base')?.replaceAll('\r\n', '\n')
  const name = fields.get('baseOf')
  return base === undefined || name === null || name === fields.get('name') ? base : ''
}

function toSentence(base: string, saved: string): string {
  if (saved === '') return 'Not saved: it was deleted while you were editing. Save again to recreate it.'
  const what = base === '' ? 'it exists already' : 'it was changed while you were editing'
  return `Not saved: ${what}. Compare both versions below, then overwrite the saved one or discard yours.`
}

/**
 * Checks that a call overwrites only the version that its editor started with.
 *
 * @throws {Problem} 409 if someone else has saved a change since.
 */
export function expectUnchanged(call: PreparedCall, fields: URLSearchParams, context: ViewContext): void {
  const base = findBase(fields)
  const saved = base === undefined ? undefined : findSaved(call, context)
  if (base === undefined || saved === undefined || base === saved) return
  throw new Problem({
    status: 409,
    errors: [{ code: 'ConcurrentModification', message: toSentence(base, saved) }],
  })
}

/**
 * Checks that a call replaces a snapshot only if the form's field `replace` names it.
 *
 * @throws {Problem} 400 if a snapshot of that name exists.
 */
export function expectNewSnapshot(
  { route, parameters }: PreparedCall,
  fields: URLSearchParams,
  { session }: ViewContext,
): void {
  if (route !== 'PUT /snapshots/:name') return
  const { name = '' } = parameters
  if (session.snapshots.get(name) === undefined || fields.get('replace') === name) return
  throw problem.invalidField({
    field: 'name',
    invalidValue: name,
    message: `Snapshot not taken: ${JSON.stringify(name)} already exists. Replace it, or choose another name.`,
  })
}
