import type * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { stringifyJson } from '../http/json.ts'
import { toPath } from '../http/json-faults.ts'
import { answerSchema, effectSchema } from './effect-schema.ts'
import { matchSchema, ruleSchema, scenarioSchema } from './schema.ts'
import { findMembers } from '../contract/members.ts'

type FaultPath = readonly PropertyKey[]

/** What is wrong with a scenario, and where: the path of its value, and its line and column where there is a text. */
export class ScenarioFault extends Error {
  override readonly name = 'ScenarioFault'
  readonly path: FaultPath

  constructor(message: string, path: FaultPath = []) {
    super(message)
    this.path = path
  }
}

/** Where each member may stand, to say so where it stands elsewhere. */
const PLACES: readonly (readonly [place: string, members: readonly string[]])[] = [
  ['match', Object.keys(matchSchema.shape)],
  ['effect', Object.keys(effectSchema.shape)],
  ['answer', Object.keys(answerSchema.shape)],
  ['a rule', Object.keys(ruleSchema.shape)],
]

/** An issue of a union becomes those of its alternatives: the one that went furthest tells most. */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  return issue.errors
    .flatMap((issues) => issues.flatMap(flatten))
    .map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }))
    .toSorted((a, b) => b.path.length - a.path.length || rank(b) - rank(a))
    .slice(0, 1)
}

/** A wrong value tells more than a wrong type: the type was the right one then. */
const rank = ({ code }: z.core.$ZodIssue): number => (code === 'invalid_type' ? 0 : 1)

/** A member that is unknown tells most, since it may be another, required one misspelt. */
const pickIssue = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]

const show = (value: unknown): string => {
  const text = stringifyJson(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function describeStranger(member: string, known: readonly string[]): string {
  const home = PLACES.find(([, members]) => members.includes(member))
  const remedy = didYouMean(member, known) || (home === undefined ? '' : ` It belongs in ${home[0]}.`)
  return `unknown member ${JSON.stringify(member.slice(0, 100))}.${remedy} Known here: ${known.join(', ')}.`
}

function describeChoice(value: unknown, allowed: readonly string[]): string {
  if (allowed.length === 1) return `${allowed[0]} expected. Found ${show(value)}.`
  const near = typeof value === 'string' ? didYouMean(value, allowed) : ''
  return `${show(value)} is not one of ${allowed.join(', ')}.${near}`
}

/** What a size is counted in: one, and many. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
}

function toSize(size: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  return unit === undefined ? String(size) : `${size} ${size === 1 ? unit[0] : unit[1]}`
}

/** What was expected of a value. */
function toExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `${issue.expected === 'int' ? 'whole number' : issue.expected} expected.`
  if (issue.code === 'too_small') return `at least ${toSize(issue.minimum, issue.origin)} expected.`
  if (issue.code === 'too_big') return `at most ${toSize(issue.maximum, issue.origin)} expected.`
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    return describeStranger(issue.keys[0] ?? '', findMembers(scenarioSchema, issue.path))
  }
  if (value === undefined) return 'required, but missing.'
  if (issue.code === 'invalid_value') return describeChoice(value, issue.values.map(String))
  if ('options' in issue && Array.isArray(issue.options)) return describeChoice(value, issue.options.map(String))
  return `${toExpectation(issue)} Found ${show(issue.code === 'invalid_key' ? issue.path.at(-1) : value)}.`
}

const valueAt = (root: unknown, path: FaultPath): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[step] : undefined,
    root,
  )

/** The sentence about the first thing that is wrong with a value, after its path. */
export function toScenarioFault(value: unknown, { issues }: z.ZodError): ScenarioFault {
  const issue = pickIssue(issues.flatMap(flatten))
  if (issue === undefined) return new ScenarioFault('not a scenario.')
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const shown = toPath(path)
  return new ScenarioFault(`${shown === '' ? '' : `${shown}: `}${describe(issue, valueAt(value, issue.path))}`, path)
}
