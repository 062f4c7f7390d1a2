import { images } from '../../../../src/tools/verify/subjects/uploads.ts'
import {
  bendAnswers,
  bendMethods,
  bendParameter,
  insteadOfRefusal,
  MASTER,
  queryOf,
  refusing,
  withBody,
  withHeaders,
} from '../bends.ts'
import type { Bend } from '../bends.ts'
import type { SeededFault } from './fault.ts'

const upload = (type: string, isMeant: (text: string) => boolean): Bend =>
  insteadOfRefusal('uploadImage', 400, async (request) => {
    if (request.headers.get('Content-Type') !== type || !isMeant(await request.clone().text())) return undefined
    return withHeaders(withBody(request, images['image/png']), { 'Content-Type': 'image/png' })
  })

const faults: readonly SeededFault[] = [
  [
    'the scope of writes suffices',
    insteadOfRefusal('uploadImage', 403, (request, refusal) => {
      const scope = JSON.parse(atob(request.headers.get('Authorization')?.split('.')[1] ?? '')) as { scope: string }
      return scope.scope.startsWith('manage_test') && refusal ? withHeaders(request, MASTER) : undefined
    }),
    ['uploadImage/scope'],
  ],
  ['text is an image', upload('image/png', (text) => text.includes('not an image')), ['uploadImage/garbage']],
  ['nothing is an image', upload('image/png', (text) => text === ''), ['uploadImage/garbage']],
  ['a part of a PNG is an image', upload('image/png', (text) => text.startsWith('\uFFFDPNG')), ['uploadImage/garbage']],
  ['a PNG is a JPEG', upload('image/jpeg', () => true), ['uploadImage/garbage']],
  [
    'any type is an image',
    insteadOfRefusal('uploadImage', 415, (request) => withHeaders(request, { 'Content-Type': 'image/png' })),
    ['uploadImage/media-type'],
  ],
  [
    'a missing type is 415',
    bendAnswers('uploadImage', (bent, { headers }) => headers.has('Content-Type') || (bent.status = 415), 400),
    ['uploadImage/no-media-type'],
  ],
  [
    'no GIF',
    refusing('uploadImage', ({ headers }) => headers.get('Content-Type') === 'image/gif', 415),
    ['uploadImage/formats'],
  ],
  [
    'any size',
    insteadOfRefusal('uploadImage', 413, (request) => withBody(request, images['image/png'])),
    ['uploadImage/too-large'],
  ],
  [
    'variant before sku',
    refusing('uploadImage', (request) => queryOf(request).has('variant') && queryOf(request).has('sku'), 404),
    ['uploadImage/parameters'],
  ],
  [
    'variant=abc is passed over',
    bendParameter('uploadImage', 'variant', (value) => (value === 'abc' ? undefined : value)),
    ['uploadImage/refused'],
  ],
  [
    'staged=perhaps is false',
    bendParameter('uploadImage', 'staged', (value) => (value === 'perhaps' ? 'false' : value)),
    ['uploadImage/refused'],
  ],
  [
    'the last of two skus',
    bendParameter('uploadImage', 'sku', (value, at) => (at === 0 ? value : undefined)),
    ['uploadImage/single-valued'],
  ],
  ['an unknown sku is 400', bendAnswers('uploadImage', (bent) => (bent.status = 400), 404), ['uploadImage/not-found']],
  [
    'an upload raises no version',
    bendAnswers('uploadImage', ({ body }) => (body['version'] = 1)),
    ['uploadImage/version-grows'],
  ],
  [
    'an upload loses an array',
    bendAnswers('uploadImage', ({ body }) => delete body.objectTypeProperty['arrayOfFloatExample']),
    ['uploadImage/keeps-content'],
  ],
  ['GET of images is 404', bendMethods('/images', (bent) => (bent.status = 404)), ['uploadImage/method']],
]

export const uploads: readonly SeededFault[] = faults.map(([what, bend, finds]) => [
  `uploadImage: ${what}`,
  bend,
  finds,
])
