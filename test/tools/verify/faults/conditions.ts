import {
  bendAnswers,
  bendParameter,
  bendQuery,
  firstOnly,
  bendRequests,
  bendText,
  ignoring,
  insteadOfRefusal,
  queryOf,
  refusing,
  withQuery,
} from '../bends.ts'
import type { SeededFault } from './fault.ts'

const PARAMETERS = [
  ['stringParameter', 'string-parameter'],
  ['floatParameter', 'float-parameter'],
  ['integerParameter', 'integer-parameter'],
  ['withMarkdownDescription', 'markdown-parameter'],
  ['arrayOfString', 'array-of-string'],
  ['arrayOfStringWithDescription', 'array-of-string-with-description'],
  ['objectParameter', 'object-parameter'],
  ['objectParameter[arrayOfString]', 'object-parameter'],
  ['objectParameter.arrayOfString', 'object-parameter'],
] as const

const faults = (['queryResources', 'checkResources'] as const).flatMap((operation): readonly SeededFault[] => [
  ...PARAMETERS.map(([name, check]): SeededFault => [
    `${name} that is ignored`,
    ignoring(operation, name),
    [`${operation}/${check}`],
  ]),
  ...PARAMETERS.map(([name, check]): SeededFault => [
    `no ${name}`,
    refusing(operation, (request) => queryOf(request).has(name)),
    [`${operation}/${check}`],
  ]),
  ['the first of two arrayOfString', firstOnly(operation, 'arrayOfString'), [`${operation}/array-of-string`]],
  [
    'the first of two arrayOfStringWithDescription',
    firstOnly(operation, 'arrayOfStringWithDescription'),
    [`${operation}/array-of-string-with-description`],
  ],
  [
    'a part of a string',
    bendParameter(operation, 'stringParameter', (value) => (value === 'kil' ? 'kiln' : value)),
    [`${operation}/string-parameter`],
  ],
  [
    'no <number> in <field>',
    bendParameter(operation, 'stringParameter', (value) => value.replace('2 in arrayOfTwonumbersExample', 'nothing')),
    [`${operation}/string-parameter`],
  ],
  [
    '<number> in <field> alone',
    bendParameter(operation, 'stringParameter', (value) => value.replace('99 in arrayOfIntExample', 'nothing')),
    [`${operation}/string-parameter`],
  ],
  [
    'no list in objectParameter',
    bendParameter(operation, 'objectParameter', (value) => value.replace(',"oakum"', '')),
    [`${operation}/object-parameter`],
  ],
  [
    'integers as doubles',
    bendParameter(operation, 'integerParameter', (value) => value.replace(/992$/, '993')),
    [`${operation}/exact-numbers`],
  ],
  [
    'a fraction for integerParameter',
    bendParameter(operation, 'integerParameter', (value) => value.replace('1.5', '1')),
    [`${operation}/refused`],
  ],
  [
    'no 2.0 for integerParameter',
    refusing(operation, (request) => queryOf(request).get('integerParameter') === '2.0'),
    [`${operation}/integer-parameter`],
  ],
  [
    'floatParameter=abc',
    bendParameter(operation, 'floatParameter', (value) => (value === 'abc' ? undefined : value)),
    [`${operation}/refused`],
  ],
  [
    'one of several conditions',
    bendQuery(operation, (query) => query.has('stringParameter') && query.delete('floatParameter')),
    [`${operation}/all-conditions`],
  ],
])

const unions: readonly SeededFault[] = [
  [
    'unionParameter that is ignored',
    ignoring('queryResources', 'unionParameter'),
    ['queryResources/union-number', 'queryResources/union-date-time', 'queryResources/union-object'],
  ],
  [
    'no number in unionParameter',
    refusing('queryResources', (request) => /^-?[\d.]+$/.test(queryOf(request).get('unionParameter') ?? '')),
    ['queryResources/union-number'],
  ],
  [
    'no date-time in unionParameter',
    refusing('queryResources', (request) => /^\d+-/.test(queryOf(request).get('unionParameter') ?? '')),
    ['queryResources/union-date-time'],
  ],
  [
    'no object in unionParameter',
    refusing('queryResources', (request) => queryOf(request).get('unionParameter')?.startsWith('{"version":') === true),
    ['queryResources/union-object'],
  ],
  [
    'an object of any version',
    bendParameter('queryResources', 'unionParameter', (value) => value.replace('"version":2', '"version":1')),
    ['queryResources/union-object'],
  ],
  [
    'an object of any shape',
    bendParameter('queryResources', 'unionParameter', (value) => (value === '{"version":1}' ? undefined : value)),
    ['queryResources/refused'],
  ],
  [
    'an integer of any size',
    bendParameter('queryResources', 'integerParameter', (value) => value.replace('9223372036854775808', '1')),
    ['queryResources/refused'],
  ],
  [
    'a page without arrays',
    bendAnswers('queryResources', ({ body }) => delete body['arrayOfIntExample']),
    ['queryResources/projection'],
  ],
  [
    'no empty arrays without a result',
    bendText('queryResources', (text) =>
      text.includes('"results":[]') ? text.replace(/"arrayOf\w+":\[\],/g, '') : text,
    ),
    ['queryResources/projection'],
  ],
]

const heads: readonly SeededFault[] = [
  ['always 200', bendAnswers('checkResources', (bent) => (bent.status = 200), 404), ['checkResources/no-match']],
  ['always 404', bendAnswers('checkResources', (bent) => (bent.status = 404)), ['checkResources/status']],
  ['a body', bendText('checkResources', () => 'body'), ['checkResources/no-body']],
  [
    'a unionParameter that counts',
    bendRequests('checkResources', (request) =>
      withQuery(request, (query) => query.get('unionParameter') === '77.5' && query.set('where', 'id = "none"')),
    ),
    ['checkResources/union'],
  ],
  [
    'a unionParameter that is refused',
    refusing('checkResources', (request) => queryOf(request).get('unionParameter') === 'abc'),
    ['checkResources/union'],
  ],
  ['the first of two wheres', firstOnly('checkResources', 'where'), ['checkResources/where']],
  ['no variables', ignoring('checkResources', 'var.a'), ['checkResources/where']],
  [
    'any where',
    insteadOfRefusal('checkResources', 400, (request) => withQuery(request, (query) => query.delete('where'))),
    ['checkResources/where-refused'],
  ],
  [
    'any limit',
    insteadOfRefusal('checkResources', 400, (request) => withQuery(request, (query) => query.delete('limit'))),
    ['checkResources/refused'],
  ],
]

export const conditions: readonly SeededFault[] = [...faults, ...unions, ...heads].map(([what, bend, finds]) => [
  `${finds[0].split('/')[0]}: ${what}`,
  bend,
  finds,
])
