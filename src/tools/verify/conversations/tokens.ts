import {
  byId,
  byKey,
  COLLECTION,
  conversation,
  createStep,
  deleteStep,
  draft,
  eachAlone,
  get,
  head,
  isSampled,
  json,
  ownKey,
  patch,
  post,
  put,
  SEARCH_PATH,
  SORTED_QUERY,
  splitList,
  splitQuery,
} from './conversation.ts'
import type { Conversation, ConversationStep } from './conversation.ts'
import { complexBody, complexPath } from './complex.ts'
import { endpoints, isOperation } from '../../../service/contract/endpoints.ts'
import { statesScopes } from '../../../service/contract/stated.ts'
import { findSubject } from '../subjects.ts'
import type { Grammar, Pool } from './grammar.ts'
import { image as toImage } from './lifecycles.ts'
import { IMAGES } from './values.ts'

const noResults = splitQuery('limit=0')

/** A request that reads, for each operation; the content of its answer is free. */
const toReads = (id: string, key: string): readonly ConversationStep[] => [
  ...[COLLECTION, SORTED_QUERY, SEARCH_PATH].map((path) => get(path, { query: noResults, topic: 'free answer' })),
  ...[id, key, ...['', '-with-example'].map((end) => `${COLLECTION}/namespace-action${end}`)].map((path) =>
    get(path, { topic: 'free answer' }),
  ),
  head(COLLECTION),
  get(`${COLLECTION}/namespace-action-with-headers`, {
    headers: { Accept: 'application/json', 'Storefront-Locale': 'de-DE' },
    topic: 'free answer',
  }),
]

/** A request that writes, for each operation whose scopes section 5 does not name. */
const OTHER_WRITES = [
  post(`${COLLECTION}/nobody`, json({ version: 1, actions: [] })),
  post(complexPath('t', 'u'), complexBody('-scoped')),
  post(`${COLLECTION}/namespace-action`, '{}'),
]

/** A quick run asks with the last four. The last one may delete. */
const SCOPES = splitList(
  'manage_test:{p}x | view_test:{o} | view_test:{p} manage_products:{p}',
  'view_test:{p} | manage_products:{p} | manage_test:{o} | manage_test:{p}',
)
const QUICK_SCOPES = 4

/** Whether section 5 names the scopes of a request's operation. */
const isNamed = ({ method, path }: ConversationStep): boolean => {
  const id = findSubject(method, path)
  return isOperation(id) && statesScopes(endpoints[id])
}

/**
 * Each operation with a token of each scope, and without a token.
 *
 * @param found the resources to read; undefined if the run creates one
 * @param given the name of a resource to read instead
 */
export function createScopes(
  { isQuick, thin }: Grammar,
  found: Pool | undefined,
  given: string | undefined,
): readonly Conversation[] {
  const scoped = SCOPES.slice(isQuick ? -QUICK_SCOPES : 0).map((scope) => ({
    auth: { scope },
    label: `scope ${scope}`,
  }))
  const none = { auth: 'none', label: 'no token' } as const
  const toConversations = (name: string, authorizations: readonly (typeof none | (typeof scoped)[number])[]) => {
    const alone = (steps: readonly ConversationStep[], more?: Partial<Conversation>): Conversation =>
      conversation(name, 'section 5, D30, D33', steps, more)
    const each = (steps: readonly ConversationStep[]) =>
      authorizations.flatMap((one) => steps.map((step) => ({ ...step, ...one })))
    const reader = `${name}-read`
    const id = given ?? (found === undefined ? reader : found.names[0])
    const reads = toReads(
      id === undefined ? `${COLLECTION}/nobody` : byId(id),
      found === undefined ? byKey(reader) : `${COLLECTION}/key=nobody`,
    )
    // A quick run sends what section 5 names, and a share of the rest.
    const others = thin(each([...reads.filter((step) => !isNamed(step)), ...OTHER_WRITES]))
    const image = toImage(IMAGES.png, 'image/png', { query: [['sku', ownKey(`${name}-u`)]] })
    const [written, deleted, save] = [`${name}-w`, `${name}-d`, `${name}-n`]
    return [
      alone([...(found === undefined ? [createStep(reader)] : []), ...each(reads.filter(isNamed))]),
      ...others.map((step) => alone([step])),
      alone([createStep(`${name}-u`), ...each([image])]),
      alone([createStep(written), ...each([put(draft(ownKey(written))), patch(draft(ownKey(written)))])], {
        needsKeys: 'or-empty',
      }),
      alone([createStep(deleted), ...each([post(COLLECTION, draft(ownKey(save)), { save }), deleteStep(deleted)])]),
    ]
  }
  return [...toConversations('scopes', scoped), ...toConversations('no-token', [none])]
}

const GRANT_PATH = '/oauth/token'
const INTROSPECT = '/oauth/introspect'
const ANONYMOUS = '/oauth/{p}/anonymous/token'
const CUSTOMER = '/oauth/{p}/customers/token'
const GRANT = 'grant_type=client_credentials'
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' }

const form = (path: string, fields: string, more?: Partial<ConversationStep>): ConversationStep =>
  post(path, fields, { auth: 'client', headers: FORM_HEADERS, ...more })

/** A form for each text of a list. */
const forms = (path: string, texts: string, more?: Partial<ConversationStep>): readonly ConversationStep[] =>
  splitList(texts).map((fields) => form(path, fields, more))

const readsWith = (header: string, more?: Partial<ConversationStep>): ConversationStep =>
  get(COLLECTION, { query: noResults, topic: 'free answer', auth: { header }, ...more })

const grants: readonly ConversationStep[] = [
  form(GRANT_PATH, `${GRANT}&scope=view_test:{p}`, { save: 't1' }),
  form(GRANT_PATH, GRANT, { save: 't2' }),
  form(GRANT_PATH, '', { query: splitQuery('grant_type=client_credentials&scope=manage_test:{p}') }),
  ...forms(GRANT_PATH, ` | grant_type=nothing | grant_type=password | ${GRANT}&scope=noResults`),
  ...forms(GRANT_PATH, `${GRANT}&scope=view_test | ${GRANT}&${GRANT}`),
  form(GRANT_PATH, GRANT, { auth: 'none' }),
  form(GRANT_PATH, GRANT, { auth: { header: 'Basic !!!' } }),
  form(GRANT_PATH, GRANT, { auth: { header: 'Bearer x' } }),
  ...forms(INTROSPECT, 'token={{t1.access}} | token=nothing |  | token={{t1.access|forged}}'),
  form(INTROSPECT, 'token={{t1.access}}', { auth: 'none' }),
  get(GRANT_PATH, { auth: 'client' }),
  readsWith('Bearer {{t1.access}}'),
]

const refreshes: readonly ConversationStep[] = [
  form(ANONYMOUS, `${GRANT}&scope=view_test:{p}`, { save: 't3' }),
  form(ANONYMOUS, 'grant_type=password&username=a&password=b'),
  form(CUSTOMER, 'grant_type=password&username=a&password=b&scope=manage_test:{p}', { save: 't4', topic: 'customer' }),
  ...forms(CUSTOMER, 'grant_type=password&username=a | grant_type=password&password=b', { topic: 'customer' }),
  form(CUSTOMER, GRANT),
  form(GRANT_PATH, 'grant_type=refresh_token&refresh_token={{t4.refresh}}', { save: 't5' }),
  readsWith('Bearer {{t5.access}}'),
  form(GRANT_PATH, 'grant_type=refresh_token&refresh_token={{t3.refresh}}'),
  form(GRANT_PATH, 'grant_type=refresh_token&refresh_token={{t3.refresh}}&scope=manage_test:{p}'),
  form(GRANT_PATH, 'grant_type=refresh_token&refresh_token={{t3.refresh}}', { auth: 'none' }),
  ...forms(GRANT_PATH, 'grant_type=refresh_token&refresh_token=nothing | grant_type=refresh_token'),
]

/** Values of the Authorization header that no service may accept, and two that it must. */
const AUTHORIZATIONS = splitList(
  'Bearer | Bearer  | Basic YTpi | Bearer nothing | Bearer {{tok.access}} x | Bearer {{tok.access}},x',
  'Bearer x {{tok.access}} | Bearer {{tok.access|none}} | Bearer {{tok.access|forged}} | {{tok.access}}',
  'bearer {{tok.access}} | Bearer eyJhbGciOiJub25lIn0.eyJzY29wZSI6Im1hbmFnZV9wcm9qZWN0OioifQ.',
  'Bearer null | Token {{tok.access}}',
)

/** What a service does with tokens, if they come from its own token endpoints. */
export const createTokenConversations = (): readonly Conversation[] => [
  conversation('grants', 'D31, D57', grants, isSampled),
  conversation('refresh-tokens', 'D31, D57', refreshes, isSampled),
  conversation(
    'authorization',
    'section 5, D32, D57',
    [
      form(GRANT_PATH, `${GRANT}&scope=manage_test:{p}`, { save: 'tok' }),
      ...AUTHORIZATIONS.flatMap((header) => {
        const label = `Authorization: ${header.slice(0, 20)}`
        return [readsWith(header, { label }), head(COLLECTION, { auth: { header }, label })]
      }),
    ],
    isSampled,
  ),
]

/** Tokens with a single scope are used to write. */
export const createTokenWrites = (): readonly Conversation[] => [
  conversation('tokens-of-one-scope', 'section 5, D31', [
    { method: 'DELETE', path: INTROSPECT, auth: 'client' },
    form(GRANT_PATH, `${GRANT}&scope=view_test:{p}`, { save: 't6' }),
    { ...createStep('ts'), auth: { header: 'Bearer {{t6.access}}' } },
  ]),
]

/** The requests with each wrong Authorization that a run without its own token endpoints can make. */
export const createWrongAuthorizations = (): readonly Conversation[] =>
  eachAlone(
    'authorization',
    'section 5, D32',
    AUTHORIZATIONS.filter((header) => !header.includes('{{')).map((header) =>
      readsWith(header, { label: `Authorization: ${header.slice(0, 20)}` }),
    ),
  )
