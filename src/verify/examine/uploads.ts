import { decodeBase64 as decode } from 'hono/utils/encode'
import { endpoints } from '../../contract/endpoints.ts'
import { checkRefusal, checkResource } from '../answers.ts'
import { compareContent, compareVersion, compareStatus } from '../finding.ts'
import { Stop } from '../transport.ts'
import { examineAccess, examineMethods, examineQueries, examineRefusals } from './requests.ts'
import { examineDates } from './dates.ts'
import { findChanged } from './update.ts'
import type { ImageType } from '../../contract/endpoint.ts'
import type { OperationExamination } from '../examination.ts'
import type { RequestQuery, Sending } from '../provider.ts'

/** The smallest image of each format that decoders take: one pixel, for JPEG one block of eight by eight. */
export const images: Readonly<Record<ImageType, Uint8Array<ArrayBuffer>>> = {
  'image/jpeg': decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  ),
  'image/png': decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  'image/gif': decode('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='),
}

const TOO_MANY_BYTES = 10 * 1024 * 1024 + 1

/** An image without its last sixteen bytes. */
const cut = (image: Uint8Array<ArrayBuffer>) => image.slice(0, -16)

/** Specification 4.13. */
export async function uploadImage(exam: OperationExamination): Promise<void> {
  const { resources, run } = exam
  // An upload whose sku names nothing may go to the resource written last (D21).
  const { key, id, version, content } = await resources.createByKey()
  const png = images['image/png']
  const upload = (type: string | undefined, body: string | Uint8Array<ArrayBuffer>, label?: string): Sending => ({
    query: { sku: key },
    ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
    body,
    ...(label === undefined ? {} : { label }),
  })
  const base = upload('image/png', png)

  let expected = version
  for (const type of endpoints.uploadImage.body.contentTypes) {
    const answer = await exam.send(upload(type, images[type]))
    exam.add('formats', compareStatus(answer, 200))
    if (!checkResource(exam, answer, 200, id)) continue
    expected += 1
    exam.add('version-grows', compareVersion(answer, expected))
    exam.add('keeps-content', compareContent(answer, content))
  }

  const now = await resources.find(id)
  for (const sending of [
    upload('image/png', 'this is not an image', 'text'),
    upload('image/png', '', 'an empty body'),
    ...endpoints.uploadImage.body.contentTypes.map((type) =>
      upload(type, cut(images[type]), `${type} that is cut off`),
    ),
    upload('image/jpeg', png, 'a PNG as JPEG'),
  ]) {
    const garbage = await exam.send(sending)
    if (checkRefusal(exam, 'garbage', garbage) && now.kind === 'found') {
      exam.add('garbage', await findChanged(garbage, id, now.version, exam))
    }
  }
  await examineRefusals(exam, 'no-media-type', [upload(undefined, png)])
  const others = ['image/webp', 'image/svg+xml', 'application/json'].map((type) => upload(type, png, type))
  await examineRefusals(exam, 'media-type', others, 415)

  const query = { sku: key, filename: 'verify', variant: '2147483647', staged: 'true' }
  exam.add('parameters', compareStatus(await exam.send({ ...base, query }), 200))
  await examineDates(exam, id, async () => (await exam.send(base)).status === 200)
  await examineQueries(exam, 'refused', [{ variant: 'abc' }, { variant: '1.5' }, { staged: 'perhaps' }], base)
  const twice: readonly RequestQuery[] = [
    { sku: [key, key] },
    { filename: ['a', 'b'] },
    { variant: ['1', '2'] },
    { staged: ['true', 'false'] },
  ]
  await examineQueries(exam, 'single-valued', twice, base)
  const variant = '2147483648'
  const withSku = await exam.send({ ...base, query: { sku: key, variant } })
  exam.add('large-variant', compareStatus(withSku, 200, 400))
  exam.add('large-variant', compareStatus(await exam.send({ ...base, query: { variant } }), 404, 400))
  const nowhere: readonly RequestQuery[] = [{ sku: `${run}-none` }, { variant: '2147483647' }]
  await examineRefusals(
    exam,
    'not-found',
    nowhere.map((query) => ({ ...base, query })),
    404,
  )
  await examineMethods(exam, ['GET', 'DELETE'])
  await examineAccess(exam, base)
  await examineSize(exam, upload('image/png', new Uint8Array(TOO_MANY_BYTES), '10 MiB and a byte'))
}

/** D21. A provider may end the connection while it is still being sent to; then nothing is known. */
async function examineSize(exam: OperationExamination, sending: Sending): Promise<void> {
  try {
    checkRefusal(exam, 'too-large', await exam.send(sending), 413)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    exam.skip('too-large', `${error.message}: the connection ended before the answer could be read`)
  }
}
