import { splitList } from './conversations/conversation.ts'
import { operationIds } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { findServicePath } from '../../service/contract/paths.ts'

/** What a request is about: an operation, or a path or method without one. */
export type SubjectId = OperationId | 'anyPath'

/** All subjects in report order. */
export const subjectIds: readonly SubjectId[] = [...operationIds, 'anyPath']

/** The names of all conversations, for `--only`. */
export const conversationNames: readonly string[] = splitList(
  'resources | drafts | values | bodies | lifecycle | overwrites | dates | lists-after-writes',
  'reads-after-writes | other-ids | keys | two-projects | updates | updates-of-nothing | deletions',
  'races | uploads | most-recently-written | variants | action-payload | complex-paths | complex-bodies',
  'complex-without-id | complex-queries | 203 | carts | paths | heads | correlation-ids | methods',
  'scopes | no-token | authorization | encodings | sort',
  'pages | bounds | wrong-values | variables | where | parameters | parameters-alone | reads | other-project | search',
  'fuzzy-search | filters-and-facets',
)

/** The subject of a request; for HEAD without its own operation, that of GET. */
export function findSubject(method: string, path: string): SubjectId {
  // A placeholder is a segment like any other.
  const operations = findServicePath(path.replace(/[{}|]/g, '').split('?', 1)[0] ?? '')?.path.operations
  // Only methods in the table are found.
  return operations?.get(method as 'GET') ?? (method === 'HEAD' ? operations?.get('GET') : undefined) ?? 'anyPath'
}
