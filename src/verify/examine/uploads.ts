import { endpoints } from '../../contract/endpoints.ts'
import { findStatusFaults, holdAnswer, holdHeaders, holdRefusal } from '../answers.ts'
import { compare } from '../fault.ts'
import { images } from '../images.ts'
import type { Sending } from '../provider.ts'
import { findVersion } from '../resources.ts'
import type { Examine } from '../world.ts'
import { examineBearer, examineScope } from './bearer.ts'
import { findChanged } from './update.ts'

/** Specification 4.13. */
export const uploadImage: Examine<'uploadImage'> = async (bench, world) => {
  const operation = 'uploadImage'
  const { provider, resources, run } = world
  // An upload whose sku names nothing may go to the resource written last (D21).
  const { key, id, version } = await resources.createByKey()
  const upload = (type: string, body: string | Uint8Array<ArrayBuffer>, sku = key): Sending => ({
    query: [
      ['sku', sku],
      ['filename', 'verify'],
    ],
    headers: { 'Content-Type': type },
    body,
  })

  let expected = version
  for (const type of endpoints[operation].body.contentTypes) {
    const answer = await provider.send(operation, upload(type, images[type]))
    bench.hold('formats', findStatusFaults(answer, 200))
    if (!holdAnswer(bench, operation, answer, 200)) continue
    holdHeaders(bench, operation, answer)
    expected += 1
    bench.hold('version-grows', compare(answer, 'version', expected, findVersion(answer)))
  }

  const now = await resources.find(id)
  const garbage = await provider.send(operation, upload('image/png', 'this is no image'))
  if (holdRefusal(bench, 'garbage', garbage, 400) && now.kind === 'found') {
    bench.hold('garbage', await findChanged(garbage, id, now.version, world))
  }
  const png = images['image/png']
  holdRefusal(bench, 'media-type', await provider.send(operation, upload('image/webp', png)), 415)
  holdRefusal(bench, 'not-found', await provider.send(operation, upload('image/png', png, `${run}-none`)), 404)
  await examineBearer(bench, operation, upload('image/png', png), world)
  await examineScope(bench, operation, upload('image/png', png), world)
}
