/**
 * `:line:column` of a path in a YAML or JSON text (JSON is YAML), or of its nearest ancestor that stands there; of the
 * member's name where `atName`. A text that is broken has its place where it breaks.
 */
export async function locate(text: string, path: readonly PropertyKey[], atName: boolean): Promise<string> {
  const { LineCounter, isMap, isNode, isScalar, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false })
  const toText = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `:${line}:${col}`
  }
  const [fault] = document.errors
  if (fault !== undefined) return toText(fault.pos[0])
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const steps = path.slice(0, depth)
    const parent: unknown = document.getIn(steps.slice(0, -1), true)
    if (atName && depth === path.length && isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === steps.at(-1))
      if (isNode(pair?.key) && pair.key.range) return toText(pair.key.range[0])
    }
    const node: unknown = steps.length === 0 ? document.contents : document.getIn(steps, true)
    if (isNode(node) && node.range) return toText(node.range[0])
  }
  return ':1:1'
}
