import {
  byId,
  byKey,
  COLLECTION,
  conversation,
  create,
  DO_SOMETHING,
  draft,
  get,
  head,
  json,
  keyOf,
  listed,
  OTHER_COLLECTION,
  patch,
  post,
  put,
  raw,
  remove,
  SEARCH,
  set,
  update,
} from './conversation.ts'
import type { Content, Conversation, Step } from './conversation.ts'
import { IMAGES } from './values.ts'

/** Time after which a clock in seconds has moved. */
const SECOND = 1100
const afterSecond = (step: Step): Step => ({ ...step, pause: SECOND })

export const image = (bytes: Uint8Array<ArrayBuffer>, type: string | null, more: Partial<Step>): Step =>
  post(`${COLLECTION}/images`, bytes, { headers: { 'Content-Type': type }, ...more })

const withInts = (...arrayOfIntExample: readonly number[]): Content => ({ arrayOfIntExample })
const draftOf = (name: string, ...ints: readonly number[]): string => draft(keyOf(name), withInts(...ints))

const lifecycle = conversation(
  'lifecycle',
  'section 9, D5, D7, D18',
  [
    ...[create('a'), get(byId('a')), get(byKey('a')), head(byId('a')), listed('a')],
    ...[update('a', undefined, [set('one')]), get(byId('a')), listed('a')],
    ...[update('a', 1, [set('stale')]), update('a', 99, [set('future')]), get(byId('a'))],
    ...[update('a', undefined, [DO_SOMETHING, DO_SOMETHING, set('x'), set('two')]), get(byKey('a')), listed('a')],
    ...[update('a', undefined, []), get(byId('a')), update('a', undefined, [set('two')])],
    ...[update('a', undefined, [DO_SOMETHING]), get(byId('a'))],
    ...[put(draftOf('a', 5)), get(byId('a')), listed('a'), post(COLLECTION, draftOf('a', 6)), get(byKey('a'))],
    ...[patch(draftOf('a', 7)), listed('a'), post(COLLECTION, draftOf('a', 7)), put(draftOf('a', 7)), get(byId('a'))],
    ...[remove('a', ['version', '1']), get(byId('a')), remove('a'), get(byId('a')), get(byKey('a')), listed('a')],
    ...[remove('a'), update('a', 1, [set('x')])],
    get(SEARCH, {
      own: [
        ['filter.query', 'arrayOfUniqueIntExample:{m}1'],
        ['filter', 'arrayOfIntExample:7'],
      ],
    }),
    ...[create('a'), listed('a')],
  ],
  { needsKeys: true },
)

const overwrites = (isStrict: boolean): Conversation =>
  conversation(
    'overwrites',
    'section 4.7, D15, D50',
    [
      ...[create('b', { arrayOfFloatExample: [2.5] }), update('b', undefined, [set('kept')])],
      patch(
        isStrict ? draft(keyOf('b')) : json({ key: keyOf('b'), objectTypeProperty: { arrayOfStringExample: ['{k}'] } }),
      ),
      ...[get(byId('b')), listed('b'), update('b', raw('3.0'), [set('')]), listed('b')],
    ],
    { needsKeys: true },
  )

const dates: readonly Conversation[] = [
  conversation('dates', 'section 2, D5', [create('c'), listed('c'), afterSecond(put(draft(keyOf('c')))), listed('c')], {
    needsKeys: true,
  }),
  conversation('dates', 'section 2, D5', [
    ...[create('d'), listed('d'), afterSecond(update('d', undefined, [set('x')])), listed('d')],
  ]),
  conversation(
    'dates',
    'section 2, D21',
    [
      ...[create('e'), listed('e'), afterSecond(image(IMAGES.png, 'image/png', { query: [['sku', keyOf('e')]] }))],
      ...[listed('e'), get(byId('e'))],
    ],
    { needsKeys: true },
  ),
]

const marked = get(COLLECTION, { own: [['where', 'arrayOfUniqueIntExample contains any ({m}77)']] })
const createMarked = (name: string) => create(name, { arrayOfUniqueIntExample: [raw('{m}77')] })

const readsAfterWrites: readonly Conversation[] = [
  conversation('lists-after-writes', 'section 4.1', [
    ...[create('f'), marked, createMarked('g0'), marked, createMarked('g1'), marked],
    ...[update('g0', undefined, [set('y')]), marked, remove('g1'), marked],
  ]),
  conversation('reads-after-writes', 'section 4.2', [
    create('h'),
    get(byId('h')),
    get(byKey('h')),
    create('h2'),
    get(byId('h2')),
  ]),
]

/** Ids that no resource has, or that are written otherwise. */
const OTHER_IDS = [
  ...['a', 'abc', '1', "o'x", '%25', 'null', '00000000-0000-4000-8000-00000000ffff', 'x'.repeat(300), 'key%3Dabc'],
  ...['%F0%9F%98%80', '%00', 'a%2Fb', 'KEY=abc', 'Images', 'key=', `key=${keyOf('key-I')}`, `key=${keyOf('Key')}`],
  ...[`key=${keyOf('Key-i')}%20`, 'key=nobody', `key%3D${keyOf('Key-i')}`, `key=${keyOf('Key%2Di')}`],
  ...[`key=${keyOf('Key%252Di')}`, '{{Key-i.id|upper}}', '{{Key-i.id|twice}}', '{{Key-i.id|encoded}}'],
]

const identities: readonly Conversation[] = [
  conversation(
    'other-ids',
    'D5, D13, D24',
    [
      create('Key-i'),
      ...OTHER_IDS.map((id) => get(`${COLLECTION}/${id}`)),
      ...[get(byId('Key-i', OTHER_COLLECTION)), get(byKey('Key-i', OTHER_COLLECTION))],
      post(byKey('Key-i'), json({ version: 1, actions: [] }), { topic: 'other method' }),
      ...['optionalQueryParameter', 'secondOptionalQueryParameter'].map((name) =>
        get(byId('Key-i'), { query: [[name, 'x']] }),
      ),
      post(byId('Key-i', OTHER_COLLECTION), json({ version: 1, actions: [set('x')] })),
      { method: 'DELETE', path: byId('Key-i', OTHER_COLLECTION) },
      get(byId('Key-i')),
    ],
    { isSampled: true },
  ),
  conversation(
    'keys',
    'D6, D15',
    [
      ...[create('j'), create('J'), get(byKey('j')), patch(draft(keyOf('nobody'))), get(byKey('nobody'))],
      ...[put(draft(keyOf('l')), { save: 'l' }), get(byKey('l'))],
    ],
    { needsKeys: true },
  ),
  conversation('two-projects', 'section 1', [
    ...[create('z'), post(OTHER_COLLECTION, draftOf('z', 77), { save: 'oz' })],
    ...[get(byKey('z')), get(byKey('z', OTHER_COLLECTION)), listed('z')],
    { ...listed('z'), path: `${OTHER_COLLECTION}/sorted-query-parameters` },
    { method: 'DELETE', path: byId('oz', OTHER_COLLECTION) },
    ...[get(byKey('z')), get(byKey('z', OTHER_COLLECTION))],
  ]),
]

const VERSIONS = [-1, 0, 2, 9223372036854775807n, 4294967297n, -4294967295n, 1e15, '1', null, true, 1.5, [], {}]
const ACTIONS = [
  ...[null, {}, 'x', [null], ['x'], [{}], [{ action: 1 }], [{ action: null }], [{ action: 'changeSomeProperty' }]],
  ...[[set(1)], [set(null)], [set({})], [{ action: 'nothing' }], [set('half'), { action: 'nothing' }]],
  [{ action: 'DoSomeThing' }],
]
const repeat = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index))

/** An update that changes nothing. */
const NO_UPDATE = '{"version":1,"actions":[]}'
const UPDATE_TEXTS = [
  ...['null', '[]', '"x"', '', '{', `${NO_UPDATE} x`, '{"version":1,"version":1,"actions":[]}'],
  ...['{"version":1.0,"actions":[]}', '{"version":1,"actions":[],"unknown":1}'],
]

const updates = conversation(
  'updates',
  'section 4.10, D18, D67',
  [
    create('m'),
    ...UPDATE_TEXTS.map((text) => post(byId('m'), text)),
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8', null].map((type) =>
      post(byId('m'), NO_UPDATE, { headers: { 'Content-Type': type }, label: type ?? 'no Content-Type' }),
    ),
    post(byId('m'), NO_UPDATE, { headers: { 'Content-Encoding': 'gzip' }, label: 'gzip' }),
    ...VERSIONS.map((version) => post(byId('m'), json({ version, actions: [set('x')] }))),
    ...[post(byId('m'), json({ actions: [set('x')] })), post(byId('m'), json({ version: 1 }))],
    ...ACTIONS.map((actions) => post(byId('m'), json({ version: 1, actions }))),
    post(byId('m'), json({ version: 7, actions: [{ action: 'nothing' }] })),
    ...[
      get(byId('m')),
      listed('m'),
      update(
        'm',
        1,
        repeat(150, (index) => set(`s${index}`)),
      ),
      listed('m'),
    ],
    ...[500, 501].map((count) =>
      update(
        'm',
        undefined,
        repeat(count, () => set('z')),
      ),
    ),
    ...['O\'B "\\ 😀 %', 'x'.repeat(2000), ''].map((text) => update('m', undefined, [set(text)])),
    ...[listed('m'), update('m', raw('6.0'), []), get(byId('m')), get(byKey('m'))],
  ],
  { isSampled: true },
)

const deletions: readonly Conversation[] = [
  conversation('updates-of-nothing', 'D18', [
    post(`${COLLECTION}/00000000-0000-4000-8000-00000000fffe`, json({ version: 1, actions: [set('x')] })),
    post(`${COLLECTION}/nobody`, json({ version: 1, actions: [] })),
    { method: 'DELETE', path: `${COLLECTION}/nobody` },
  ]),
  conversation('deletions', 'section 4.11, D19', [
    ...[create('n'), remove('n', ['version', '2']), remove('n', ['version', 'x']), remove('n', ['version', '1.5'])],
    ...[{ ...remove('n', ['version', '1']), body: '{"x":1}' }, get(byKey('n')), create('n'), get(byId('n'))],
    ...[{ ...remove('n'), body: '', headers: { 'Content-Type': null } }, listed('n')],
    ...[create('o'), create('p'), update('o', undefined, [set('x')]), remove('o'), listed('o', 'p'), get(byId('p'))],
  ]),
]

const races = conversation('races', 'section 9, D15', [
  ...[{ ...post(COLLECTION, draft(keyOf('q'))), times: 10 }, listed('q'), create('s')],
  ...[{ ...post(byId('s'), json({ version: 1, actions: [set('x')] })), times: 10 }, get(byId('s'))],
  { ...remove('s'), times: 6 },
])

/** More than the 10 MiB that an upload may have. */
const tooLarge = (): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(IMAGES.png.length + 10 * 1024 * 1024)
  bytes.set(IMAGES.png)
  return bytes
}

const uploads = (): Conversation => {
  const sku = ['sku', keyOf('t')] as const
  const each = Object.entries(IMAGES).flatMap(([name, bytes]): readonly Step[] => {
    const type = `image/${name}`
    const to = (sent: Uint8Array<ArrayBuffer>, as: string, more: Step['query'] = []) =>
      image(sent, as, { query: [sku, ...more], label: `${sent.length} bytes of ${type} as ${as}` })
    return [
      ...[
        to(bytes, type),
        to(bytes, type, [
          ['filename', 'a/../b.png'],
          ['staged', 'true'],
        ]),
      ],
      ...[to(bytes.slice(0, -8), type), to(bytes.slice(0, 12), type), to(new TextEncoder().encode('text'), type)],
      ...[
        to(bytes, name === 'png' ? 'image/gif' : 'image/png'),
        to(bytes, 'image/webp'),
        to(bytes, 'application/octet-stream'),
      ],
      to(bytes, type, [['staged', 'maybe']]),
      image(bytes, type, { query: [['sku', keyOf('nobody')]], label: `${type} for no resource` }),
    ]
  })
  return conversation(
    'uploads',
    'section 4.13, D21, D60',
    [
      ...[create('t'), ...each, image(IMAGES.png, null, { query: [sku], label: 'without Content-Type' })],
      ...[image(tooLarge(), 'image/png', { query: [sku], label: 'more than 10 MiB' }), get(byId('t')), listed('t')],
    ],
    { needsKeys: true, isSampled: true },
  )
}

/** What must be in order: each conversation has its own resources. */
export const createLifecycles = (isStrict: boolean): readonly Conversation[] => [
  ...[
    lifecycle,
    overwrites(isStrict),
    ...dates,
    ...readsAfterWrites,
    ...identities,
    updates,
    ...deletions,
    races,
    uploads(),
  ],
]

const latest = (...ints: readonly number[]) => draft(undefined, withInts(...ints))
const withoutSku = (...query: NonNullable<Step['query']>) => image(IMAGES.png, 'image/png', { query })

const PAYLOADS = [
  ...['{"a":1}', '{}', '', '[]', '[1,2]', '"x"', 'null', '1', 'true', '{"a":null,"b":{"c":[null]}}', '{"b":2}'],
  ...['{"a":"😀 \\"","n":12.5}', '{"data":{"x":1},"status":"ok"}', '{"a":1,"a":2}', '{'],
]
const ACTION = `${COLLECTION}/namespace-action`

/** What concerns the whole project, so that nothing may be written at the same time. */
export const createSequences = (): readonly Conversation[] => [
  conversation(
    'most-recently-written',
    'D15, D21',
    [
      ...[
        create('x1'),
        create('x2'),
        update('x1', undefined, [set('x')]),
        put(latest(31)),
        get(byId('x1')),
        get(byId('x2')),
      ],
      ...[patch(latest(32)), get(byId('x1')), listed('x1', 'x2'), post(COLLECTION, latest(33), { save: 'x3' })],
      ...[put(latest(34)), get(byId('x3')), get(byId('x1')), withoutSku(), get(byId('x3')), remove('x3')],
      ...[put(latest(35)), listed('x1', 'x2')],
    ],
    { needsKeys: true, needsEmptyProject: true },
  ),
  conversation(
    'variants',
    'D21',
    [
      ...[create('y1'), get(COLLECTION, { query: [['limit', '0']], save: 'count', topic: 'free body', pause: 600 })],
      ...[withoutSku(['variant', '{{count.total}}']), get(byId('y1')), withoutSku(['variant', '0'])],
      ...[withoutSku(['variant', '2000000000']), withoutSku(['variant', 'x'])],
      ...[withoutSku(['variant', '2000000000'], ['sku', keyOf('y1')]), listed('y1')],
    ],
    { needsKeys: true, needsEmptyProject: true },
  ),
  conversation(
    'action-payload',
    'D22',
    [
      get(ACTION, { topic: 'free body' }),
      ...PAYLOADS.flatMap((body) => [post(ACTION, body), get(ACTION)]),
      ...[post(`${OTHER_COLLECTION}/namespace-action`, '{"o":1}'), get(ACTION), post(ACTION, '{}')],
    ],
    { isSampled: true },
  ),
]
