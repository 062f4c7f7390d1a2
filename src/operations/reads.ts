import { problem } from '../errors.ts'
import { readAnswer } from './answers.ts'
import type { Operation } from './operation.ts'

/** Specification 4.2. */
export const getResourceById: Operation<'getResourceById'> = ({ path: { id } }, context) => {
  const resource = context.project.find(id)
  if (resource === undefined) throw problem.resourceNotFound('ID', id)
  return readAnswer(resource, context)
}

/** Specification 4.3; an unknown or empty key is 404 (D13). */
export const getResourceByKey: Operation<'getResourceByKey'> = ({ path: { key } }, context) => {
  const resource = context.project.findByKey(key)
  if (resource === undefined) throw problem.resourceNotFound('key', key)
  return readAnswer(resource, context)
}
