/** A value of JSON text. Scalars keep their text, so that no digit of a number changes. */
export type JsonNode =
  | { readonly kind: 'string' | 'number' | 'literal'; readonly text: string }
  | { readonly kind: 'object' | 'array'; readonly members: readonly JsonMember[]; readonly isCut: boolean }

export interface JsonMember {
  /** With its quotes; undefined in an array. */
  readonly key: string | undefined
  readonly value: JsonNode
}

/** The last string of truncated text has no closing quote. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

/** Longer text is shown as it is, in characters. */
const LONGEST_TREE = 200_000

const DEEPEST = 100

/** A flat list or object up to this length stays on one line. */
export const SHORT_VALUE = 60

/** Parses JSON text; truncated text as far as it goes. Undefined for text that is not JSON, or too long or deep. */
export function findJsonTree(text: string, mostCharacters = LONGEST_TREE): JsonNode | undefined {
  if (text.length > mostCharacters || !/^\s*[{[]/.test(text)) return undefined
  if (text.replaceAll(JSON_TOKEN, '').trim() !== '') return undefined
  const tokens = text.match(JSON_TOKEN) ?? []
  let at = 0

  function readMembers(close: string, depth: number): JsonNode | undefined {
    const members: JsonMember[] = []
    const kind = close === '}' ? 'object' : 'array'
    while (at < tokens.length && tokens[at] !== close) {
      const key = kind === 'object' ? tokens[at++] : undefined
      if (kind === 'object' && tokens[at++] !== ':') {
        // The text ends within a member.
        return at >= tokens.length ? { kind, members, isCut: true } : undefined
      }
      const value = read(depth + 1)
      if (value === undefined) return at >= tokens.length ? { kind, members, isCut: true } : undefined
      members.push({ key, value })
      if (tokens[at] === ',') at += 1
      else if (at < tokens.length && tokens[at] !== close) return undefined
    }
    const isCut = at >= tokens.length
    at += 1
    return { kind, members, isCut }
  }

  function read(depth: number): JsonNode | undefined {
    const token = tokens[at++]
    if (token === undefined || depth > DEEPEST) return undefined
    if (token === '{') return readMembers('}', depth)
    if (token === '[') return readMembers(']', depth)
    if (/^[}\],:]/.test(token)) return undefined
    return { kind: token.startsWith('"') ? 'string' : /^[-\d]/.test(token) ? 'number' : 'literal', text: token }
  }

  const tree = read(0)
  return at < tokens.length ? undefined : tree
}

/** A node on one line. */
export function toJsonLine(node: JsonNode): string {
  if (!('members' in node)) return node.text
  const [open, close] = node.kind === 'object' ? ['{ ', ' }'] : ['[', ']']
  const inner = node.members
    .map(({ key, value }) => (key === undefined ? '' : `${key}: `) + toJsonLine(value))
    .join(', ')
  return inner === '' ? `${open}${close}`.replaceAll(' ', '') : open + inner + close
}

/** The value at a path of member names and indexes. */
export function findIn(node: JsonNode | undefined, ...path: readonly (string | number)[]): JsonNode | undefined {
  const [step, ...rest] = path
  if (step === undefined || node === undefined) return node
  if (!('members' in node)) return undefined
  const member =
    typeof step === 'number' ? node.members[step] : node.members.find(({ key }) => key === JSON.stringify(step))
  return findIn(member?.value, ...rest)
}

/** A node with two spaces a level, for an editor. */
export function toPrettyJson(node: JsonNode, indent = ''): string {
  if (!('members' in node) || node.members.length === 0) return toJsonLine(node)
  const [open, close] = node.kind === 'object' ? '{}' : '[]'
  const isShort = node.members.every(({ value }) => !('members' in value)) && toJsonLine(node).length <= SHORT_VALUE
  if (indent !== '' && isShort) return toJsonLine(node)
  const lines = node.members.map(
    ({ key, value }) => `${indent}  ${key === undefined ? '' : `${key}: `}${toPrettyJson(value, `${indent}  `)}`,
  )
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** JSON text, formatted for an editor; other text is returned unchanged. */
export function toPrettyText(text: string): string {
  const tree = findJsonTree(text)
  return tree === undefined ? text : toPrettyJson(tree)
}
