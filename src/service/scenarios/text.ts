import type { Document, Node, Pair } from 'yaml'
import { Problem, toMessage } from '../../errors.ts'
import { parseJson } from '../http/json.ts'
import { memoizeLast } from '../../util/collections.ts'
import { splitPosition } from '../../util/file-problems.ts'

// The text of a scenario file: JSON or YAML, and the positions in it.

/** A problem in a text, at `:line:column`. */
export interface TextProblem {
  readonly position: string
  readonly sentence: string
}

/** Thrown for text that is neither JSON nor YAML, with all problems that were found. */
export class SyntaxProblems extends Error {
  readonly problems: readonly TextProblem[]

  constructor(problems: readonly TextProblem[]) {
    super('The text has syntax errors.')
    this.problems = problems
  }
}

/** Parses YAML with merge keys. Integers keep all digits. */
async function parseDocument(text: string, uniqueKeys: boolean) {
  const yaml = await import('yaml')
  const lineCounter = new yaml.LineCounter()
  const options = { merge: true, intAsBigInt: true, prettyErrors: false, uniqueKeys, lineCounter } as const
  const document: Document = yaml.parseDocument(text, options)
  return {
    yaml,
    document,
    text,
    toPosition(offset = 0): string {
      const { line, col } = lineCounter.linePos(offset)
      return `:${line}:${col}`
    },
  }
}

type ParsedDocument = Awaited<ReturnType<typeof parseDocument>>

/** Parses a text once for the positions of all its errors. */
const parseForPositions = memoizeLast((text: string) => parseDocument(text, false))

/** A merge key is the only one whose value is a symbol. */
const isMerge = ({ yaml }: ParsedDocument, { key }: Pair): boolean =>
  yaml.isScalar(key) && typeof key.value === 'symbol'

/** Finds a member of a map, or of the maps that it merges. */
function findPair(parsed: ParsedDocument, from: unknown, name: PropertyKey): Pair | undefined {
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
 * Returns the `:line:column` of a path in a YAML or JSON text (JSON is a subset of YAML), or of its nearest existing
 * ancestor. With `atName`, it is the position of the member's name. For malformed text, it is the position of the syntax
 * error.
 */
export async function locate(text: string, path: readonly PropertyKey[], atName: boolean): Promise<string> {
  const parsed = await parseForPositions(text)
  const { yaml, document, toPosition } = parsed
  const [error] = document.errors
  if (error !== undefined) return toPosition(error.pos[0])
  let node: unknown = document.contents
  for (const [depth, step] of path.entries()) {
    const pair = findPair(parsed, node, step)
    if (atName && depth === path.length - 1 && yaml.isNode(pair?.key)) return toPosition(pair.key.range?.[0])
    const list = yaml.isAlias(node) ? node.resolve(document) : node
    const child: unknown = yaml.isSeq(list) && typeof step === 'number' ? list.items[step] : pair?.value
    if (!yaml.isNode(child)) break
    node = child
  }
  return toPosition(yaml.isNode(node) ? node.range?.[0] : 0)
}

/** The tags of JSON's values; other tags create values that JSON does not have. */
const JSON_TAGS = new Set(
  ['map', 'seq', 'str', 'int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`),
)

/** Finds the values that JSON does not have, and aliases that cannot be resolved. */
function findForeign(parsed: ParsedDocument): readonly TextProblem[] {
  const { yaml, document, text, toPosition } = parsed
  const problems: TextProblem[] = []
  const report = (node: unknown, sentence: string) =>
    problems.push({ position: toPosition(yaml.isNode(node) ? node.range?.[0] : 0), sentence })

  yaml.visit(document, {
    Node(_key, node: Node, path) {
      if (yaml.isAlias(node)) {
        const target = node.resolve(document)
        if (target === undefined) report(node, `the alias *${node.source} has no anchor before it.`)
        else if (path.includes(target)) report(node, `the alias *${node.source} is inside of its own anchor.`)
      } else if (node.tag !== undefined && !JSON_TAGS.has(node.tag)) {
        const shown = node.tag.replace('tag:yaml.org,2002:', '!!')
        // A node starts after its tag.
        const position = toPosition(Math.max(0, text.lastIndexOf(shown, node.range?.[0])))
        problems.push({ position, sentence: `the tag ${shown} has no value in JSON. Remove it.` })
      } else if (yaml.isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
        report(node, `${node.source} is not a number in JSON.`)
      }
    },
    Pair(_key, pair) {
      const { key, value } = pair
      if (!yaml.isScalar(key)) return report(key, 'the name of a member must be a string.')
      if (!isMerge(parsed, pair)) return undefined
      const sources = yaml.isSeq(value) ? value.items : [value]
      const areMaps = sources.every((one) => yaml.isMap(yaml.isAlias(one) ? one.resolve(document) : one))
      return areMaps ? undefined : report(value, 'the merge key << needs a map, or a list of maps.')
    },
  })
  return problems
}

/** Maximum number of characters of YAML. The time of its parser grows with the square of a map's length. */
const MOST_YAML = 64 * 1024

/** Parses YAML whose values JSON has, too. */
async function parseYaml(text: string): Promise<unknown> {
  if (text.length > MOST_YAML) {
    const sentence = `the file has ${text.length} characters. The limit of YAML is ${MOST_YAML}. Use JSON.`
    throw new SyntaxProblems([{ position: ':1:1', sentence }])
  }
  const parsed = await parseDocument(text, true)
  const { yaml, document, toPosition } = parsed
  const problems = document.errors.map(({ code, message, pos }) => ({
    position: toPosition(pos[0]),
    sentence:
      code === 'MULTIPLE_DOCS'
        ? 'a single YAML document expected. Found more than one.'
        : `${message.replace(/\.$/, '')}.`,
  }))
  if (problems.length > 0) throw new SyntaxProblems(problems)
  const foreign = findForeign(parsed)
  if (foreign.length > 0) throw new SyntaxProblems(foreign)
  try {
    // Converts whole numbers as for JSON: to a `bigint` only if a double would round them (D3).
    return document.toJS({
      maxAliasCount: 100,
      reviver: (_name, value) =>
        typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
    }) as unknown
  } catch (error) {
    // Too many aliases.
    let first: Node | undefined
    yaml.visit(document, {
      Alias(_key, alias) {
        first = alias
        return yaml.visit.BREAK
      },
    })
    throw new SyntaxProblems([{ position: toPosition(first?.range?.[0]), sentence: `${toMessage(error)}.` }])
  }
}

/**
 * Parses the text of a file.
 *
 * @throws {SyntaxProblems}
 */
export async function parseJsonOrYaml(text: string, isYaml: boolean): Promise<unknown> {
  if (isYaml) return parseYaml(text)
  if (text.trim() === '') {
    const sentence = 'the file is empty; expected a scenario. Write one, or delete the file.'
    throw new SyntaxProblems([{ position: ':1:1', sentence }])
  }
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new SyntaxProblems([splitPosition(error)])
  }
}
