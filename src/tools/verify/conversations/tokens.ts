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
} from './conversation.ts'
import type { Conversation, ConversationStep } from './conversation.ts'
import { complexBody, complexPath } from './complex.ts'
import { endpoints, isOperation } from '../../../service/contract/endpoints.ts'
import { statesScopes } from '../../../service/contract/stated.ts'
import { findSubject } from '../subjects.ts'
import type { Grammar, Pool } from './grammar.ts'
import { image as toImage } from './lifecycles.ts'
import { IMAGES } from './values.ts'

const ACTION_PATH = `${COLLECTION}/namespace-action`

/** A request that reads, for each operation; the content of its answer is free. */
const toReads = (id: string, key: string): readonly ConversationStep[] => [
  ...[COLLECTION, SORTED_QUERY, SEARCH_PATH, id, key, ACTION_PATH, `${ACTION_PATH}-with-example`].map((path) =>
    get(path, { topic: 'free answer' }),
  ),
  head(COLLECTION),
  get(`${ACTION_PATH}-with-headers`, {
    headers: { Accept: 'application/json', 'Storefront-Locale': 'de-DE' },
    topic: 'free answer',
  }),
]

/** A request that writes, for each operation whose scopes section 5 does not name; they are sent at the same time. */
const toOtherWrites = (id: string) => [
  post(`${COLLECTION}/nobody`, json({ version: 1, actions: [] })),
  post(complexPath('t', 'u'), complexBody(id)),
  post(ACTION_PATH, '{}'),
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
    const unnamed = reads.filter((step) => !isNamed(step))
    const others = thin(
      authorizations.flatMap((one, at) =>
        [...unnamed, ...toOtherWrites(`-${name}${at}`)].map((step): ConversationStep => ({ ...step, ...one })),
      ),
    )
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

/** Values of the Authorization header that no service may accept, and two that it must. */
const AUTHORIZATIONS = splitList(
  'Bearer | Bearer  | Basic YTpi | Bearer nothing | Bearer {{tok.access}} x | Bearer {{tok.access}},x',
  'Bearer x {{tok.access}} | Bearer {{tok.access|none}} | Bearer {{tok.access|forged}} | {{tok.access}}',
  'bearer {{tok.access}} | Bearer eyJhbGciOiJub25lIn0.eyJzY29wZSI6Im1hbmFnZV9wcm9qZWN0OioifQ.',
  'Bearer null | Token {{tok.access}}',
)

/**
 * The list with each wrong Authorization.
 *
 * @param hasToken whether both sides have issued a token, so that it can be changed
 */
export const createWrongAuthorizations = (hasToken: boolean): readonly Conversation[] =>
  eachAlone(
    'authorization',
    'section 5, D32',
    AUTHORIZATIONS.filter((header) => hasToken || !header.includes('{{')).flatMap((header) => {
      const step = { auth: { header }, label: `Authorization: ${header.slice(0, 20)}` }
      return [get(COLLECTION, { topic: 'free answer', ...step }), head(COLLECTION, step)]
    }),
    isSampled,
  )
