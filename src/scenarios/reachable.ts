import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { isEverywhere, namesEverywhere } from './effect-table.ts'
import { RUN, fitsPattern, toPathGlob } from './path-glob.ts'
import { findOperations } from './rule-operations.ts'
import type { Rule } from './schema.ts'

const ANY = /[*?]/

/** Whether some text that begins with `prefix` may be one that a segment's glob admits. */
function admitsPrefix(glob: string, prefix: string): boolean {
  const [literal = ''] = glob.split(ANY)
  return literal.length === glob.length
    ? glob.startsWith(prefix)
    : prefix.startsWith(literal) || literal.startsWith(prefix)
}

/** Whether a segment's glob admits some text of a template's segment, such as `resource`, `{id}` or `key={key}`. */
function admitsSegment(glob: string, segment: string): boolean {
  if (glob === '') return false
  const brace = segment.indexOf('{')
  if (brace === -1) return toPathGlob(glob)(segment)
  return brace === 0 || admitsPrefix(glob, segment.slice(0, brace))
}

/** Whether a glob, segment by segment, admits some path of a template; `**` stands for any number of segments. */
function admits(globs: readonly string[], segments: readonly string[]): boolean {
  const parts = globs.map((glob) => (glob === '**' ? RUN : glob))
  return fitsPattern(segments, parts, (segment, glob) => admitsSegment(glob, segment))
}

/** Operations at a path without parameters but the project's: a literal segment is never an `{id}` (D24). */
const findLiteral = (globs: readonly string[]): readonly OperationId[] =>
  operationIds.filter((id) => endpoints[id].path.split('/').slice(2).join('/') === globs.slice(1).join('/'))

/** Whether the glob of a rule's `path` can meet the path of an endpoint: any, or one of these operations. */
export function canMeetEndpoint(glob: string, operations: readonly OperationId[] = operationIds): boolean {
  const [root, ...globs] = glob.split('/')
  if (root !== '') return root === '**'
  const literal = globs[0] === '**' ? [] : findLiteral(globs)
  if (literal.length > 0) return operations.some((id) => literal.includes(id))
  return operations.some((id) => admits(globs, endpoints[id].path.split('/').slice(1)))
}

/** A path that neither the mock answers itself nor a session's name is in front of. */
const isOtherPath = (glob: string): boolean => /^(?:\/(?!@|(?:__admin|_pactSetup|oauth)(?:\/|$))|\*\*)/.test(glob)

/** Whether a rule may act on requests that are passed through: one that names a path, and nothing that only endpoints have. */
export const isForOtherPaths = ({ match = {}, effect }: Rule): boolean =>
  match.path !== undefined &&
  isOtherPath(match.path) &&
  match.operation === undefined &&
  match.project === undefined &&
  isEverywhere(effect)

/** The first rule whose path it can never meet, and what is wrong with it; undefined if each may meet a request. */
export function findUnreachable(
  rules: readonly Rule[],
  hasPassthrough: boolean,
): { readonly at: number; readonly message: string } | undefined {
  for (const [at, rule] of rules.entries()) {
    const { path, operation, method } = rule.match ?? {}
    if (path === undefined || canMeetEndpoint(path, findOperations(operation, method))) continue
    const isOther = isForOtherPaths(rule)
    if (isOther && hasPassthrough) continue
    const which = method === undefined ? '' : ' with this method'
    const expected = `the path of an endpoint${which} expected, such as /acme/resource/*, without session and base URL.`
    const remedy = isOther
      ? ' For paths of another service, start the mock with --passthrough <url>.'
      : hasPassthrough && isOtherPath(path)
        ? ` A rule for paths of --passthrough has no operation and no project, and one of these effects: ${namesEverywhere.join(', ')}.`
        : ''
    return { at, message: `${expected} Found ${JSON.stringify(path)}.${remedy}` }
  }
  return undefined
}
