import {
  byId,
  byIdElsewhere,
  byKey,
  COLLECTION,
  conversation,
  createStep,
  deleteStep,
  DO_SOMETHING,
  draft,
  get,
  head,
  isSampled,
  json,
  listed,
  ONLY_HERE,
  OTHER_COLLECTION,
  ownKey,
  patch,
  post,
  put,
  raw,
  SEARCH_PATH,
  set,
  splitList,
  splitQuery,
  updateStep,
} from './conversation.ts'
import type { Content, Conversation, ConversationStep } from './conversation.ts'
import { repeat } from './grammar.ts'
import type { Grammar } from './grammar.ts'
import { IMAGES } from './values.ts'

export const image = (
  bytes: Uint8Array<ArrayBuffer>,
  type: string | null,
  more: Partial<ConversationStep>,
): ConversationStep => post(`${COLLECTION}/images`, bytes, { headers: { 'Content-Type': type }, ...more })

const withInts = (...arrayOfIntExample: readonly number[]): Content => ({ arrayOfIntExample })
const draftOf = (name: string, ...ints: readonly number[]): string => draft(ownKey(name), withInts(...ints))

/** Each verb of {@link script}, with the name of a resource and up to one more word. */
const VERBS: Readonly<Record<string, (name: string, word?: string) => ConversationStep>> = {
  create: (name) => createStep(name),
  read: (name) => get(byId(name)),
  find: (name) => get(byKey(name)),
  head: (name) => head(byId(name)),
  list: (...names) => listed(...names.filter((name) => name !== undefined)),
  set: (name, text) => updateStep(name, undefined, [set(text)]),
  'set-stale': (name, how = 'before') => updateStep(name, raw(`{{${name}.version|${how}}}`), [set('stale')]),
  touch: (name) => updateStep(name, undefined, [DO_SOMETHING]),
  'update-nothing': (name) => updateStep(name, undefined, []),
  post: (name, number) => post(COLLECTION, draftOf(name, Number(number))),
  put: (name, number) => put(draftOf(name, Number(number))),
  patch: (name, number) => patch(draftOf(name, Number(number))),
  upload: (name) => image(IMAGES.png, 'image/png', { query: [['sku', ownKey(name)]] }),
  delete: deleteStep,
}

/** Steps about resources, written as a text: `create a | read a | set a one`. A `later` step waits until a clock in seconds has moved. */
function script(text: string): readonly ConversationStep[] {
  return splitList(text).map((line) => {
    const [verb = '', name = '', word] = line.replace(/^later /, '').split(' ')
    const step = VERBS[verb]?.(name, word)
    if (step === undefined) throw new Error(`Unknown step: ${line}`)
    return line.startsWith('later ') ? { ...step, pause: 1100 } : step
  })
}

const needsKeys = true

/** The conversation that uploads images. */
export const UPLOADS = 'uploads'

const lifecycle = conversation(
  'lifecycle',
  'section 9, D5, D7, D18',
  [
    script('create a | read a | find a | head a | list a | set a one | read a | list a'),
    script('set-stale a before | set-stale a after | read a'),
    updateStep('a', undefined, [DO_SOMETHING, DO_SOMETHING, set('x'), set('two')]),
    script('find a | list a | update-nothing a | read a | set a two | touch a | read a'),
    script(
      'delete a {{a.version|before}} | read a | delete a | read a | find a | list a | delete a | set-stale a before',
    ),
    script('create a | read a | list a'),
  ].flat(),
)

function overwrites(isStrict: boolean): readonly Conversation[] {
  const part = (name: string): string =>
    isStrict ? draft(ownKey(name)) : json({ key: ownKey(name), objectTypeProperty: { arrayOfStringExample: ['{k}'] } })
  const overwritten = [
    script('create a2 | set a2 two | put a2 5 | read a2 | list a2 | post a2 6 | find a2 | patch a2 7 | list a2'),
    script('post a2 7 | put a2 7 | read a2 | delete a2'),
    get(SEARCH_PATH, { own: splitQuery('filter.query=arrayOfUniqueIntExample:{m}1&filter=arrayOfIntExample:7') }),
  ].flat()
  const steps = [
    createStep('b', { arrayOfFloatExample: [2.5] }),
    updateStep('b', undefined, [set('kept')]),
    patch(part('b')),
    script('read b | list b'),
    updateStep('b', raw('{{b.version}}.0'), [set('')]),
    listed('b'),
  ]
  const replaced = [createStep('b2', { arrayOfFloatExample: [2.5] }), put(part('b2'))]
  return [overwritten, steps.flat(), replaced].map((all) =>
    conversation('overwrites', 'section 4.7, D15, D50', all, { needsKeys, about: `overwrites ${all.length}` }),
  )
}

const dates: readonly Conversation[] = [
  conversation('dates', 'section 2, D5', script('create c | list c | later put c 1 | list c'), { needsKeys }),
  conversation('dates', 'section 2, D5', script('create d | list d | later set d x | list d')),
  conversation('dates', 'section 2, D21', script('create e | list e | later upload e | list e | read e'), {
    needsKeys,
  }),
]

const marked = get(COLLECTION, { own: [['where', 'arrayOfUniqueIntExample contains any ({m}7)']] })
const createMarked = (name: string) => createStep(name, { arrayOfUniqueIntExample: [raw('{m}7')] })

const readsAfterWrites: readonly Conversation[] = [
  conversation(
    'lists-after-writes',
    'section 4.1',
    [createStep('f'), createMarked('g0'), createMarked('g1'), ...script('set g0 y | delete g1')].flatMap((step) => [
      step,
      marked,
    ]),
  ),
  conversation('reads-after-writes', 'section 4.2', script('create h | read h | find h | create h2 | read h2')),
]

/** Ids that no resource has, or that are written otherwise. */
const OTHER_IDS = splitList(
  `{k} | {k}-abc | {m} | o'x | %25 | null | 00000000-0000-4000-8000-00000000ffff | ${'x'.repeat(300)} | key%3Dabc | %F0%9F%98%80 | %00 | a%2Fb | KEY=abc | Images | key= | key={k}-key-I | key={k}-Key | key={k}-Key-i%20 | key=nobody | key%3D{k}-Key-i | key={k}-Key%2Di | key={k}-Key%252Di | {{Key-i.id|twice}} | {{Key-i.id|encoded}}`,
)

const otherIdentities: readonly Conversation[] = [
  conversation(
    'other-ids',
    'D5, D13, D24',
    [
      createStep('Key-i'),
      OTHER_IDS.map((id) => get(`${COLLECTION}/${id}`)),
      get(byIdElsewhere('Key-i')),
      get(byKey('Key-i', OTHER_COLLECTION)),
      post(byKey('Key-i'), json({ version: 1, actions: [] })),
      ['optionalQueryParameter', 'secondOptionalQueryParameter'].map((name) =>
        get(byId('Key-i'), { query: [[name, 'x']] }),
      ),
      post(byIdElsewhere('Key-i'), json({ version: raw('{{Key-i.version}}'), actions: [set('x')] })),
      { method: 'DELETE', path: byIdElsewhere('Key-i') },
      get(byId('Key-i')),
    ].flat(),
    isSampled,
  ),
  conversation(
    'keys',
    'D6, D15',
    [
      script('create j | create J | find j'),
      patch(draft(ownKey('nobody'))),
      get(byKey('nobody')),
      put(draft(ownKey('l')), { save: 'l' }),
      get(byKey('l')),
    ].flat(),
    { needsKeys },
  ),
  conversation(
    'two-projects',
    'section 1',
    [
      createStep('z', { arrayOfStringExample: ['{k}', ONLY_HERE] }),
      get(`${OTHER_COLLECTION}/{{z.id}}`),
      get(OTHER_COLLECTION, { topic: 'free answer' }),
      post(OTHER_COLLECTION, draftOf('z', 77), { save: 'oz' }),
      get(byKey('z')),
      get(byKey('z', OTHER_COLLECTION)),
      listed('z'),
      { ...listed('z'), path: `${OTHER_COLLECTION}/sorted-query-parameters` },
      { method: 'DELETE', path: byId('oz', OTHER_COLLECTION) },
      get(byKey('z')),
      get(byKey('z', OTHER_COLLECTION)),
    ].flat(),
  ),
]

const VERSIONS = [-1, 9223372036854775807n, 4294967297n, -4294967295n, 1e15, '1', null, true, 1.5, [], {}]
/** JSON texts of `actions`. */
const ACTIONS = splitList(
  `null | {} | "x" | [null] | ["x"] | [{}] | [{"action":1}] | [{"action":null}] | [{"action":"changeSomeProperty"}] | [{"action":"changeSomeProperty","someProperty":1}] | [{"action":"changeSomeProperty","someProperty":null}] | [{"action":"changeSomeProperty","someProperty":{}}] | [{"action":"nothing"}] | [{"action":"changeSomeProperty","someProperty":"half"},{"action":"nothing"}] | [{"action":"DoSomeThing"}]`,
)

/** An update that changes nothing. */
const NO_UPDATE = '{"version":{{m.version}},"actions":[]}'
const UPDATE_TEXTS = splitList(
  `null | [] | "x" |  | { | ${NO_UPDATE} x | {"version":{{m.version}},"version":{{m.version}},"actions":[]} | {"version":{{m.version}}.0,"actions":[]} | {"version":{{m.version}},"actions":[],"unknown":1}`,
)

const updates = conversation(
  'updates',
  'section 4.10, D18, D67',
  [
    createStep('m'),
    UPDATE_TEXTS.map((text) => post(byId('m'), text)),
    ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8', null].map((type) =>
      post(byId('m'), NO_UPDATE, { headers: { 'Content-Type': type }, label: type ?? 'no Content-Type' }),
    ),
    post(byId('m'), NO_UPDATE, { headers: { 'Content-Encoding': 'gzip' }, label: 'gzip' }),
    VERSIONS.map((version) => post(byId('m'), json({ version, actions: [set('x')] }), { topic: 'odd version' })),
    post(byId('m'), json({ actions: [set('x')] })),
    post(byId('m'), '{"version":{{m.version}}}'),
    ACTIONS.map((actions) => post(byId('m'), `{"version":{{m.version}},"actions":${actions}}`)),
    post(byId('m'), json({ version: raw('{{m.version|after}}'), actions: [{ action: 'nothing' }] })),
    script('read m | list m'),
    [150, 500, 501].map((count) =>
      updateStep('m', undefined, [...repeat(count - 1, () => set('z')), set(`s${count}`)]),
    ),
    listed('m'),
    ['O\'B "\\ 😀 %', 'x'.repeat(2000), ''].map((text) => updateStep('m', undefined, [set(text)])),
    listed('m'),
    updateStep('m', raw('{{m.version}}.0'), []),
    script('read m | find m'),
  ].flat(),
  isSampled,
)

const deletions: readonly Conversation[] = [
  conversation('updates-of-nothing', 'D18', [
    post(`${COLLECTION}/00000000-0000-4000-8000-00000000fffe`, json({ version: 1, actions: [set('x')] })),
    post(`${COLLECTION}/nobody`, json({ version: 1, actions: [] })),
    { method: 'DELETE', path: `${COLLECTION}/nobody` },
  ]),
  conversation(
    'deletions',
    'section 4.11, D19',
    [
      script('create n | delete n {{n.version|after}} | delete n x | delete n 1.5'),
      { ...deleteStep('n', '{{n.version}}'), body: '{"x":1}' },
      script('find n | create n | read n'),
      { ...deleteStep('n'), body: '', headers: { 'Content-Type': null } },
      script('list n | create o | create p | set o x | delete o | list o p | read p'),
    ].flat(),
  ),
]

const races = conversation(
  'races',
  'section 9, D15',
  [
    { ...post(COLLECTION, draft(ownKey('q'))), times: 4 },
    script('list q | create s'),
    {
      ...post(byId('s'), '{"version":{{s.version}},"actions":[{"action":"changeSomeProperty","someProperty":"x"}]}'),
      times: 10,
    },
    get(byId('s')),
    { ...deleteStep('s'), times: 6 },
  ].flat(),
)

/** The keys of the resources that get images; the mock has them even if drafts have no keys. */
export const IMAGE_KEYS = ['t', 't2', 'scopes-u', 'no-token-u'] as const

/** Uploads to the resource with a key. */
const uploadTo =
  (key: string) =>
  (bytes: Uint8Array<ArrayBuffer>, type: string | null, more = '', step?: Partial<ConversationStep>) =>
    image(bytes, type, {
      query: [['sku', ownKey(key)], ...splitQuery(more)],
      label: `${bytes.length} bytes as ${type ?? 'nothing'}`,
      ...step,
    })

function uploads(): readonly Conversation[] {
  const text = new TextEncoder().encode('text')
  // More than the 10 MiB that an upload may have.
  const tooLarge = new Uint8Array(IMAGES.png.length + 10 * 1024 * 1024)
  tooLarge.set(IMAGES.png)
  const [to, toOther] = [uploadTo('t'), uploadTo('t2')]
  const each = Object.entries(IMAGES).flatMap(([name, bytes]): readonly ConversationStep[] => {
    const type = `image/${name}`
    return [
      toOther(bytes, type, 'filename=a/../b.png&staged=true'),
      ...[bytes.slice(0, -8), bytes.slice(0, 12)].map((part) => toOther(part, type)),
      toOther(bytes, name === 'png' ? 'image/gif' : 'image/png'),
      toOther(bytes, type, 'staged=maybe'),
      image(bytes, type, { query: [['sku', ownKey('nobody')]], label: `${type} for no resource` }),
    ]
  })
  return [
    conversation(UPLOADS, 'section 4.13, D21', [
      createStep('t'),
      ...Object.entries(IMAGES).map(([name, bytes]) => to(bytes, `image/${name}`)),
      ...splitList('filename=a.png | staged=true | staged=false | variant=1').map((query) =>
        to(IMAGES.png, 'image/png', query),
      ),
      // A variant that no product has.
      to(IMAGES.png, 'image/png', '', { query: splitQuery('variant=2000000000') }),
      ...Object.keys(IMAGES).map((name) => to(text, `image/${name}`, '', { topic: 'no image' })),
      ...splitList('image/webp | application/octet-stream').map((type) => to(IMAGES.png, type)),
      to(text, 'text/plain'),
      to(IMAGES.png, null),
      ...script('read t'),
    ]),
    conversation(
      UPLOADS,
      'section 4.13, D21, D60',
      [createStep('t2'), each, toOther(tooLarge, 'image/png'), script('read t2 | list t2')].flat(),
      isSampled,
    ),
  ]
}

/** What must be in order: each conversation has its own resources. */
export const createLifecycles = ({ isQuick }: Grammar, isStrict: boolean): readonly Conversation[] =>
  [
    lifecycle,
    overwrites(isStrict),
    // They wait for seconds.
    isQuick ? [] : dates,
    readsAfterWrites,
    otherIdentities,
    updates,
    deletions,
    races,
    uploads(),
  ].flat()

const latest = (...ints: readonly number[]) => draft(undefined, withInts(...ints))
const upload = (query: string) => image(IMAGES.png, 'image/png', { query: splitQuery(query) })

const PAYLOADS = splitList(
  `{"a":1} | {} |  | [] | [1,2] | "x" | null | 1 | true | {"a":null,"b":{"c":[null]}} | {"b":2} | {"a":"😀 \\"","n":12.5} | {"data":{"x":1},"status":"ok"} | {"a":1,"a":2} | {`,
)
const PAYLOAD_PATH = `${COLLECTION}/namespace-action`

/** What concerns the whole project, so that nothing may be written at the same time. */
export const createSequences = (): readonly Conversation[] => [
  conversation('reads-after-writes', 'section 4.11', script('create n0 | create n1 | delete n1 | read n1 | read n0')),
  conversation(
    'drafts',
    'section 4.7, section 4.8, D15',
    [createStep('dr'), put(draftOf('dr', 41)), patch(draftOf('dr', 42)), put(draftOf('dr', 43))],
    { needsKeys: 'or-empty' },
  ),
  conversation(
    'most-recently-written',
    'D15, D21',
    [
      script('create x1 | create x2 | set x1 x'),
      put(latest(31)),
      script('read x1 | read x2'),
      patch(latest(32)),
      script('read x1 | list x1 x2'),
      post(COLLECTION, latest(33), { save: 'x3' }),
      put(latest(34)),
      script('read x3 | read x1'),
      upload(''),
      script('read x3 | delete x3'),
      put(latest(35)),
      script('list x1 x2'),
    ].flat(),
    { needsKeys, needsEmptyProject: true },
  ),
  conversation(
    'variants',
    'D21',
    [
      createStep('y1'),
      get(COLLECTION, { query: splitQuery('limit=0'), save: 'count', topic: 'free answer', pause: 600 }),
      upload('variant={{count.total}}'),
      get(byId('y1')),
      ...splitList('variant=0 | variant=2000000000 | variant=x').map(upload),
      upload(`variant=2000000000&sku=${ownKey('y1')}`),
      listed('y1'),
    ],
    { needsKeys, needsEmptyProject: true },
  ),
  conversation(
    'action-payload',
    'D22',
    [
      get(PAYLOAD_PATH, { topic: 'free answer' }),
      ...PAYLOADS.flatMap((body) => [post(PAYLOAD_PATH, body), get(PAYLOAD_PATH)]),
      post(`${OTHER_COLLECTION}/namespace-action`, '{"o":1}'),
      get(PAYLOAD_PATH),
      post(PAYLOAD_PATH, '{}'),
    ],
    isSampled,
  ),
]
