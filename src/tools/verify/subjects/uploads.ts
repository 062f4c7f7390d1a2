import { decodeBase64 as decode } from 'hono/utils/encode'
import { endpoints } from '../../../service/contract/endpoints.ts'
import { recordResource, compareRefusal } from '../answers.ts'
import { compareParts, compareStatus, findInTurn } from '../finding.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import { bearer, findAccepted, methods, missing, scoped, written } from './common.ts'
import { queried } from './parameters.ts'
import { dated } from './dates.ts'
import { findChanged } from './update.ts'
import type { ImageType } from '../../../service/contract/endpoint.ts'
import type { OperationContext } from '../subject.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'

/** Minimal images that decoders accept: one pixel, or for JPEG one 8×8 block. */
export const images: Readonly<Record<ImageType, Uint8Array<ArrayBuffer>>> = {
  'image/jpeg': decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  ),
  'image/png': decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  'image/gif': decode('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='),
}

const png = images['image/png']
const { contentTypes } = endpoints.uploadImage.body
const TOO_MANY_BYTES = 10 * 1024 * 1024 + 1

/** Creates a resource and uploads an image of each format to it. */
async function prepare(context: OperationContext) {
  // With an unknown sku, an upload may go to the last written resource (D21).
  const resource = await context.resources.createByKey()
  const upload = (type: string | undefined, body: string | Uint8Array<ArrayBuffer>, label?: string): Sending => ({
    query: { sku: resource.key },
    headers: type === undefined ? {} : { 'Content-Type': type },
    body,
    ...(label === undefined ? {} : { label }),
  })
  const valid = () => upload('image/png', png)
  const answers: ProviderAnswer[] = []
  for (const type of contentTypes) answers.push(await context.send(upload(type, images[type])))
  const taken = answers.filter((answer) => recordResource(context, answer, 200, resource.id))
  return { resource, upload, valid, answers, taken }
}

/** Specification 4.13. */
export const uploadImage = defineSubject(prepare)({
  ...written,
  ...bearer,
  ...scoped(),
  'version-grows': check('increments the version by exactly 1', 'spec 9, D7', ({ taken, resource }) =>
    taken.flatMap((answer, at) => compareParts(answer, { version: resource.version + 1 + at })),
  ),
  dates: dated(
    ({ resource }) => resource.id,
    ({ send, valid }) => send(valid()),
  ),
  formats: check('accepts JPEG, PNG and GIF', 'spec 8', ({ answers }) =>
    answers.flatMap((answer) => compareStatus(answer, 200)),
  ),
  'keeps-content': check('leaves the arrays unchanged', 'D21', ({ taken, resource: { content } }) =>
    taken.flatMap((answer) => compareParts(answer, { content })),
  ),
  garbage: check(
    'returns 400 for text, an empty body, a truncated image of each format and a PNG sent as JPEG, and changes nothing',
    'spec 8, D21',
    async (context) => {
      const { upload, resource } = context
      const before = await context.resources.find(resource.id)
      const sendings = [
        upload('image/png', 'this is not an image', 'text'),
        upload('image/png', '', 'an empty body'),
        ...contentTypes.map((type) => upload(type, images[type].slice(0, -16), `truncated ${type}`)),
        upload('image/jpeg', png, 'a PNG as JPEG'),
      ]
      return findInTurn(sendings, async (sending) => {
        const answer = await context.send(sending)
        const isKnown = answer.status === 400 && before.kind === 'found'
        return [
          ...compareRefusal(context, answer),
          ...(isKnown ? await findChanged(answer, resource.id, before.version, context) : []),
        ]
      })
    },
  ),
  'no-media-type': check('returns 400 for an image without Content-Type', 'D21', (context) =>
    findAccepted(context, [context.upload(undefined, png)]),
  ),
  'media-type': check('returns 415 for image/webp, image/svg+xml and application/json', 'D21', (context) => {
    const others = ['image/webp', 'image/svg+xml', 'application/json']
    return findAccepted(
      context,
      others.map((type) => context.upload(type, png, type)),
      415,
    )
  }),
  'too-large': check('returns 413 for more than 10 MiB', 'D21', async (context) => {
    const sending = context.upload('image/png', new Uint8Array(TOO_MANY_BYTES), '10 MiB and a byte')
    // A provider may close the connection during the upload, so the status is unknown.
    const answer = await context.send(sending).catch((error: unknown) => {
      if (!(error instanceof Stop)) throw error
      throw new Stop(`${error.message}: the connection closed before the response could be read`)
    })
    return compareRefusal(context, answer, 413)
  }),
  parameters: check('accepts filename, variant and staged, and prefers sku to variant', 'D21', async (context) => {
    const query = { sku: context.resource.key, filename: 'verify', variant: '2147483647', staged: 'true' }
    return compareStatus(await context.send({ ...context.valid(), query }), 200)
  }),
  ...queried('uploadImage'),
  'large-variant': check(
    'returns 400 for a variant past int32, or accepts it: 200 with a sku, 404 without one',
    'D21',
    async (context) => {
      const variant = '2147483648'
      const withSku = await context.send({ ...context.valid(), query: { sku: context.resource.key, variant } })
      const withoutSku = await context.send({ ...context.valid(), query: { variant } })
      return [...compareStatus(withSku, 200, 400), ...compareStatus(withoutSku, 404, 400)]
    },
  ),
  'not-found': missing('D21', 'an unknown sku and for variant 2147483647', ({ run, valid }) => {
    const nowhere: readonly RequestQuery[] = [{ sku: `${run}-none` }, { variant: '2147483647' }]
    return nowhere.map((query) => ({ ...valid(), query }))
  }),
  method: methods(['GET', 'DELETE']),
})
