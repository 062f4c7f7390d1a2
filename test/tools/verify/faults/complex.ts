import {
  bendAnswers,
  bendMethods,
  bendParameter,
  bendRequests,
  insteadOfRefusal,
  refusing,
  withBody,
  withHeaders,
  withJson,
} from '../bends.ts'
import type { SeededFault } from './fault.ts'

const faults: readonly SeededFault[] = [
  [
    'always 200',
    bendAnswers('postComplex', (bent) => (bent.status = 200), 201),
    ['postComplex/status', 'postComplex/repeat', 'postComplex/no-id'],
  ],
  [
    'always 201',
    bendAnswers('postComplex', (bent) => (bent.status = 201), 200),
    ['postComplex/status', 'postComplex/repeat'],
  ],
  [
    '200 on another path',
    bendAnswers('postComplex', (bent, { url }) => url.includes('/three') && (bent.status = 200)),
    ['postComplex/other-path'],
  ],
  [
    'an id that is required',
    refusing('postComplex', (_, text) => text.startsWith('{') && !text.includes('"id"')),
    ['postComplex/no-id', 'postComplex/optional'],
  ],
  [
    'any createdAt',
    insteadOfRefusal('postComplex', 400, (request) =>
      withJson(request, (body) => body['createdAt'] === 'yesterday' && delete body['createdAt']),
    ),
    ['postComplex/body-refused'],
  ],
  [
    'any createdBy',
    insteadOfRefusal('postComplex', 400, (request) =>
      withJson(request, (body) => body['createdBy'] === 'text' && delete body['createdBy']),
    ),
    ['postComplex/body-refused'],
  ],
  [
    'any eleventhPropery',
    insteadOfRefusal('postComplex', 400, (request) =>
      withJson(request, (body) => body['eleventhPropery'] === 5 && delete body['eleventhPropery']),
    ),
    ['postComplex/body-refused'],
  ],
  [
    'queryParameterOne=abc is passed over',
    bendParameter('postComplex', 'queryParameterOne', (value) => (value === 'abc' ? '1' : value)),
    ['postComplex/refused'],
  ],
  [
    'the first of two values',
    bendParameter('postComplex', 'queryParameterTwo', (value, at) => (at === 0 ? value : undefined)),
    ['postComplex/single-valued'],
  ],
  [
    'unknown parameters are refused',
    refusing('postComplex', ({ url }) => url.includes('verifyUnknown')),
    ['postComplex/unknown-parameter'],
  ],
  [
    'two alternatives that are one',
    bendRequests('postComplex', (request) =>
      request.headers.has('Prefer') ? withHeaders(request, { Prefer: 'code=203, example=custom1' }) : undefined,
    ),
    ['postComplex/alternatives'],
  ],
  [
    'a member twice',
    insteadOfRefusal('postComplex', 400, async (request) => {
      const text = await request.clone().text()
      return text.startsWith('{"id":"v') && text.indexOf('"id"', 3) > 0
        ? withBody(request, text.replace(/^\{"id":"[^"]+",/, '{'))
        : undefined
    }),
    ['postComplex/duplicate-member'],
  ],
  ['GET is 404', bendMethods('/artificially-complex', (bent) => (bent.status = 404)), ['postComplex/method']],
]

export const complex: readonly SeededFault[] = faults.map(([what, bend, finds]) => [
  `postComplex: ${what}`,
  bend,
  finds,
])
