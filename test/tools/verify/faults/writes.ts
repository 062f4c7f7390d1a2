import {
  accepting,
  bendAnswers,
  bendRequests,
  bendText,
  insteadOfRefusal,
  operationOf,
  readJson,
  refusing,
  withJson,
} from '../bends.ts'
import type { Bend, Json } from '../bends.ts'
import type { SeededFault } from './fault.ts'

/** Responds as if an overwrite had kept an array of the previous resource. */
const merging = (operation: 'createResource' | 'putResource' | 'overwriteResource'): Bend =>
  bendAnswers(operation, ({ body }) => {
    if (Number(body['version']) > 1) body.objectTypeProperty['arrayOfFloatExample'] ??= [0.5]
  })

const isSecond = (body: Json): boolean => Number(body['version']) > 1

const named = (operation: string, faults: readonly SeededFault[]): readonly SeededFault[] =>
  faults.map(([what, bend, finds]) => [`${operation}: ${what}`, bend, finds])

export const writes: readonly SeededFault[] = [
  ...named('createResource', [
    [
      'an update by key that is 200',
      bendAnswers('createResource', (bent) => isSecond(bent.body) && (bent.status = 200)),
      ['createResource/same-key'],
    ],
    ['an update by key that merges', merging('createResource'), ['createResource/same-key']],
    [
      'an update by key that raises the version by two',
      bendAnswers('createResource', ({ body }) => isSecond(body) && (body['version'] = Number(body['version']) + 1)),
      ['createResource/same-key'],
    ],
    [
      'a key that exists is a conflict',
      (fetch) => async (request) => {
        const key = operationOf(request) === 'createResource' ? (await readJson(request))['key'] : undefined
        const url = `http://mock/acme/resource/key=${String(key)}`
        const known = key === undefined ? undefined : await fetch(new Request(url, { headers: request.headers }))
        return known?.status === 200 ? Response.json({}, { status: 409 }) : fetch(request)
      },
      ['createResource/same-key'],
    ],
    [
      'a version that begins with 0',
      bendAnswers('createResource', ({ body }) => (body['version'] = 0)),
      ['createResource/first-version'],
    ],
    [
      'an answer without some arrays',
      bendAnswers('createResource', ({ body }) => delete body.objectTypeProperty['arrayOfFloatExample']),
      ['createResource/content'],
    ],
    [
      'integers that are rounded',
      bendText('createResource', (text) => text.replaceAll('9007199254740993', '9007199254740992')),
      ['createResource/content'],
    ],
    [
      'int32 that wraps',
      bendText('createResource', (text) => text.replaceAll(':2147483647', ':-1')),
      ['createResource/content'],
    ],
    [
      'arrays that are made up',
      bendAnswers('createResource', ({ body }) => (body.objectTypeProperty['arrayOfIntExample'] ??= [])),
      ['createResource/partial'],
    ],
    [
      'empty arrays that are dropped',
      bendText('createResource', (text) => text.replace('"arrayOfFloatExample":[],', '')),
      ['createResource/partial'],
    ],
    [
      'long keys refused',
      refusing('createResource', (_, text) => text.includes('k'.repeat(200))),
      ['createResource/long-key'],
    ],
    [
      'keys that are ignored',
      bendRequests('createResource', (request) => withJson(request, (body) => delete body['key'])),
      ['createResource/findable', 'createResource/same-key'],
    ],
    [
      'a draft without key that overwrites the last resource',
      (fetch) => {
        let last = ''
        return async (request) => {
          const answer = await fetch(request.clone())
          if (operationOf(request) !== 'createResource' || !answer.ok) return answer
          const isKeyless = (await readJson(request))['key'] === undefined
          const headers = new Headers(answer.headers)
          if (isKeyless && last !== '') headers.set('Location', last)
          last = headers.get('Location') ?? ''
          return new Response(answer.body, { status: answer.status, headers })
        }
      },
      ['createResource/keyless'],
    ],
    ['null as a draft', accepting('createResource', (text) => text === 'null'), ['createResource/broken-json']],
    ['an array as a draft', accepting('createResource', (text) => text === '[]'), ['createResource/broken-json']],
    ['an empty body as a draft', accepting('createResource', (text) => text === ''), ['createResource/broken-json']],
    ['a number as a draft', accepting('createResource', (text) => text === '5'), ['createResource/broken-json']],
  ]),
  ...named('putResource', [
    ['an overwrite that merges', merging('putResource'), ['putResource/overwrites']],
    [
      'an overwrite that makes another resource',
      bendAnswers(
        'putResource',
        ({ headers, body }) =>
          isSecond(body) && headers.set('Location', '/acme/resource/00000000-0000-4000-8000-00000000abcd'),
      ),
      ['putResource/overwrites'],
    ],
    [
      'an overwrite that keeps the version',
      bendAnswers('putResource', ({ body }) => (body['version'] = 1)),
      ['putResource/overwrites'],
    ],
    [
      'a creation of version 2',
      bendAnswers('putResource', ({ body }) => (body['version'] = Number(body['version']) + 1)),
      ['putResource/creates'],
    ],
  ]),
  ...named('overwriteResource', [
    ['an overwrite that merges', merging('overwriteResource'), ['overwriteResource/overwrites']],
    [
      'an overwrite that keeps the version',
      bendAnswers('overwriteResource', ({ body }) => (body['version'] = 2)),
      ['overwriteResource/overwrites'],
    ],
    [
      'a PATCH that creates',
      insteadOfRefusal('overwriteResource', 404, (request) => new Request(request, { method: 'PUT' })),
      ['overwriteResource/not-found'],
    ],
    [
      'an overwrite that drops someProperty',
      bendText('sortedQuery', (text) => text.replace(',"someProperty":"kept"', '')),
      ['overwriteResource/keeps-property'],
    ],
  ]),
]
