import { images } from '../../../../src/tools/verify/subjects/uploads.ts'
import { parseJson } from '../../../../src/service/http/json.ts'
import type { Fetch } from '../fetch-transport.ts'
import {
  bendAnswers,
  bendText,
  bendParameter,
  bendRequests,
  insteadOfRefusal,
  operationOf,
  queryOf,
  refusing,
  withBody,
  withHeaders,
  withJson,
  withQuery,
} from '../bends.ts'
import type { Bend, Json } from '../bends.ts'
import type { SeededFault } from './fault.ts'

const DRAFTS = ['createResource', 'putResource', 'overwriteResource'] as const
type Drafting = (typeof DRAFTS)[number]

const isJson = (text: string): boolean => {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

/** Parses another text than the request's if the mock refuses that. */
const reading = (operation: Parameters<typeof insteadOfRefusal>[0], change: (text: string) => string): Bend =>
  insteadOfRefusal(operation, 400, async (request) => {
    const text = await request.clone().text()
    const other = change(text)
    return other === text ? undefined : withBody(request, other)
  })

/** Changes the content headers of every response: of one operation, and of the look-up by key. */
const keeping = (operation: Drafting, change: (content: Json) => void): Bend => {
  const bend = (one: Drafting | 'getResourceByKey') =>
    bendAnswers(one, ({ body }) => {
      if (body.objectTypeProperty !== undefined) change(body.objectTypeProperty)
    })
  return (fetch) => bend(operation)(bend('getResourceByKey')(fetch))
}

const mapTexts = (content: Json, change: (text: string) => string): void => {
  const texts = content['arrayOfStringExample']
  if (Array.isArray(texts)) content['arrayOfStringExample'] = texts.map((text) => change(String(text)))
}

const mapNumbers = (content: Json, name: string, change: (value: unknown) => unknown): void => {
  const numbers = content[name]
  if (Array.isArray(numbers)) content[name] = numbers.map(change)
}

function keepingUnknown(operation: Drafting): Bend {
  return bendText(operation, (text) => text.replace(/\}\}$/, ',"verifyUnknown":"a"}}'))
}

/** Returns the previous version for a repeated draft. */
function ignoringSame(operation: Drafting): Bend {
  return (fetch) => {
    const seen = new Set<string>()
    const bend = bendAnswers(operation, async ({ body }, request) => {
      const text = await request.text()
      if (seen.has(text)) body['version'] = Number(body['version']) - 1
      seen.add(text)
    })
    return bend(fetch)
  }
}

const bendResults = (change: (result: Json) => void): Bend =>
  bendAnswers('sortedQuery', ({ body }) => {
    for (const result of body.results ?? []) change(result)
  })

function movingDates(name: string): Bend {
  return bendResults((result) => {
    result[name] = new Date(Number(result['version']) * 1000).toISOString()
  })
}

function stayingDates(fetch: Fetch): Fetch {
  return bendResults((result) => {
    if (Number(result['version']) > 1) Object.assign(result, { lastModifiedAt: '2020-01-01T00:00:00.000Z' })
  })(fetch)
}

function lowerPath(request: Request): Request {
  return new Request(
    request.url.replace(/key=.*$/, (key) => key.toLowerCase()),
    request,
  )
}

const drafts = DRAFTS.flatMap((operation): readonly SeededFault[] => [
  [
    'text after the JSON is passed over',
    reading(operation, (text) => text.replace(/ x$/, '')),
    [`${operation}/broken-json`],
  ],
  [
    'broken JSON has the code InvalidInput',
    bendAnswers(operation, ({ body }) => Object.assign(body.errors[0] ?? {}, { code: 'InvalidInput' }), 400),
    [`${operation}/envelope`],
  ],
  [
    'a member inside twice',
    reading(operation, (text) => (isJson(text) ? text : text.replace(/\{("\w+":)null,\1/, '{$1'))),
    [`${operation}/duplicate-member`],
  ],
  [
    'application/vnd.x+json is JSON',
    insteadOfRefusal(operation, 415, (request) =>
      request.headers.get('Content-Type')?.endsWith('+json') === true
        ? withHeaders(request, { 'Content-Type': 'application/json' })
        : undefined,
    ),
    [`${operation}/media-type`],
  ],
  [
    'null for an array',
    reading(operation, (text) => text.replace(/"arrayOf\w+":null,?/, '').replace(',}', '}')),
    [`${operation}/body-refused`],
  ],
  [
    'null for objectTypeProperty',
    reading(operation, (text) => text.replace('"objectTypeProperty":null', '"objectTypeProperty":{}')),
    [`${operation}/body-refused`],
  ],
  ['unknown members are kept inside objectTypeProperty', keepingUnknown(operation), [`${operation}/unknown-member`]],
  [
    'texts are trimmed',
    keeping(operation, (content) => mapTexts(content, (text) => text.trim())),
    [`${operation}/texts`],
  ],
  [
    'texts in ASCII',
    keeping(operation, (content) => mapTexts(content, (text) => text.replace(/[^ -~\n]/g, '?'))),
    [`${operation}/texts`],
  ],
  [
    'empty texts are dropped',
    keeping(operation, (content) => {
      const texts = content['arrayOfStringExample']
      if (Array.isArray(texts)) content['arrayOfStringExample'] = texts.filter((text) => text !== '')
    }),
    [`${operation}/texts`],
  ],
  [
    'decimals of 32 bits',
    keeping(operation, (content) => mapNumbers(content, 'arrayOfFloatExample', (value) => Math.fround(Number(value)))),
    [`${operation}/decimals`],
  ],
  [
    'decimals of two digits',
    keeping(operation, (content) =>
      mapNumbers(content, 'arrayOfNumberNoDefaultsExample', (value) => Math.round(Number(value) * 100) / 100),
    ),
    [`${operation}/decimals`],
  ],
  [
    'entries without a member are filled',
    keeping(operation, (content) =>
      mapNumbers(content, 'arrayOfObjectType', (entry) => ({ integerExample: 0, ...(entry as object) })),
    ),
    [`${operation}/partial-entries`],
  ],
  [
    'numbers that are there twice are dropped',
    keeping(operation, (content) => {
      const numbers = content['arrayOfIntExample']
      if (Array.isArray(numbers)) content['arrayOfIntExample'] = [...new Set(numbers)]
    }),
    [`${operation}/array-constraints`],
  ],
  [
    'arrayOfTwonumbersExample has two numbers',
    refusing(operation, (_, text) => text.includes('"arrayOfTwonumbersExample":[1,2,3]')),
    [`${operation}/array-constraints`],
  ],
  [
    'a bad key has the code InvalidInput',
    bendAnswers(
      operation,
      ({ body }) => {
        const [error] = body.errors
        if (error?.['code'] === 'InvalidField') error['code'] = 'InvalidInput'
      },
      400,
    ),
    [`${operation}/envelope`],
  ],
  ['a write that changes nothing is none', ignoringSame(operation), [`${operation}/same-content`]],
  ['createdAt that moves', movingDates('createdAt'), [`${operation}/dates`]],
  ['lastModifiedAt that stays', stayingDates, [`${operation}/dates`]],
])

const writes: readonly SeededFault[] = [
  [
    'keys are kept in lower case',
    (fetch) => {
      const lower: Bend = bendRequests('createResource', async (request) =>
        isJson(await request.clone().text())
          ? withJson(request, (body) => {
              if (typeof body['key'] === 'string') body['key'] = body['key'].toLowerCase()
            })
          : request,
      )
      return lower(bendRequests('getResourceByKey', lowerPath)(fetch))
    },
    ['createResource/key-letters'],
  ],
  [
    'no capitals in keys',
    refusing('createResource', (_, text) => text.includes('-Key_A-9')),
    ['createResource/key-letters'],
  ],
  ['keys in any case', bendRequests('getResourceByKey', lowerPath), ['getResourceByKey/key-case']],
  [
    'null as a key is none',
    reading('createResource', (text) => text.replace('"key":null,', '')),
    ['createResource/odd-key'],
  ],
  [
    'an empty key is none',
    reading('createResource', (text) => text.replace('"key":"",', '')),
    ['createResource/odd-key'],
  ],
  [
    'a number is a key',
    reading('createResource', (text) => text.replace('"key":5,', '"key":"verify-5",')),
    ['createResource/odd-key'],
  ],
  [
    'a PATCH that creates, and answers 404',
    (fetch) => async (request) => {
      const response = await fetch(request.clone())
      if (operationOf(request) === 'overwriteResource' && response.status === 404) {
        await fetch(new Request(request, { method: 'PUT' }))
      }
      return response
    },
    ['overwriteResource/creates-none'],
  ],
  ['createdAt that moves', movingDates('createdAt'), ['updateResource/dates', 'uploadImage/dates']],
  ['lastModifiedAt that stays', stayingDates, ['updateResource/dates', 'uploadImage/dates']],
  [
    'no version 1.0',
    refusing('updateResource', (_, text) => /"version":\d+\.0/.test(text)),
    ['updateResource/whole-version'],
  ],
  [
    'an update to the same value is none',
    bendAnswers('updateResource', async ({ body }, request) => {
      if ((await request.text()).endsWith('"someProperty":"retried"}]}')) body['version'] = 1
    }),
    ['updateResource/same-content'],
  ],
  [
    'an empty update sets lastModifiedAt',
    (fetch) => {
      let count = 0
      const bend = bendResults((result) => {
        count += 1
        Object.assign(result, { lastModifiedAt: new Date(count).toISOString(), createdAt: new Date(0).toISOString() })
      })
      return bend(fetch)
    },
    ['updateResource/no-actions'],
  ],
  [
    'null for actions is none',
    reading('updateResource', (text) => text.replace('"actions":null', '"actions":[]')),
    ['updateResource/body-refused'],
  ],
  [
    'true is version 1',
    reading('updateResource', (text) => text.replace('"version":true', '"version":1')),
    ['updateResource/body-refused'],
  ],
  [
    'null as someProperty',
    reading('updateResource', (text) => text.replace('"someProperty":null', '"someProperty":"null"')),
    ['updateResource/body-refused'],
  ],
  [
    'unknown members of actions are refused',
    refusing('updateResource', (_, text) => text.includes('"doSomeThing","verifyUnknown"')),
    ['updateResource/unknown-member'],
  ],
  [
    'the first of two versions',
    insteadOfRefusal('deleteResource', 400, (request) =>
      queryOf(request).getAll('version').length === 2
        ? withQuery(request, (query) => query.set('version', '99'))
        : undefined,
    ),
    ['deleteResource/single-valued'],
  ],
  ...(['queryResources', 'searchResources'] as const).map((operation): SeededFault => [
    `what was deleted is still found by ${operation}`,
    (fetch) => {
      let deleted = ''
      return async (request) => {
        const response = await fetch(request)
        if (operationOf(request) === 'deleteResource' && response.ok) {
          deleted = request.url.split('?')[0]?.split('/').at(-1) ?? ''
        }
        if (operationOf(request) !== operation || deleted === '') return response
        return Response.json({ results: [{ id: deleted }] })
      }
    },
    ['deleteResource/gone'],
  ]),
  [
    'HEAD still finds what was deleted',
    bendAnswers('checkResources', (bent) => (bent.status = 200), 404),
    ['deleteResource/gone'],
  ],
  [
    'a variant past int32 that breaks the service',
    (fetch) => async (request) =>
      queryOf(request).get('variant') === '2147483648' ? new Response('', { status: 500 }) : fetch(request),
    ['uploadImage/large-variant'],
  ],
  [
    'variant=1.5 is 1',
    bendParameter('uploadImage', 'variant', (value) => (value === '1.5' ? '1' : value)),
    ['uploadImage/refused'],
  ],
  [
    'a part of a JPEG is an image',
    insteadOfRefusal('uploadImage', 400, async (request) => {
      const bytes = new Uint8Array(await request.clone().arrayBuffer())
      const isJpeg = request.headers.get('Content-Type') === 'image/jpeg' && bytes[0] === 0xff
      if (!isJpeg) return undefined
      return withHeaders(withBody(request, images['image/png']), { 'Content-Type': 'image/png' })
    }),
    ['uploadImage/garbage'],
  ],
]

const complex: readonly SeededFault[] = [
  ...['"lastName":5', '"firstName":null', '"id":null', '"createdAt":"2026-01-01"'].map((part): SeededFault => [
    `${part} is taken`,
    reading('postComplex', (text) => (text.includes(part) ? '{}' : text)),
    ['postComplex/body-refused'],
  ]),
  [
    'unknown members of createdBy are refused',
    refusing('postComplex', (_, text) => text.includes('"lastName":"Example","verifyUnknown"')),
    ['postComplex/unknown-member'],
  ],
  [
    'another query is another path',
    bendAnswers(
      'postComplex',
      (bent, request) => queryOf(request).get('queryParameterTwo') === 'b' && (bent.status = 201),
    ),
    ['postComplex/repeat'],
  ],
  [
    'uriParameterOne does not count',
    bendAnswers('postComplex', (bent, { url }) => url.includes('-three/') && (bent.status = 200)),
    ['postComplex/other-path'],
  ],
]

const named = (faults: readonly SeededFault[]): readonly SeededFault[] =>
  faults.map(([what, bend, finds]) => [`${finds[0].split('/')[0]}: ${what}`, bend, finds])

/** Writes that break a small part of a rule. */
export const detailsOfWrites: readonly SeededFault[] = named([...drafts, ...writes, ...complex])
