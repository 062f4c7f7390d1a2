import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import { endpoints } from '../../../src/service/contract/endpoints.ts'
import type { OperationId } from '../../../src/service/contract/endpoints.ts'
import { createQueryDecoder } from '../../../src/service/contract/decode.ts'
import { Problem } from '../../../src/errors.ts'
import { parseRawQuery } from '../../../src/service/http/request-head.ts'

/** The parsed query of an operation, and its warnings. */
function decode(id: OperationId, search: string) {
  const warnings: string[] = []
  const endpoint: Endpoint = endpoints[id]
  const decoded = createQueryDecoder(endpoint)(parseRawQuery(search), (decision, sentence) => {
    warnings.push(`${decision} ${sentence}`)
  })
  return { ...decoded, warnings }
}

function messageOf(id: OperationId, search: string): string {
  try {
    decode(id, search)
  } catch (fault) {
    if (fault instanceof Problem && fault.status === 400) return fault.message
    throw fault
  }
  throw new Error(`${search} was taken`)
}

describe('a query', () => {
  it.each<[OperationId, string, object]>([
    ['queryResources', '', {}],
    ['queryResources', '?', {}],
    ['queryResources', '?stringParameter=a%20b+c', { stringParameter: 'a b c' }],
    ['queryResources', '?stringParameter=', { stringParameter: '' }],
    ['queryResources', '?floatParameter=1.5', { floatParameter: 1.5 }],
    ['queryResources', '?floatParameter=-.5e1', { floatParameter: -5 }],
    ['queryResources', '?integerParameter=7', { integerParameter: 7 }],
    ['queryResources', '?integerParameter=7.0', { integerParameter: 7 }],
    ['queryResources', '?integerParameter=9223372036854775807', { integerParameter: 9223372036854775807n }],
    ['queryResources', '?arrayOfString=a&arrayOfString=b', { arrayOfString: ['a', 'b'] }],
    ['queryResources', '?withTotal=false&limit=20.0&offset=1e1', { withTotal: false, limit: 20, offset: 10 }],
    ['queryResources', '?unionParameter=1.5', { unionParameter: 1.5 }],
    ['queryResources', '?unionParameter=2026-01-31T12:00:00Z', { unionParameter: '2026-01-31T12:00:00Z' }],
    ['queryResources', '?unionParameter=2026-01-31T12:00:00%2B01:00', { unionParameter: '2026-01-31T12:00:00+01:00' }],
    [
      'queryResources',
      '?unionParameter={"version":1,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}',
      { unionParameter: { version: 1, objectTypeProperty: { arrayOfIntExample: [9223372036854775807n] } } },
    ],
    ['queryResources', '?objectParameter={"arrayOfString":["a"]}', { objectParameter: { arrayOfString: ['a'] } }],
    ['queryResources', '?objectParameter[arrayOfString]=a', { objectParameter: { arrayOfString: ['a'] } }],
    ['queryResources', '?objectParameter%5BarrayOfString%5D=a', { objectParameter: { arrayOfString: ['a'] } }],
    [
      'queryResources',
      '?objectParameter={"arrayOfString":["a"]}&objectParameter.arrayOfString=b&objectParameter[arrayOfString]=c',
      { objectParameter: { arrayOfString: ['a', 'b', 'c'] } },
    ],
    ['queryResources', '?floatParameter=9007199254740993', { floatParameter: 9007199254740993n }],
    ['queryResources', '?withMarkdownDescription=9007199254740993.0', { withMarkdownDescription: 9007199254740993n }],
    ['queryResources', '?unionParameter=9007199254740993', { unionParameter: 9007199254740993n }],
    ['queryResources', '?objectParameter={"arrayOfString":"a"}', { objectParameter: { arrayOfString: ['a'] } }],
    [
      'searchResources',
      '?fuzzy=true&filter.query=a:1&facet=b&facet=c',
      { fuzzy: true, 'filter.query': ['a:1'], facet: ['b', 'c'] },
    ],
    ['deleteResource', '?version=3', { version: 3 }],
    ['uploadImage', '?variant=-2147483648', { variant: -2147483648 }],
  ])('of %s reads %j', (id, search, query) => {
    expect(decode(id, search)).toMatchObject({ query, warnings: [] })
    expect(Object.keys(decode(id, search).query)).toEqual(Object.keys(query))
  })

  it.each<[OperationId, string, string]>([
    ['queryResources', '?floatParameter=abc', 'Malformed parameter: floatParameter: expected a number, got "abc".'],
    ['queryResources', '?floatParameter=', 'Malformed parameter: floatParameter: expected a number, got "".'],
    ['queryResources', '?floatParameter=NaN', 'Malformed parameter: floatParameter: expected a number, got "NaN".'],
    ['queryResources', '?floatParameter=1e999', 'Malformed parameter: floatParameter: expected a number, got "1e999".'],
    ['queryResources', '?floatParameter=0x10', 'Malformed parameter: floatParameter: expected a number, got "0x10".'],
    [
      'queryResources',
      '?integerParameter=1.5',
      'Malformed parameter: integerParameter: expected a whole number, got "1.5".',
    ],
    [
      'queryResources',
      '?integerParameter=9223372036854775808',
      'Malformed parameter: integerParameter: expected an integer between -9223372036854775808 and 9223372036854775807, got "9223372036854775808".',
    ],
    ['queryResources', '?withTotal=TRUE', 'Malformed parameter: withTotal: expected true or false, got "TRUE".'],
    ['queryResources', '?limit=1&limit=2', 'Malformed parameter: limit: takes one value, got "1, 2".'],
    [
      'queryResources',
      '?unionParameter=yesterday',
      'Malformed parameter: unionParameter: expected a number, an ISO 8601 date-time or a JSON ObjectTestType, got "yesterday".',
    ],
    [
      'queryResources',
      '?unionParameter=2026-01-31T12:00:00+01:00',
      'Malformed parameter: unionParameter: expected a number, an ISO 8601 date-time or a JSON ObjectTestType, got "2026-01-31T12:00:00 01:00". Encode the plus sign of an offset as %2B: a bare one means a space.',
    ],
    [
      'queryResources',
      '?unionParameter={"version":1}',
      'Malformed parameter: unionParameter: expected a number, an ISO 8601 date-time or a JSON ObjectTestType, got "{\\"version\\":1}".',
    ],
    ['queryResources', '?objectParameter=a', 'Malformed parameter: objectParameter: expected a JSON object, got "a".'],
    [
      'queryResources',
      '?objectParameter={"arrayOfString":5}',
      'Malformed parameter: objectParameter: arrayOfString: JSON Array expected, got "{\\"arrayOfString\\":5}".',
    ],
    [
      'uploadImage',
      '?variant=2147483648',
      'Malformed parameter: variant: expected an integer between -2147483648 and 2147483647, got "2147483648".',
    ],
    [
      'searchResources',
      '?text.english=a',
      'Malformed parameter: text.english: the name must match ^text\\.[a-z]{2}(-[A-Z]{2})?$.',
    ],
    ['searchResources', '?text.en=a&text.en=b', 'Malformed parameter: text.en: takes one value, got "a, b".'],
  ])('of %s refuses %j', (id, search, message) => {
    expect(messageOf(id, search)).toBe(message)
  })

  it.each<[OperationId, string, object, string]>([
    ['sortedQuery', '?withTotal=false&limit=1&withTotal=false', { query: { withTotal: false, limit: 1 } }, 'withTotal'],
    ['searchResources', '?text.en=a&text.en=a', { families: { text: new Map([['en', ['a']]]) } }, 'text.en'],
  ])('of %s counts a repeated value once and warns: %j', (id, search, decoded, name) => {
    const warning = `D9 The query parameter "${name}" is repeated with the same value, which counts once.`
    expect(decode(id, search)).toMatchObject({ ...decoded, warnings: [warning] })
  })

  it('names a JSON parameter, not the body, if its JSON is invalid', () => {
    expect(messageOf('queryResources', '?objectParameter={"arrayOfString":[}')).toBe(
      'Malformed parameter: objectParameter: expected a JSON object, got "{\\"arrayOfString\\":[}".',
    )
    expect(messageOf('queryResources', '?unionParameter={"version":1,"version":1}')).toMatch(
      /^Malformed parameter: unionParameter: expected a number/,
    )
  })

  it('collects a family by the names without its prefix', () => {
    const { families } = decode('sortedQuery', '?var.a=1&var.b=2&var.a=3')
    expect(families).toEqual({
      var: new Map([
        ['a', ['1', '3']],
        ['b', ['2']],
      ]),
    })
    expect(decode('searchResources', '?text.en=x&text.de-DE=y').families).toEqual({
      text: new Map([
        ['en', ['x']],
        ['de-DE', ['y']],
      ]),
    })
  })

  it.each<[OperationId, string, string]>([
    ['queryResources', '?colour=a', 'D4 Unknown query parameter "colour" is ignored.'],
    [
      'queryResources',
      '?stringparameter=a',
      'D4 Unknown query parameter "stringparameter" is ignored. Did you mean "stringParameter"?',
    ],
    [
      'queryResources',
      '?objectParameter={"arrayOfString":["a"],"colour":1}',
      'D4 Unknown member "colour" of objectParameter is ignored.',
    ],
    [
      'queryResources',
      '?objectParameter[colour]=1',
      'D4 Unknown query parameter "objectParameter[colour]" is ignored.',
    ],
    ['sortedQuery', '?limt=1', 'D4 Unknown query parameter "limt" is ignored. Did you mean "limit"?'],
    [
      'sortedQuery',
      '?var.a-b=1',
      'D4 Unknown query parameter "var.a-b" is ignored. Its name must match ^var[.][a-zA-Z0-9]+$.',
    ],
    ['getResourceById', '?__proto__=1', 'D4 Unknown query parameter "__proto__" is ignored.'],
    ['checkResources', '?unionParameter=x&unionParameter=y', 'D11 HEAD ignores the query parameter "unionParameter".'],
  ])('of %s warns about %j', (id, search, warning) => {
    expect(decode(id, search)).toMatchObject({ query: {}, warnings: [warning] })
  })
})
