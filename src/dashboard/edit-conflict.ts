import { readProjectName } from '../admin/state.ts'
import { Problem } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { StoredResource } from '../state/resource.ts'
import { toResourceText } from '../state/resource-record.ts'
import { toPrettyText } from './pretty.ts'
import type { ViewContext } from './view-context.ts'
import type { PreparedCall } from './admin-call.ts'

// An editor sends the text that it was opened with as its field `base`. If somebody saved something else
// meanwhile, it is not overwritten before both versions were shown.

/** The text of a resource that its editor is opened with; empty for one that does not exist. */
export const toRecordText = (resource: StoredResource | undefined): string =>
  resource === undefined ? '' : toPrettyText(toResourceText(resource))

/** The text of a scenario that its editor is opened with; empty for one that does not exist. */
export const toDefinitionText = (scenario: Scenario | undefined): string =>
  scenario === undefined
    ? ''
    : toPrettyText(stringifyJson({ description: scenario.description, rules: scenario.rules }))

/** The text that a step would overwrite; undefined for a step that is not an editor's. */
function findSaved({ route, parameters, request }: PreparedCall, { parts, session }: ViewContext): string | undefined {
  if (route === 'PUT /state/:projectKey/resources/:id') {
    const { resources } = parts.store
      .access(session.name, readProjectName(request, parameters['projectKey'] ?? ''))
      .read()
    return toRecordText(resources.get(parameters['id'] ?? ''))
  }
  if (route !== 'PUT /scenarios/:name') return undefined
  const { name = '' } = parameters
  return toDefinitionText(session.scenarios.defined.get(name) ?? parts.catalog.find(name))
}

/** The text that the editor was opened with; empty where it is saved under a name that it was not opened with. */
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
 * Checks that a step overwrites only what its editor was opened with.
 *
 * @throws {Problem} 409 where somebody else has saved something since.
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
