import { decision } from '../contract/decisions.ts'
import type { Input } from '../contract/handler.ts'
import type { ArrayTestType } from '../contract/models.ts'
import type { Warn } from '../contract/warning.ts'
import { problem } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { toArrayTestType, toObjectText } from '../state/property-text.ts'
import type { StoredResource } from '../state/resource.ts'
import { deletionAnswer, writeAnswer } from './reads.ts'
import type { Context, Operation } from './operation.ts'
import { revise } from './revise.ts'
import { expectVersion } from './versions.ts'

type Draft = Input<'createResource' | 'putResource' | 'overwriteResource'>['body']

/** D1: what the arrays' names promise is warned of, and refused under `--strict`. */
function warnOfPromises({ arrayOfUniqueIntExample: unique, arrayOfTwonumbersExample: two }: ArrayTestType, warn: Warn) {
  if (unique !== undefined && new Set(unique.map(String)).size < unique.length) {
    warn(decision('D1'), 'objectTypeProperty.arrayOfUniqueIntExample promises unique numbers and repeats one.')
  }
  if (two !== undefined && two.length !== 2) {
    warn(decision('D1'), `objectTypeProperty.arrayOfTwonumbersExample promises two numbers and has ${two.length}.`)
  }
}

function takeContent(
  { objectTypeProperty }: Draft,
  warn: Warn,
): Pick<StoredResource, 'objectTypeProperty' | 'propertyText'> {
  const property = toArrayTestType(objectTypeProperty)
  warnOfPromises(property, warn)
  return { objectTypeProperty: property, propertyText: stringifyJson(property) }
}

function create(draft: Draft, context: Context): StoredResource {
  const { key } = draft
  const at = context.now()
  const content = takeContent(draft, context.warn)
  const resource: StoredResource = {
    id: context.newId(),
    ...(key === undefined ? {} : { key }),
    version: 1,
    createdAt: at,
    lastModifiedAt: at,
    ...content,
    text: toObjectText(1, content.propertyText),
  }
  context.project.insert(resource)
  return resource
}

/** An overwrite replaces both projections: what was staged is gone (D50). */
const overwrite = (resource: StoredResource, draft: Draft, context: Context): StoredResource =>
  revise(resource, { ...takeContent(draft, context.warn), staged: undefined }, context)

/** D15: the resource of the draft's key; without one, the resource written last. */
const findAddressed = ({ key }: Draft, { project }: Context): StoredResource | undefined =>
  key === undefined ? project.findLatest() : project.findByKey(key)

/** Specification 4.6; a draft whose key exists updates that resource instead (D15). */
export const createResource: Operation<'createResource'> = ({ body }, context) => {
  const known = body.key === undefined ? undefined : context.project.findByKey(body.key)
  const resource = known === undefined ? create(body, context) : overwrite(known, body, context)
  return writeAnswer(201, resource, context)
}

/** Specification 4.8; creates where there is nothing to overwrite (D15). */
export const putResource: Operation<'putResource'> = ({ body }, context) => {
  const known = findAddressed(body, context)
  const resource = known === undefined ? create(body, context) : overwrite(known, body, context)
  return writeAnswer(201, resource, context)
}

/** Specification 4.7; 404 where there is nothing to overwrite (D15). */
export const overwriteResource: Operation<'overwriteResource'> = ({ body }, context) => {
  const known = findAddressed(body, context)
  if (known === undefined) {
    throw body.key === undefined
      ? problem.notFound('The project has no resource to overwrite. Create one first: POST /{projectKey}/resource.')
      : problem.resourceNotFound('key', body.key)
  }
  return writeAnswer(201, overwrite(known, body, context), context)
}

/** Specification 4.11; the version is compared where it is given (D19). */
export const deleteResource: Operation<'deleteResource'> = ({ path: { id }, query: { version } }, context) => {
  const resource = context.project.find(id)
  if (resource === undefined) throw problem.resourceNotFound('ID', id)
  if (version !== undefined) expectVersion(resource, version)
  context.project.remove(resource)
  return deletionAnswer(resource, context)
}
