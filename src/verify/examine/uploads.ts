import { endpoints } from '../../contract/endpoints.ts'
import { checkAnswer, checkHeaders, checkLocation, checkRefusal, findStatusFaults } from '../answers.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { compare } from '../fault.ts'
import { images } from '../images.ts'
import type { RequestQuery } from '../pages.ts'
import type { Sending } from '../provider.ts'
import { findContent, findVersion } from '../read-answer.ts'
import { Stop } from '../stop.ts'
import { examineAccess } from './access.ts'
import { examineMethods, examineQueries, examineRefusals } from './requests.ts'
import { findChanged } from './update.ts'

const TOO_MANY_BYTES = 10 * 1024 * 1024 + 1

type Body = string | Uint8Array<ArrayBuffer>

/** Specification 4.13. */
export const uploadImage: Examine<'uploadImage'> = async (results, context) => {
  const operation = 'uploadImage'
  const { provider, resources, run, project } = context
  // An upload whose sku names nothing may go to the resource written last (D21).
  const { key, id, version, content } = await resources.createByKey()
  const png = images['image/png']
  const upload = (type: string | undefined, body: Body, more: Partial<Sending> = {}): Sending => ({
    query: [['sku', key]],
    ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
    body,
    ...more,
  })

  let expected = version
  for (const type of endpoints[operation].body.contentTypes) {
    const answer = await provider.send(operation, upload(type, images[type]))
    results.add('formats', findStatusFaults(answer, 200))
    if (!checkAnswer(results, operation, answer, 200)) continue
    checkHeaders(results, operation, answer)
    checkLocation(results, answer, { project, id })
    expected += 1
    results.add('version-grows', compare(answer, 'version', expected, findVersion(answer)))
    results.add('keeps-content', compare(answer, 'objectTypeProperty', content, findContent(answer)))
  }

  const now = await resources.find(id)
  for (const [type, body, label] of [
    ['image/png', 'this is not an image', 'text'],
    ['image/png', '', 'an empty body'],
    ['image/png', png.slice(0, -16), 'a PNG that is cut off'],
    ['image/jpeg', png, 'a PNG as JPEG'],
  ] as const) {
    const garbage = await provider.send(operation, upload(type, body, { label }))
    if (checkRefusal(results, 'garbage', garbage, 400) && now.kind === 'found') {
      results.add('garbage', await findChanged(garbage, id, now.version, context))
    }
  }
  checkRefusal(results, 'no-media-type', await provider.send(operation, upload(undefined, png)), 400)
  const others = ['image/webp', 'image/svg+xml', 'application/json'].map((type) => upload(type, png, { label: type }))
  await examineRefusals(results, 'media-type', operation, others, context, { status: 415 })

  const query: RequestQuery = [
    ['sku', key],
    ['filename', 'verify'],
    ['variant', '2147483647'],
    ['staged', 'true'],
  ]
  results.add('parameters', findStatusFaults(await provider.send(operation, upload('image/png', png, { query })), 200))
  const base = upload('image/png', png)
  const wrong = [[['variant', 'abc']], [['variant', '2147483648']], [['staged', 'perhaps']]] as const
  await examineQueries(results, 'refused', operation, wrong, context, base)
  const name = [
    ['filename', 'a'],
    ['filename', 'b'],
  ] as const
  await examineQueries(results, 'single-valued', operation, [[['sku', key]], name], context, base)
  const nowhere = [[['sku', `${run}-none`]], [['variant', '2147483647']]] as const
  const missing = nowhere.map((query) => upload('image/png', png, { query }))
  await examineRefusals(results, 'not-found', operation, missing, context, { status: 404 })
  await examineMethods(results, operation, ['GET', 'DELETE'], {}, context)
  await examineAccess(results, operation, base, context)
  await examineSize(results, upload('image/png', new Uint8Array(TOO_MANY_BYTES)), context)
}

/** D21. A provider may end the connection while it is still being sent to; then nothing is known. */
async function examineSize(
  results: Parameters<Examine<'uploadImage'>>[0],
  sending: Sending,
  { provider }: VerifyContext,
) {
  try {
    const answer = await provider.send('uploadImage', { ...sending, label: '10 MiB and a byte' })
    checkRefusal(results, 'too-large', answer, 413)
  } catch (fault) {
    if (!(fault instanceof Stop)) throw fault
    results.skip('too-large', `${fault.message}: the connection ended before the answer could be read`)
  }
}
