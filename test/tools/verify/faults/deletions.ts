import { bendAnswers, bendParameter, ignoring, operationOf, queryOf, readJson, refusing } from '../bends.ts'
import type { Bend } from '../bends.ts'
import type { SeededFault } from './fault.ts'

/** Remembers the last deleted resource and its response. */
const afterDeletion =
  (
    change: (
      fetch: (request: Request) => Promise<Response>,
      request: Request,
      id: string,
    ) => Promise<Response> | undefined,
  ): Bend =>
  (fetch) => {
    let deleted = ''
    return async (request) => {
      const answer = (deleted === '' ? undefined : change(fetch, request, deleted)) ?? fetch(request.clone())
      const response = await answer
      if (operationOf(request) === 'deleteResource' && response.ok)
        deleted = request.url.split('?')[0]?.split('/').at(-1) ?? ''
      return response
    }
  }

const faults: readonly SeededFault[] = [
  [
    'a stale version deletes',
    ignoring('deleteResource', 'version'),
    ['deleteResource/stale-version', 'deleteResource/refused'],
  ],
  [
    'a version too low deletes',
    bendParameter('deleteResource', 'version', (value) => (value === '0' ? '1' : value)),
    ['deleteResource/stale-version'],
  ],
  [
    'version=abc is passed over',
    bendParameter('deleteResource', 'version', (value) => (value === 'abc' ? '99' : value)),
    ['deleteResource/refused'],
  ],
  [
    'the actual version is refused',
    refusing('deleteResource', (request) => queryOf(request).get('version') === '1'),
    ['deleteResource/actual-version'],
  ],
  ['a body is refused', refusing('deleteResource', (_, text) => text !== ''), ['deleteResource/actual-version']],
  [
    'a Location of nothing',
    bendAnswers('deleteResource', ({ headers }) => headers.set('Location', '/acme/resource/a')),
    ['deleteResource/headers'],
  ],
  [
    'an ETag of the next version',
    bendAnswers('deleteResource', ({ headers }) => headers.set('ETag', '"2"')),
    ['deleteResource/etag'],
  ],
  ['204 for 200', bendAnswers('deleteResource', (bent) => (bent.status = 202)), ['deleteResource/status']],
  [
    'an answer without content',
    bendAnswers('deleteResource', ({ body }) => (body.objectTypeProperty = {} as typeof body)),
    ['deleteResource/resource'],
  ],
  [
    'an answer of the next version',
    bendAnswers('deleteResource', ({ body }) => (body['version'] = 2)),
    ['deleteResource/resource'],
  ],
  [
    'another DELETE is 200',
    bendAnswers('deleteResource', (bent) => (bent.status = 200), 404),
    ['deleteResource/gone', 'deleteResource/not-found'],
  ],
  [
    'an update brings it back',
    afterDeletion((_, request, id) =>
      operationOf(request) === 'updateResource' && request.url.endsWith(id)
        ? Promise.resolve(Response.json({ version: 2, objectTypeProperty: {} }))
        : undefined,
    ),
    ['deleteResource/gone'],
  ],
  [
    'its key still finds it',
    afterDeletion((_, request, id) =>
      operationOf(request) === 'getResourceByKey'
        ? Promise.resolve(Response.json({}, { headers: { 'Content-Location': `/acme/resource/${id}` } }))
        : undefined,
    ),
    ['deleteResource/gone'],
  ],
  [
    'a query still finds it',
    afterDeletion((_, request, id) =>
      operationOf(request) === 'sortedQuery' && request.url.includes(id)
        ? Promise.resolve(Response.json({ results: [{ id }] }))
        : undefined,
    ),
    ['deleteResource/gone'],
  ],
  [
    'its key stays taken',
    (fetch) => {
      const keys = new Set<unknown>()
      const bend = bendAnswers('createResource', async ({ body }, request) => {
        const { key } = await readJson(request)
        if (keys.has(key)) body['version'] = 2
        keys.add(key)
      })
      return bend(fetch)
    },
    ['deleteResource/key-freed'],
  ],
]

export const deletions: readonly SeededFault[] = faults.map(([what, bend, finds]) => [
  `deleteResource: ${what}`,
  bend,
  finds,
])
