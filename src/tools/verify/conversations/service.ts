import {
  byId,
  byKey,
  COLLECTION,
  conversation,
  createStep,
  eachAlone,
  get,
  head,
  isSampled,
  SEARCH_PATH,
  SORTED_QUERY,
  splitList,
} from './conversation.ts'
import type { Conversation, ConversationStep } from './conversation.ts'
import { complexPath } from './complex.ts'

const EXAMPLE_PATH = `${COLLECTION}/namespace-action-with-example`
const LOCALISED = `${COLLECTION}/namespace-action-with-headers`
const ACTION_PATH = `${COLLECTION}/namespace-action`

const getCart = (headers: ConversationStep['headers'], more?: Partial<ConversationStep>): ConversationStep =>
  get(LOCALISED, {
    headers: { Accept: 'application/json', 'Storefront-Locale': 'de-DE', ...headers },
    label: Object.entries(headers ?? {})
      .map(([name, value]) => (value === null ? `no ${name}` : `${name}: ${value}`))
      .join(', '),
    ...more,
  })

const ACCEPTED = splitList(
  '*/* | application/* | application/json;q=0.5 | text/html, application/json | text/html',
  'application/xml, text/*;q=0.5 | application/json;q=0 | text/html;q=0.9, */*;q=0.1 | APPLICATION/JSON',
  'application/json; charset=utf-8',
)

const carts = conversation('carts', 'section 4.16, D23', [
  get(EXAMPLE_PATH),
  getCart({}),
  getCart({ 'Storefront-Locale': null }),
  getCart({ Accept: null }),
])

const otherCarts = conversation(
  'carts',
  'section 4.16, D23',
  [
    head(EXAMPLE_PATH),
    ...['de_DE', 'de', 'DE-de', 'de-de', 'en-GB', 'en', 'fr', 'fr-CA'].map((locale) =>
      getCart({ 'Storefront-Locale': locale }),
    ),
    ...['', '1', 'de DE', 'de-', 'german-language-x!', '*'].map((locale) => getCart({ 'Storefront-Locale': locale })),
    ...ACCEPTED.map((Accept) => getCart({ Accept })),
  ],
  isSampled,
)

const UNKNOWN_PATHS = splitList(
  '/{p} | /{p}/resources | /{p}/resource/a/b | /{p}/resource/images/x | /nothing/at/all',
  '/{p}/resource/artificially-complex | /{p}/Resource',
)

const CORRELATION_IDS = [
  ...splitList(`Abc-DEF_12 | ${'a'.repeat(256)} | ${'Aa0'.repeat(40)} | short | ${'a'.repeat(257)} | with space 1`),
  'dot.dot.dot.1',
  null,
  null,
  null,
]

/** What concerns no resource, and only reads. */
export const createServiceReads = (): readonly Conversation[] => [
  carts,
  otherCarts,
  ...UNKNOWN_PATHS.map((path) => conversation('paths', 'D24', [get(path)], isSampled)),
  ...splitList('SearchApiPattern | Sorted-Query-Parameters | Namespace-Action | IMAGES').map((end) =>
    conversation('paths', 'D13, D24', [get(`${COLLECTION}/${end}`)], isSampled),
  ),
  conversation('heads', 'section 4.5', [head(COLLECTION)]),
  ...[ACTION_PATH, EXAMPLE_PATH, SEARCH_PATH, SORTED_QUERY, `${COLLECTION}/nobody`, `${COLLECTION}/key=nobody`].map(
    (path) => conversation('heads', 'D9', [head(path)], isSampled),
  ),
  ...eachAlone(
    'correlation-ids',
    'Errors',
    CORRELATION_IDS.flatMap((id) => {
      const headers = { 'X-Correlation-ID': id }
      return [
        get(`${COLLECTION}/nobody`, { headers }),
        ...(id === null ? [get(ACTION_PATH, { headers, topic: 'free answer' })] : []),
      ]
    }),
    isSampled,
  ),
]

/** A path, and the methods that it does not document. */
const OTHER_METHODS = [
  `${byId('mm')} PUT PATCH`,
  ...[byKey('mm'), SEARCH_PATH, SORTED_QUERY, EXAMPLE_PATH, LOCALISED].map((path) => `${path} POST PUT DELETE PATCH`),
  `${COLLECTION}/images GET PUT DELETE PATCH`,
  `${ACTION_PATH} PUT DELETE PATCH`,
  `${complexPath('t', 'u')} GET PUT DELETE`,
]

/** Methods that no path documents; never DELETE of the collection, which a service could take at its word. */
export const createMethods = (): readonly Conversation[] => [
  conversation(
    'methods',
    'D24',
    [
      createStep('mm'),
      ...OTHER_METHODS.flatMap((line) => {
        const [path = '', ...methods] = line.split(' ')
        return methods.map((method): ConversationStep => ({
          method,
          path,
          ...(method === 'DELETE' || method === 'GET' ? {} : { body: '{}' }),
        }))
      }),
      get(byId('mm')),
    ],
    isSampled,
  ),
]
