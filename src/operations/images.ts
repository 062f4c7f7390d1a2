import { endpoints } from '../contract/endpoints.ts'
import type { Input } from '../contract/handler.ts'
import { problem } from '../errors.ts'
import { checkImage } from '../http/image.ts'
import type { Project } from '../state/project.ts'
import type { StoredResource } from '../state/resource.ts'
import { writeAnswer } from './reads.ts'
import type { Operation } from './operation.ts'
import { revise } from './revise.ts'

/** The resource that an upload belongs to: by sku, else by place, else the one written last (D21). */
function findVariant({ sku, variant }: Input<'uploadImage'>['query'], project: Project): StoredResource {
  if (sku !== undefined) {
    const resource = project.findByKey(sku)
    if (resource === undefined) throw problem.resourceNotFound('key', sku)
    return resource
  }
  if (variant !== undefined) {
    const resource = project.nth(Number(variant))
    if (resource !== undefined) return resource
    throw problem.notFound(`The project has no variant ${variant}. It has ${project.size}, counted from 1.`)
  }
  const resource = project.findLatest()
  if (resource === undefined) {
    throw problem.notFound(
      'The project has no resource to add the image to. Create one first: POST /{projectKey}/resource.',
    )
  }
  return resource
}

/** Specification 4.13: the image is kept, and its resource is one version on (D21, D7). */
export const uploadImage: Operation<'uploadImage'> = ({ query, headers, body }, context) => {
  const declared = headers['Content-Type'].split(';')[0]?.trim().toLowerCase()
  const type = endpoints.uploadImage.body.contentTypes.find((one) => one === declared)
  if (type === undefined)
    throw problem.unsupportedMediaType(headers['Content-Type'], endpoints.uploadImage.body.contentTypes)
  const size = checkImage(body, type)
  const { project, projectKey } = context
  const owner = findVariant(query, project)
  project.expectRoomForImage(body.byteLength)
  const resource = revise(owner, {}, context)
  const { filename, sku, variant, staged } = query
  project.addImage({
    id: context.newId(),
    projectKey,
    resourceId: resource.id,
    type,
    ...size,
    bytes: body,
    ...(filename === undefined ? {} : { filename }),
    ...(sku === undefined ? {} : { sku }),
    ...(variant === undefined ? {} : { variant: Number(variant) }),
    ...(staged === undefined ? {} : { staged }),
    createdAt: resource.lastModifiedAt,
  })
  return writeAnswer(200, resource, context)
}
