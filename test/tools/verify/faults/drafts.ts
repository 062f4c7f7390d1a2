import { accepting, bendAnswers, bendText, insteadOfRefusal, readJson, refusing, withHeaders } from '../bends.ts'
import type { Json } from '../bends.ts'
import type { SeededFault } from './fault.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

const isGzip = ({ headers }: Request): boolean => headers.get('Content-Encoding') === 'gzip'

/** Reverses the member order of a response. */
const reverse = (body: Json): void => {
  for (const [name, value] of Object.entries(body).toReversed()) {
    delete body[name]
    body[name] = value
  }
}

/** Possible problems of each of the three operations that accept a draft. */
const faults = (['createResource', 'putResource', 'overwriteResource'] as const).flatMap(
  (operation): readonly SeededFault[] => [
    [
      'an ETag of another version',
      bendAnswers(operation, ({ headers }) => headers.set('ETag', '"99"')),
      [`${operation}/etag`],
    ],
    [
      'a weak ETag',
      bendAnswers(operation, ({ headers }) => headers.set('ETag', `W/${headers.get('ETag')}`)),
      [`${operation}/etag`],
    ],
    ['no ETag', bendAnswers(operation, ({ headers }) => headers.delete('ETag')), [`${operation}/headers`]],
    [
      'a Location without the project',
      bendAnswers(operation, ({ headers }) =>
        headers.set('Location', headers.get('Location')?.replace('/acme', '') ?? ''),
      ),
      [`${operation}/location`],
    ],
    ['members in another order', bendAnswers(operation, ({ body }) => reverse(body)), [`${operation}/order`]],
    [
      'arrays in another order',
      bendAnswers(operation, ({ body }) => reverse(body.objectTypeProperty)),
      [`${operation}/order`],
    ],
    ['a text for an array', accepting(operation, (text) => text.includes('"no array"')), [`${operation}/body-refused`]],
    [
      'a fraction for an integer',
      accepting(operation, (text) => /[:[]1\.5\b/.test(text)),
      [`${operation}/body-refused`],
    ],
    ['null in an array', accepting(operation, (text) => text.includes('[1,null]')), [`${operation}/body-refused`]],
    ['a number as text', accepting(operation, (text) => text.includes('["1.5"]')), [`${operation}/body-refused`]],
    [
      'no objectTypeProperty',
      accepting(operation, (text) => /^\{"key":"[^"]+"\}$/.test(text)),
      [`${operation}/body-refused`],
    ],
    [
      'integers past int64',
      accepting(operation, (text) => text.includes('9223372036854775808')),
      [`${operation}/ranges`],
    ],
    ['integers past int32', accepting(operation, (text) => text.includes('-2147483649')), [`${operation}/ranges`]],
    ['a key with a dot', accepting(operation, (text) => /"key":"verify\w+\./.test(text)), [`${operation}/bad-key`]],
    ['a key of one letter', accepting(operation, (text) => text.includes('"key":"v"')), [`${operation}/bad-key`]],
    [
      'a key of 257 characters',
      accepting(operation, (text) => text.includes('k'.repeat(239))),
      [`${operation}/bad-key`],
    ],
    ['broken JSON', accepting(operation, (text) => text === '{"a":'), [`${operation}/broken-json`]],
    [
      'a member twice',
      accepting(operation, (text) => /^\{("key":"[^"]+"),\1/.test(text)),
      [`${operation}/duplicate-member`],
    ],
    [
      'a form',
      insteadOfRefusal(operation, 415, (request) =>
        request.headers.get('Content-Type')?.includes('form') === true ? withHeaders(request, JSON_TYPE) : undefined,
      ),
      [`${operation}/media-type`],
    ],
    ['no gzip', refusing(operation, isGzip, 415), [`${operation}/gzip`]],
    [
      'no charset',
      refusing(operation, ({ headers }) => headers.get('Content-Type')?.includes(';') === true, 415),
      [`${operation}/charset`],
    ],
    [
      'no body without Content-Type',
      refusing(operation, ({ headers }) => !headers.has('Content-Type'), 415),
      [`${operation}/no-media-type`],
    ],
    [
      'unknown members refused',
      refusing(operation, (_, text) => text.includes('verifyUnknown')),
      [`${operation}/unknown-member`],
    ],
    [
      'unknown members kept',
      bendAnswers(operation, async ({ body }, request) => {
        const { verifyUnknown } = await readJson(request)
        if (verifyUnknown !== undefined) body['verifyUnknown'] = verifyUnknown
      }),
      [`${operation}/unknown-member`],
    ],
    [
      'the version of the draft',
      bendAnswers(operation, async ({ body }, request) => {
        const { version } = await readJson(request)
        if (version !== undefined) body['version'] = version
      }),
      [`${operation}/unknown-member`],
    ],
    ['1.0 refused', refusing(operation, (_, text) => text.includes('[1.0]')), [`${operation}/whole-numbers`]],
    [
      '1.0 kept',
      bendText(operation, (text) => text.replace('"arrayOfIntExample":[1]', '"arrayOfIntExample":[1.0]')),
      [`${operation}/whole-numbers`],
    ],
    ['200 for 201', bendAnswers(operation, (bent) => (bent.status = 200)), [`${operation}/status`]],
  ],
)

export const drafts: readonly SeededFault[] = faults.map(([what, bend, finds]) => [
  `${finds[0].split('/')[0]}: ${what}`,
  bend,
  finds,
])
