import type { AnyNode, ValueNode } from '@humanwhocodes/momoa'

/** Where a value stands in a JSON text; lines and columns count from 1. */
export interface FixtureLocation {
  readonly line: number
  readonly column: number
  /** The value as it is written; undefined when there is none at that path, and the place is its parent's. */
  readonly source?: string
}

function findChild(node: ValueNode, step: PropertyKey): ValueNode | undefined {
  if (node.type === 'Array' && typeof step === 'number') return node.elements[step]?.value
  if (node.type !== 'Object') return undefined
  return node.members.find(({ name }) => (name.type === 'String' ? name.value : name.name) === step)?.value
}

const startOf = ({ loc: { start } }: AnyNode): { line: number; column: number } => ({
  line: start.line,
  column: start.column,
})

/**
 * Finds the place of a path in valid JSON text. The parser that knows places is only loaded here, since a faultless
 * start needs none.
 */
export async function locate(text: string, path: readonly PropertyKey[]): Promise<FixtureLocation> {
  const { parse } = await import('@humanwhocodes/momoa')
  let node = parse(text).body
  for (const step of path) {
    const child = findChild(node, step)
    if (child === undefined) return startOf(node)
    node = child
  }
  return { ...startOf(node), source: text.slice(node.loc.start.offset, node.loc.end.offset) }
}
