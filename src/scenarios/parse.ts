import type * as z from 'zod'
import { didYouMean, Problem } from '../errors.ts'
import { parseJson, toPath } from '../http/json.ts'
import { effectSchema, matchSchema, ruleSchema, scenarioSchema } from './schema.ts'
import type { ScenarioFile } from './schema.ts'

/** What is wrong with a scenario, and where: the path of its value, and its line and column where there is a text. */
export class ScenarioFault extends Error {
  override readonly name = 'ScenarioFault'
  readonly path: readonly PropertyKey[]

  constructor(message: string, path: readonly PropertyKey[] = []) {
    super(message)
    this.path = path
  }
}

const MEMBERS: readonly string[] = [scenarioSchema, ruleSchema, matchSchema, effectSchema].flatMap(({ shape }) => Object.keys(shape))

/** The issue of a union that tells most: of the alternative that went furthest before it failed. */
function pickIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const nested = issue.errors.flatMap(([first]) => (first === undefined ? [] : [pickIssue(first)]))
  const best = nested.toSorted((a, b) => b.path.length - a.path.length || rank(b) - rank(a))[0]
  return best === undefined ? issue : { ...best, path: [...issue.path, ...best.path] }
}

/** A wrong value tells more than a wrong type: the type was the right one then. */
const rank = ({ code }: z.core.$ZodIssue): number => (code === 'invalid_type' ? 0 : 1)

const show = (value: unknown): string => JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))?.slice(0, 100) ?? 'nothing'

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    return `unknown member "${key}".${didYouMean(key, MEMBERS.filter((member) => member !== key))}`
  }
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String)
    const near = typeof value === 'string' ? didYouMean(value, allowed) : ''
    return `${show(value)} is none of ${allowed.join(', ')}.${near}`
  }
  if (issue.code === 'invalid_type') {
    return value === undefined ? `missing; ${issue.expected} expected.` : `${issue.expected} expected, found ${show(value)}.`
  }
  return `${issue.message} Found ${show(value)}.`
}

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[step] : undefined,
    root,
  )

/**
 * Holds a value to the schema of scenario files.
 *
 * @throws {ScenarioFault} for the first thing that is wrong, with its path and "did you mean".
 */
export function parseScenario(value: unknown): ScenarioFile {
  const result = scenarioSchema.safeParse(value)
  if (result.success) return value as ScenarioFile
  const [first] = result.error.issues
  if (first === undefined) throw new ScenarioFault('not a scenario.')
  const issue = pickIssue(first)
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const shown = toPath(path)
  throw new ScenarioFault(`${shown === '' ? '' : `${shown}: `}${describe(issue, valueAt(value, issue.path))}`, path)
}

async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true })
  const [fault] = document.errors
  if (fault !== undefined) throw new ScenarioFault(fault.message.split('\n')[0]?.replace(/ at line.*$/, '.') ?? 'not YAML.')
  return document.toJS({ maxAliasCount: 100 }) as unknown
}

/** `:line:column` of a path in a YAML or JSON text (JSON is YAML); of its nearest ancestor that stands there. */
async function locate(text: string, path: readonly PropertyKey[], atKey: boolean): Promise<string> {
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
    if (atKey && depth === path.length && isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === steps.at(-1))
      if (isNode(pair?.key) && pair.key.range) return toText(pair.key.range[0])
    }
    const node: unknown = steps.length === 0 ? document.contents : document.getIn(steps, true)
    if (isNode(node) && node.range) return toText(node.range[0])
  }
  return ':1:1'
}

const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file)

/**
 * Reads the text of a scenario file, JSON or YAML by its ending.
 *
 * @throws {ScenarioFault} whose message begins with file, line and column.
 */
export async function parseScenarioText(file: string, text: string): Promise<ScenarioFile> {
  try {
    return parseScenario(isYaml(file) ? await parseYaml(text) : parseJson(text))
  } catch (fault) {
    if (fault instanceof Problem) {
      const detail = String(fault.errors[0].detailedErrorMessage ?? fault.message)
      throw new ScenarioFault(`${file}${await locate(text, [], false)} ${detail}`)
    }
    if (!(fault instanceof ScenarioFault)) throw fault
    const atKey = fault.message.includes('unknown member')
    throw new ScenarioFault(`${file}${await locate(text, fault.path, atKey)} ${fault.message}`, fault.path)
  }
}

