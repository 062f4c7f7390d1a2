import { problem } from '../errors.ts'
import type { StoredImage } from '../state/project-data.ts'
import { parseProjectId } from '../state/store.ts'
import type { ProjectName, Store } from '../state/store.ts'
import { ADMIN_PATH, parameterOf, toJson } from './route.ts'
import type { AdminRequest, Routes } from './route.ts'

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
export function createImageRoutes({ store }: ImageParts): Routes {
  const allOf = ({ session }: AdminRequest): readonly Placed[] =>
    Array.from(store.written(session.name), ([id, { images }]) =>
      Array.from(images.values(), (image) => ({ project: parseProjectId(id), image })),
    ).flat()

  return {
    '/images': {
      GET: (request) => toJson({ images: allOf(request).map((placed) => toImageJson(placed, request.prefix)) }),
    },
    '/images/:id': {
      GET(request) {
        const id = parameterOf(request, 'id')
        const found = allOf(request).find(({ image }) => image.id === id)
        if (found === undefined) {
          throw problem.notFound(
            `The session ${JSON.stringify(request.session.name)} has no image ${JSON.stringify(id.slice(0, 100))}. List them with GET /__admin/images.`,
          )
        }
        // A copy: what is sent may be handed over to another thread, and what is kept must stay.
        const body = found.image.bytes.slice()
        return new Response(body, { headers: { 'Content-Type': found.image.type, ...SAFE_HEADERS } })
      },
    },
  }
}
