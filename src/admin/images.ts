import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { ADMIN_PATH } from '../http/address.ts'
import { toJson } from '../http/json-response.ts'
import type { StoredImage } from '../state/image.ts'
import { parseProjectId } from '../state/project-name.ts'
import type { ProjectName } from '../state/project-name.ts'
import type { Store } from '../state/store.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

interface ImageParts {
  readonly store: Store
}

interface Placed {
  readonly project: ProjectName
  readonly image: StoredImage
}

/** Nothing in an image runs, whatever a browser takes it for. */
const SAFE_HEADERS = { 'Content-Security-Policy': "default-src 'none'; sandbox" }

const toImageJson = ({ project, image: { bytes, ...image } }: Placed, prefix: string) => ({
  ...image,
  ...project,
  bytes: bytes.byteLength,
  url: `${prefix}${ADMIN_PATH}/images/${image.id}`,
})

/** The uploaded images of a session (D21). */
export function createImageRoutes({ store }: ImageParts): Hono<AdminEnv> {
  const allOf = ({ session }: AdminRequest): readonly Placed[] =>
    Array.from(store.written(session.name), ([id, data]) =>
      Array.from(data.images(), (image) => ({ project: parseProjectId(id), image })),
    ).flat()

  const routes = new Hono<AdminEnv>()
  routes.get('/images', ({ env: { admin } }) =>
    toJson({ images: allOf(admin).map((placed) => toImageJson(placed, admin.prefix)) }),
  )
  routes.get('/images/:id', ({ req, env: { admin } }) => {
    const id = req.param('id')
    const found = allOf(admin).find(({ image }) => image.id === id)
    if (found === undefined) {
      throw problem.notFound(
        `The session ${JSON.stringify(admin.session.name)} has no image ${JSON.stringify(id.slice(0, 100))}. GET /__admin/images lists its images.`,
      )
    }
    // A copy: what is sent may be transferred to another thread, and what is kept must stay.
    const body = found.image.bytes.slice()
    return new Response(body, { headers: { 'Content-Type': found.image.type, ...SAFE_HEADERS } })
  })
  return routes
}
