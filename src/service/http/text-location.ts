import type * as Yaml from 'yaml'

// Where a value stands in the text of a file: YAML, of which JSON is a subset.

/** The location of a value in a text; lines and columns count from 1. */
export interface TextLocation {
  readonly line: number
  readonly column: number
  /** The source text of the value. Undefined if the path has no value; the location is then its parent's. */
  readonly source?: string
}

/** `:3:5`, as editors understand it behind the name of a file. */
export const toPosition = ({ line, column }: TextLocation): string => `:${line}:${column}`

/** A parsed text, with the parser, which is loaded on demand. */
export interface ParsedDocument {
  readonly yaml: typeof Yaml
  readonly document: Yaml.Document
  readonly text: string
  readonly toLocation: (offset?: number) => TextLocation
}

/** Parses YAML with merge keys. Integers keep all digits. */
export async function parseDocument(text: string, uniqueKeys: boolean): Promise<ParsedDocument> {
  const yaml = await import('yaml')
  const lineCounter = new yaml.LineCounter()
  const options = { merge: true, intAsBigInt: true, prettyErrors: false, uniqueKeys, lineCounter } as const
  return {
    yaml,
    document: yaml.parseDocument(text, options),
    text,
    toLocation(offset = 0) {
      const { line, col } = lineCounter.linePos(offset)
      return { line, column: col }
    },
  }
}

/** A merge key is the only one whose value is a symbol. */
export const isMerge = ({ yaml }: ParsedDocument, { key }: Yaml.Pair): boolean =>
  yaml.isScalar(key) && typeof key.value === 'symbol'

/** Finds a member of a map, or of the maps that it merges. */
function findPair(parsed: ParsedDocument, from: unknown, name: PropertyKey): Yaml.Pair | undefined {
  const { yaml, document } = parsed
  const map = yaml.isAlias(from) ? from.resolve(document) : from
  if (!yaml.isMap(map)) return undefined
  const own = map.items.find(({ key }) => yaml.isScalar(key) && key.value === name)
  if (own !== undefined) return own
  const merged = map.items.filter((pair) => isMerge(parsed, pair))
  const sources = merged.flatMap<unknown>(({ value }) => (yaml.isSeq(value) ? value.items : [value]))
  for (const source of sources) {
    const found = findPair(parsed, source, name)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Creates a function that locates a path in a JSON or YAML text, or its nearest existing ancestor; with `atName`, the name
 * of the path's last member. In malformed text, everything is at the syntax error.
 */
export async function createLocate(
  text: string,
): Promise<(path: readonly PropertyKey[], atName?: boolean) => TextLocation> {
  const parsed = await parseDocument(text, false)
  const { yaml, document, toLocation } = parsed
  const [error] = document.errors
  return function locate(path, atName = false) {
    if (error !== undefined) return toLocation(error.pos[0])
    let node: unknown = document.contents
    for (const [depth, step] of path.entries()) {
      const pair = findPair(parsed, node, step)
      if (atName && depth === path.length - 1 && yaml.isNode(pair?.key)) return toLocation(pair.key.range?.[0])
      const list = yaml.isAlias(node) ? node.resolve(document) : node
      const child: unknown = yaml.isSeq(list) && typeof step === 'number' ? list.items[step] : pair?.value
      if (!yaml.isNode(child)) return toLocation(yaml.isNode(node) ? node.range?.[0] : 0)
      node = child
    }
    const [start, end] = (yaml.isNode(node) ? node.range : undefined) ?? [0, 0]
    return { ...toLocation(start), source: text.slice(start, end) }
  }
}
