import { problem } from '../errors.ts'
import type { ViewContext } from './view-context.ts'
import type { PreparedCall } from './admin-call.ts'

/**
 * Checks that a step replaces a snapshot only where the form's field `replace` names it.
 *
 * @throws {Problem} 400 where a snapshot of that name exists.
 */
export function expectNewSnapshot(
  { route, parameters }: PreparedCall,
  fields: URLSearchParams,
  { session }: ViewContext,
): void {
  if (route !== 'PUT /snapshots/:name') return
  const { name = '' } = parameters
  if (session.snapshots.find(name) === undefined || fields.get('replace') === name) return
  throw problem.invalidField({
    field: 'name',
    invalidValue: name,
    message: `Not taken: a snapshot ${JSON.stringify(name)} already exists. Replace it, or choose another name.`,
  })
}
